import { boundedPageSize } from '../description/document.ts';
import type { Answered } from '../transcript/exchange.ts';
import { idOf } from '../transcript/ids.ts';
import { countOf, isList, itemsIn } from '../transcript/items.ts';
import { unescaped } from '../transcript/place.ts';
import { answeredFor } from '../transcript/transcript.ts';
import {
  type Parts,
  probesOf,
  type Reader,
  readingOf,
  type Source,
  toCommonForm,
  toShortest,
  varied,
} from './reading.ts';

type Bounds = { min: number; max: number; default: number };

/** What may be wrong with a page size, by its text. */
function faultOf(text: string, { min }: Bounds): string {
  if (text === '') return 'empty';
  if (text === '0' && min > 0) return 'zero';
  if (/^-?\d+$/.test(text)) return Number(text) < min ? 'below' : 'above';
  if (/^-?\d+\.\d+$/.test(text)) return 'fraction';
  return /^\d+e\d+$/i.test(text) ? 'exponent' : 'text';
}

type Meaning = {
  name: string;
  words: string;
  /** The mistakes that it is a word for; all of them if it is left out. */
  faults?: readonly string[];
  size: (text: string, bounds: Bounds) => number;
};

/** What an answer to a page size out of range would mean: the page size that it lists by. */
const meanings: readonly Meaning[] = [
  {
    name: 'clamped',
    words: 'a clamped page size',
    faults: ['zero', 'below', 'above'],
    size: (text, bounds) => sizeOf(Number(text), bounds),
  },
  { name: 'ignored', words: 'the default page size', size: (_, bounds) => bounds.default },
  {
    name: 'as-number',
    words: 'a page size read as a number and rounded down',
    faults: ['fraction', 'exponent', 'empty'],
    size: (text, bounds) => sizeOf(Number(text), bounds),
  },
  {
    name: 'leading-digits',
    words: 'a page size read from the leading digits',
    faults: ['exponent'],
    size: (text, bounds) => sizeOf(Number.parseInt(text, 10), bounds),
  },
  { name: 'empty-list', words: 'an empty list', size: () => 0 },
];

/** The twin never lists more than the maximum, but a deployment may. */
const asAsked: Meaning = {
  name: 'as-asked',
  words: 'a page as large as asked for',
  size: (text, bounds) =>
    Number(text) > bounds.max ? Number(text) : sizeOf(Number(text || Number.NaN), bounds),
};

function sizeOf(number: number, { min, max, default: byDefault }: Bounds): number {
  return Number.isNaN(number) ? byDefault : Math.min(max, Math.max(min, Math.floor(number)));
}

export const readLimitOutOfRange: Reader = (source) => {
  const { resource, transcript } = source;
  const size = boundedPageSize(resource);
  const probes = [...probesOf(source, 'limit-out-of-range').values()].flat();
  if (!size || probes.length === 0) return undefined;
  const bounds = { default: size.min, ...size };
  const whole = answeredFor(transcript, 'list').filter(
    ({ case: { purpose }, response }) =>
      purpose.limit === size.max &&
      Object.keys(purpose.filters).length === 0 &&
      response.status === 200,
  );
  const counts = whole.map(countOf);
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  const knownBefore = countKnown(source);
  const byFault = Map.groupBy(probes, ({ request }) => faultOf(textOf(request.path), bounds));
  const parts: Record<string, Parts[string]> = {};
  const reasons: string[] = [];
  const unsure: string[] = [];
  for (const [fault, shown] of byFault) {
    const listed = shown.filter(isList);
    const fits = ({ size: toSize }: Meaning) =>
      listed.every((one) => {
        const expected = toSize(textOf(one.request.path), bounds);
        const length = countOf(one);
        // A list of the maximum hides how many items there are.
        const fewestThen = Math.max(fewest, knownBefore(one));
        const mostThen = most >= size.max ? Number.POSITIVE_INFINITY : most;
        return (
          length >= Math.min(expected, expected > size.max ? fewestThen : fewest) &&
          length <= Math.min(expected, mostThen)
        );
      });
    const meant = meanings.filter(({ faults }) => faults?.includes(fault) !== false);
    const meaning = meant.find(fits);
    if (listed.length === 0) {
      const form = toCommonForm(shown);
      if (form && form.status >= 400) parts[fault] = { answer: toShortest(form), shown };
      else reasons.push(`${fault}: ${varied(shown).reason}`);
    } else if (listed.length === shown.length && meaning) {
      parts[fault] = { answer: meaning.name, shown };
      const texts = listed.map(({ request }) => textOf(request.path));
      const rival = [...meant, asAsked].find(
        (one) =>
          fits(one) && texts.some((text) => one.size(text, bounds) !== meaning.size(text, bounds)),
      );
      if (rival) {
        const longest = Math.max(...listed.map(countOf));
        unsure.push(
          `${fault}: at most ${longest} items were listed, which ${rival.words} would show too`,
        );
      }
    } else reasons.push(`${fault}: ${varied(shown).reason}`);
  }
  return readingOf(parts, { shown: probes, reasons, unsure });
};

/** The page size that a request asks for, as it was sent. */
function textOf(path: string): string {
  return unescaped(path.split('=').at(-1) ?? '');
}

/** Counts the items that were listed or created before a request was sent. */
function countKnown({ transcript, resource }: Source): (before: Answered) => number {
  const seen = answeredFor(transcript, 'list', 'create')
    .filter(({ response }) => response.status < 300)
    .map((one) => ({
      endedAt: one.endedAt,
      ids: itemsIn(one).map((item) => idOf(item, resource.idProperty)),
    }));
  return ({ sentAt }) =>
    new Set(seen.flatMap(({ endedAt, ids }) => (endedAt <= sentAt ? ids : []))).size;
}

/** The word for what an answer means for each mistake, where two words mean the same. */
const sameMeaning: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  clamped: { fraction: 'as-number', exponent: 'as-number', text: 'ignored', empty: 'ignored' },
  'leading-digits': {
    ...{ zero: 'clamped', below: 'clamped', above: 'clamped' },
    ...{ fraction: 'as-number', text: 'ignored', empty: 'ignored' },
  },
  'as-number': { zero: 'clamped', below: 'clamped', above: 'clamped', text: 'ignored' },
};

/** An answer by what is wrong with the page size, in the words of a reading. */
export function toLimitParts(answer: unknown, faults: readonly string[] = allFaults): unknown {
  const isOne = typeof answer !== 'object' || answer === null || Object.hasOwn(answer, 'status');
  const parts = isOne
    ? faults.map((fault) => [fault, answer] as const)
    : Object.entries(answer as object);
  return Object.fromEntries(
    parts.map(([fault, part]) => [fault, sameMeaning[String(part)]?.[fault] ?? part]),
  );
}

const allFaults = ['zero', 'below', 'above', 'fraction', 'text', 'empty', 'exponent'];
