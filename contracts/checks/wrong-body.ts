import type { Answered } from '../transcript/exchange.ts';
import type { SchemaProblem } from '../transcript/schema-problems.ts';
import { shown, type Violation } from './check.ts';

const most = 10;

/**
 * A violation by a body that breaks its schema: `what` the answer does, and in which ways. `others` are the problems of other
 * answers that are told with it.
 */
export function toWrongBody(
  what: string,
  { json, text }: Answered['response'],
  own: readonly SchemaProblem[],
  others: readonly SchemaProblem[] = [],
): Pick<Violation, 'message' | 'problems' | 'expected' | 'actual'> {
  const elsewhere = others.filter(({ kind }) => own.every((one) => one.kind !== kind));
  const isEmpty = text.trim() === '';
  const sentences = [
    ...(json === undefined ? [isEmpty ? 'it is empty' : 'it is no JSON'] : own.map(({ problem }) => problem)),
    ...elsewhere.map(({ problem }) => `in another answer, ${problem}`),
  ];
  const more = sentences.length - most;
  const [first] = json === undefined ? [] : own;
  return {
    message: sentences.length === 1 ? `${what}: ${sentences[0]}` : `${what}: ${sentences.length} things are wrong`,
    ...(sentences.length > 1 && { problems: [...sentences.slice(0, most), ...(more > 0 ? [`and ${more} more`] : [])] }),
    expected: first?.expected ?? 'a JSON body that fits its schema',
    actual: first?.actual ?? (isEmpty ? 'an empty body' : shown(text)),
  };
}
