import { valueIn } from '../../../common/property-path.ts';
import type { Fields } from '../../items/stored-item.ts';

/** Whether an object is meant. */
export type IsSelected = (object: Fields) => boolean;

/** A condition on labels that cannot be read; the message names it. */
export class SelectorError extends Error {}

type Query = Readonly<Record<string, string>>;

/** Reads the selectors of a query. Throws {@link SelectorError}. */
export function readSelectors({ labelSelector = '', fieldSelector = '' }: Query): IsSelected {
  const tests = [
    ...conditionsOf(labelSelector).map(toLabelTest),
    ...conditionsOf(fieldSelector).map(toFieldTest),
  ];
  return (object) => tests.every((test) => test(object));
}

/** The conditions of a selector; lists of values in parentheses have commas too. */
function conditionsOf(selector: string): string[] {
  return selector
    .split(/,(?![^(]*\))/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

const setForm = /^(\S+)\s+(in|notin)\s*\(([^()]*)\)$/;
const equalForm = /^([^\s=!]+)\s*(==|=|!=)\s*(\S*)$/;
const existsForm = /^(!?)\s*([^\s=!()]+)$/;

function toLabelTest(condition: string): IsSelected {
  const labelOf = (object: Fields, name: string) => valueIn(object, ['metadata', 'labels', name]);
  const [, own = '', isIn, list = ''] = setForm.exec(condition) ?? [];
  if (isIn) {
    const values: unknown[] = list.split(',').map((one) => one.trim());
    return (object) => values.includes(labelOf(object, own)) === (isIn === 'in');
  }
  const [, name = '', operator, value] = equalForm.exec(condition) ?? [];
  if (operator) return (object) => (labelOf(object, name) === value) === (operator !== '!=');
  const [, negated, present] = existsForm.exec(condition) ?? [];
  if (present === undefined) throw new SelectorError(condition);
  return (object) => (labelOf(object, present) === undefined) === (negated === '!');
}

function toFieldTest(condition: string): IsSelected {
  const [, path, operator, value] = equalForm.exec(condition) ?? [];
  if (path === undefined) throw new SelectorError(condition);
  const keys = path.split('.');
  return (object) => (String(valueIn(object, keys) ?? '') === value) === (operator !== '!=');
}
