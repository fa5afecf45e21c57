import type { Answered } from '../transcript/exchange.ts';
import type { SchemaProblem } from '../transcript/schema/problems.ts';
import { shownBody, type Violation } from './check.ts';

const maxSentences = 10;

/**
 * A violation by a body that breaks its schema: `what` the answer does, and in which ways;
 * `elsewhere` is reported with it.
 */
export function toWrongBody(
  what: string,
  response: Answered['response'],
  own: readonly SchemaProblem[],
  elsewhere: readonly string[] = [],
): Pick<Violation, 'message' | 'problems' | 'expected' | 'actual'> {
  const { json } = response;
  const isEmpty = response.text.trim() === '';
  const sentences = [
    ...(json === undefined
      ? [isEmpty ? 'it is empty' : 'it is not JSON']
      : own.map(({ problem }) => problem)),
    ...elsewhere,
  ];
  const more = sentences.length - maxSentences;
  const [first] = json === undefined ? [] : own;
  return {
    message: `${what}: ${sentences[0]}${sentences.length > 1 ? ` (and ${sentences.length - 1} more)` : ''}`,
    ...(sentences.length > 1 && {
      problems: [...sentences.slice(0, maxSentences), ...(more > 0 ? [`and ${more} more`] : [])],
    }),
    expected: first?.expected ?? 'a JSON body that matches its schema',
    actual: first?.actual ?? shownBody(response),
  };
}
