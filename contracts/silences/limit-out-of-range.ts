import { boundedPageSize } from '../description/document.ts';
import type { Answered } from '../transcript/exchange.ts';
import { countOf, isList } from '../transcript/items.ts';
import { unescaped } from '../transcript/place.ts';
import { answeredFor } from '../transcript/transcript.ts';
import { probesOf, type Reader, readingOf, toCommonForm, toShortest, varied } from './reading.ts';

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
  /** The mistakes that it is a word for; all of them if it is left out. */
  faults?: readonly string[];
  size: (text: string, bounds: Bounds) => number;
};

/** What an answer to a page size out of range may mean: the page size that it lists by. */
const meanings: readonly Meaning[] = [
  {
    name: 'clamped',
    faults: ['zero', 'below', 'above'],
    size: (text, bounds) => sizeOf(Number(text), bounds),
  },
  { name: 'ignored', size: (_, bounds) => bounds.default },
  {
    name: 'as-number',
    faults: ['fraction', 'exponent', 'empty'],
    size: (text, bounds) => sizeOf(Number(text), bounds),
  },
  {
    name: 'leading-digits',
    faults: ['exponent'],
    size: (text, bounds) => sizeOf(Number.parseInt(text, 10), bounds),
  },
  { name: 'empty-list', size: () => 0 },
];

function sizeOf(number: number, { min, max, default: byDefault }: Bounds): number {
  return Number.isNaN(number) ? byDefault : Math.min(max, Math.max(min, Math.floor(number)));
}

export const readLimitOutOfRange: Reader = (source) => {
  const size = boundedPageSize(source.resource);
  const probes = [...probesOf(source, 'limit-out-of-range').values()].flat();
  if (!size || probes.length === 0) return undefined;
  const bounds = { default: size.min, ...size };
  const whole = answeredFor(source.transcript, 'list').filter(
    ({ case: { purpose }, response }) =>
      purpose.limit === size.max &&
      Object.keys(purpose.filters).length === 0 &&
      response.status === 200,
  );
  const counts = whole.map(countOf);
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  // A list of the maximum hides how many items there are.
  const all = most >= size.max ? Number.POSITIVE_INFINITY : most;
  const answers: Record<string, unknown> = {};
  const reasons: string[] = [];
  const unsure: string[] = [];
  const byFault = Map.groupBy(probes, ({ request }) => faultOf(textOf(request.path), bounds));
  for (const [fault, shown] of byFault) {
    const listed = shown.filter(isList);
    const sizeFor = (meaning: Meaning, one: Answered) =>
      meaning.size(textOf(one.request.path), bounds);
    const fits = (meaning: Meaning) =>
      listed.every((one) => {
        const expected = sizeFor(meaning, one);
        const length = countOf(one);
        return length >= Math.min(expected, fewest) && length <= Math.min(expected, all);
      });
    const [meaning, ...others] = meanings.filter(
      (one) => one.faults?.includes(fault) !== false && fits(one),
    );
    const form = listed.length === 0 ? toCommonForm(shown) : undefined;
    if (form && form.status >= 400) answers[fault] = toShortest(form);
    else if (listed.length === shown.length && meaning) {
      answers[fault] = meaning.name;
      const rival = others.find((other) =>
        listed.some((one) => sizeFor(other, one) !== sizeFor(meaning, one)),
      );
      if (rival) unsure.push(`${fault}: too few items were listed to tell it from ${rival.name}`);
    } else reasons.push(`${fault}: ${varied(shown).reason}`);
  }
  return readingOf(answers, { shown: probes, reasons, unsure });
};

/** The page size that a request asks for, as it was sent. */
function textOf(path: string): string {
  return unescaped(path.split('=').at(-1) ?? '');
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

const faults = ['zero', 'below', 'above', 'fraction', 'text', 'empty', 'exponent'];

/** An answer by what is wrong with the page size, in the words of a reading. */
export function toLimitParts(answer: unknown): unknown {
  const isOne = typeof answer !== 'object' || answer === null || Object.hasOwn(answer, 'status');
  const parts = isOne
    ? faults.map((fault) => [fault, answer] as const)
    : Object.entries(answer as object);
  return Object.fromEntries(
    parts.map(([fault, part]) => [fault, sameMeaning[String(part)]?.[fault] ?? part]),
  );
}
