import type { Answered } from '../transcript/exchange.ts';
import { answeredFor } from '../transcript/transcript.ts';
import { isRefused, isStored, sentFields, validCreates } from './creates.ts';
import { type Reader, toRefusal, varied } from './reading.ts';

/**
 * Whether a create may name a category that no item has; if so, from which bound below 1 on one is
 * refused.
 */
export const readUnknownCategory: Reader = (source) => {
  const { resource, transcript } = source;
  const integer = Object.entries(resource.item.properties).find(
    ([name, { format }]) => name !== resource.idProperty && format === 'int64',
  )?.[0];
  const unused = answeredFor(transcript, 'silence').filter(
    ({ case: { purpose } }) =>
      purpose.silence === 'unknown-category' && purpose.unused !== undefined,
  );
  if (integer === undefined || unused.length === 0) return undefined;
  if (!unused.every(isStored)) {
    const { answer: unknown, reason } = toRefusal(unused);
    return unknown === undefined
      ? { shown: unused, reason }
      : { answer: { unknown }, shown: unused };
  }
  const categoryOf = (one: Answered) => Number(sentFields(one)[integer]);
  const sent = validCreates(source);
  const zero = sent.filter((one) => categoryOf(one) === 0);
  const negative = sent.filter((one) => categoryOf(one) < 0);
  const below = [...zero, ...negative];
  const shown = [...unused, ...below];
  if (negative.length === 0) return { shown, reason: 'no category below 1 was sent' };
  if (below.every(isStored)) return { answer: 'accepted', shown };
  const isZeroRefused = zero.length > 0 && zero.every(isRefused);
  const { answer, reason } = toRefusal(isZeroRefused ? below : negative);
  if (answer === undefined) return { shown, reason };
  if (isZeroRefused) return { answer: { belowOne: answer }, shown };
  return zero.every(isStored) ? { answer: { belowZero: answer }, shown } : varied(shown);
};

type Fields = Readonly<Record<string, unknown>>;

/** What an answer says of a category that no item has, and of a negative one: no run sends 0. */
export function toCategoryParts(answer: unknown): unknown {
  const { belowOne, belowZero, unknown } = (typeof answer === 'object' ? answer : {}) as Fields;
  // What no category has includes what is below 1.
  if (unknown !== undefined) return { unknown };
  return { unknown: 'accepted', negative: belowOne ?? belowZero ?? 'accepted' };
}
