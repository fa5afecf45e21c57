import type { Answered } from '../transcript/exchange.ts';
import { itemsIn } from '../transcript/items.ts';
import { answeredFor } from '../transcript/transcript.ts';
import { isRefused, isStored, sentFields, validCreates } from './creates.ts';
import {
  countParts,
  type PartCounts,
  type Reader,
  type Reading,
  toCommonForm,
  toRefusal,
  toShortest,
  varied,
} from './reading.ts';

/** A create with the category that it sent. */
type Sent = { one: Answered; category: number };

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
  const below = validCreates(source).flatMap((one): Sent[] => {
    const category = Number(sentFields(one)[integer]);
    return category < 1 ? [{ one, category }] : [];
  });
  const shown = [...unused, ...below.map(({ one }) => one)];
  if (!unused.every(isStored)) return { ...toKnown(unused, integer, source), shown };
  const { answer, parts, reason, unsure } = readBelow(below);
  if (reason !== undefined) return { shown, reason };
  return {
    answer: answer ?? 'accepted',
    shown,
    parts: { unknown: unused.length, ...parts },
    ...(unsure && { unsure }),
  };
};

/** Where categories have to be known, those that are listed are. */
function toKnown(
  unused: readonly Answered[],
  integer: string,
  { transcript }: Parameters<Reader>[0],
): Omit<Reading, 'shown'> {
  // What no category has includes what is below 1.
  const { answer: unknown, reason } = toRefusal(unused);
  if (unknown === undefined) return { reason: `unknown: ${reason}` };
  const known = answeredFor(transcript, 'list')
    .flatMap(itemsIn)
    .map((item) => Number(item[integer]))
    .filter(Number.isSafeInteger);
  const parts = countParts({ unknown: unused });
  if (known.length === 0) return { answer: { unknown }, parts };
  const [from, to] = [Math.max(0, Math.min(...known)), Math.max(...known)];
  return {
    answer: { unknown, from, to },
    parts,
    unsure: [`categories from ${from} to ${to} are taken for known, as both are listed`],
  };
}

type Below = { answer?: object; parts?: PartCounts; reason?: string; unsure?: string[] };

/** From which bound on a category below 1 is refused: from 0, or from -1. */
function readBelow(below: readonly Sent[]): Below {
  const [zero, negative] = [
    below.filter(({ category }) => category === 0),
    below.filter(({ category }) => category < 0),
  ];
  const refused = below.filter(({ one }) => isRefused(one));
  if (refused.length === 0) {
    const parts = countParts({ zero: zero.map(toOne), negative: negative.map(toOne) });
    return below.every(({ one }) => isStored(one)) ? { parts } : { reason: reasonOf(below) };
  }
  const form = toCommonForm(refused.map(toOne));
  if (!form) return { reason: reasonOf(refused) };
  const answer = toShortest(form);
  const isAll = (sent: readonly Sent[]) => sent.every((one) => refused.includes(one));
  const isNone = (sent: readonly Sent[]) => !sent.some((one) => refused.includes(one));
  if (!isAll(negative)) return { reason: reasonOf(below) };
  const tried = (sent: readonly Sent[]) =>
    [...new Set(sent.map(({ category }) => category))].join(' and ');
  if (zero.length > 0 && isAll(zero))
    return {
      answer: { belowOne: answer },
      parts: { belowOne: Math.min(zero.length, negative.length || zero.length) },
      ...(negative.length === 0 && { unsure: ['no negative category was sent'] }),
    };
  if (!isNone(zero)) return { reason: reasonOf(zero) };
  return {
    answer: { belowZero: answer },
    parts: countParts({ belowZero: negative.map(toOne) }),
    ...(zero.length === 0 && {
      unsure: [`only ${tried(negative)} was sent, so the bound may be another`],
    }),
  };
}

function toOne({ one }: Sent): Answered {
  return one;
}

/** What came of each category that was sent. */
function reasonOf(sent: readonly Sent[]): string {
  const byCategory = Map.groupBy(sent, ({ category }) => category);
  const each = [...byCategory].map(([category, those]) => {
    const statuses = new Set(those.map(({ one }) => one.response.status));
    return `${category}: ${[...statuses].join(' or ')}`;
  });
  return each.length > 1
    ? `there is no one bound below which a category is refused (${each.slice(0, 6).join('; ')})`
    : String(varied(sent.map(toOne)).reason);
}

/**
 * What an answer says of each category that may be sent: of one that no item has, of 0 and of a
 * negative one. A reading says only what was sent, which its parts name.
 */
export function toCategoryParts(
  answer: unknown,
  reading?: Pick<Reading, 'parts' | 'unsure'>,
): unknown {
  const { belowOne, belowZero, unknown } = (typeof answer === 'object' ? answer : {}) as Fields;
  // What no category has includes what is below 1.
  if (unknown !== undefined) return { unknown };
  const zero = belowOne ?? 'accepted';
  const all = { unknown: 'accepted', zero, negative: belowOne ?? belowZero ?? 'accepted' };
  if (!reading) return all;
  const { parts = {}, unsure = [] } = reading;
  const isSent: Readonly<Record<keyof typeof all, boolean>> = {
    unknown: Object.hasOwn(parts, 'unknown'),
    zero: 'belowOne' in parts || 'zero' in parts || ('belowZero' in parts && unsure.length === 0),
    negative:
      'belowZero' in parts || 'negative' in parts || ('belowOne' in parts && unsure.length === 0),
  };
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => isSent[name as keyof typeof all]),
  );
}

type Fields = Readonly<Record<string, unknown>>;
