import { absent, Moment, needsCall, type Scope } from '../../common/expression.ts';
import { define, isObject } from '../../common/json.ts';
import { oncePer } from '../../common/once-per.ts';
import type { Members, Resource, Schema } from '../../openapi/index.ts';
import type { Fields } from './stored-item.ts';

/**
 * The fields of an item with the values that rules give its members, one after the other. Times are
 * in the mock's own form if another one is made of that later (`isFormedLater`).
 */
export function withRules(
  fields: Fields,
  members: Members,
  {
    scope,
    resource,
    isFormedLater = false,
  }: { scope: Scope; resource?: Resource; isFormedLater?: boolean },
): Fields {
  let item: Record<string, unknown> = { ...fields };
  for (const [name, { evaluate }] of members) {
    const value = evaluate({ ...scope, item });
    const own =
      value instanceof Moment ? toDescribed(value, resource?.item.properties[name]) : value;
    if (own !== undefined) item = withMember(item, name.split('.'), own, isFormedLater);
  }
  return item;
}

/** A time as a schema describes it: in seconds, or as a day; by itself where it may be any text. */
function toDescribed(moment: Moment, { type, format }: Schema = {}): unknown {
  const { milliseconds } = moment;
  if ([type].flat().some((one) => one === 'integer' || one === 'number'))
    return Math.floor(milliseconds / 1000);
  return format === 'date' ? new Date(milliseconds).toISOString().slice(0, 10) : moment;
}

function withMember(
  fields: Fields,
  [name = '', ...inner]: readonly string[],
  value: unknown,
  isFormedLater: boolean,
): Record<string, unknown> {
  const { [name]: old, ...others } = fields;
  if (inner.length === 0 && value === absent) return others;
  const result: Record<string, unknown> = { ...fields };
  const held = isObject(old) ? old : {};
  const like = isFormedLater && typeof old === 'string' ? '' : old;
  const own = value instanceof Moment ? toTimeLike(value.milliseconds, like) : value;
  define(result, name, inner.length === 0 ? own : withMember(held, inner, value, isFormedLater));
  return result;
}

/** A time as the value has it in whose place it comes: in seconds, milliseconds, or as a text. */
function toTimeLike(milliseconds: number, old: unknown): unknown {
  if (typeof old === 'number') return old < 1e11 ? Math.floor(milliseconds / 1000) : milliseconds;
  const text = new Date(milliseconds).toISOString();
  if (typeof old === 'string' && /^\d{4}-\d\d-\d\d$/.test(old)) return text.slice(0, 10);
  return typeof old === 'string' && /:\d\dZ$/.test(old) ? text.replace(/\.\d+/, '') : text;
}

/**
 * The rules for members of new items that need no call, for those that a collection begins with: texts
 * and what follows from other members. Undefined where there are none.
 */
export const rulesOfSeeds = oncePer(({ operations }: Resource): Members | undefined => {
  const { values = new Map(), sets = new Map() } = operations.create?.rules ?? {};
  const all = [...values, ...sets].filter(([, { names }]) => !names.some(needsCall));
  return all.length > 0 ? new Map(all) : undefined;
});
