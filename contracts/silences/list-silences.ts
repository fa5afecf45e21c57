import { boundedPageSize } from '../description/document.ts';
import type { Answered } from '../transcript/exchange.ts';
import { idOf } from '../transcript/ids.ts';
import { type Item, itemsIn } from '../transcript/items.ts';
import { answeredFor } from '../transcript/transcript.ts';
import {
  probesOf,
  type Reader,
  type Reading,
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

/** What an answer to a page size out of range would mean: the page size that it lists by. */
const meanings: readonly [name: string, size: (text: string, bounds: Bounds) => number][] = [
  ['clamped', (text, bounds) => sizeOf(Number(text || Number.NaN), bounds)],
  ['ignored', (_, bounds) => bounds.default],
  ['leading-digits', (text, bounds) => sizeOf(Number.parseInt(text, 10), bounds)],
  ['empty-list', () => 0],
];

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
  const counts = whole.map(({ response }) => lengthOf(response.json));
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  const byFault = Map.groupBy(probes, ({ request }) => faultOf(textOf(request.path), bounds));
  const answers: Record<string, unknown> = {};
  const reasons: string[] = [];
  for (const [fault, shown] of byFault) {
    const listed = shown.filter(({ response }) => Array.isArray(response.json));
    const fits = (meant: (text: string, bounds: Bounds) => number) =>
      listed.every(({ request, response }) => {
        const expected = meant(textOf(request.path), bounds);
        const length = lengthOf(response.json);
        return length >= Math.min(expected, fewest) && length <= Math.min(expected, most);
      });
    const meaning = meanings.find(([, meant]) => fits(meant));
    if (listed.length === 0) {
      const form = toCommonForm(shown);
      if (form && form.status >= 400) answers[fault] = toShortest(form);
      else reasons.push(`${fault}: ${varied(shown).reason}`);
    } else if (listed.length === shown.length && meaning) answers[fault] = meaning[0];
    else reasons.push(`${fault}: ${varied(shown).reason}`);
  }
  return reading(answers, probes, reasons);
};

/** The page size that a request asks for, as it was sent. */
function textOf(path: string): string {
  return decodeURIComponent(path.split('=').at(-1) ?? '');
}

function lengthOf(json: unknown): number {
  return Array.isArray(json) ? json.length : 0;
}

/** Parts of an answer, one for all where they are the same. */
export function reading(
  answers: Readonly<Record<string, unknown>>,
  shown: readonly Answered[],
  reasons: readonly string[],
): Reading {
  const values = Object.values(answers);
  const reason = reasons.length > 0 ? { reason: reasons.join('; ') } : {};
  if (values.length === 0) return { shown, ...reason };
  const isOne =
    reasons.length === 0 && new Set(values.map((value) => JSON.stringify(value))).size === 1;
  return { answer: isOne ? values[0] : answers, shown, ...reason };
}

export const readUnknownStatusFilter: Reader = (source) => {
  const shown = [...probesOf(source, 'unknown-status-filter').values()].flat();
  if (shown.length === 0) return undefined;
  const lists = shown.filter(({ response }) => Array.isArray(response.json));
  if (lists.length === 0) return toRefusal(shown);
  if (lists.length < shown.length) return varied(shown);
  const isEmpty = lists.every(({ response }) => lengthOf(response.json) === 0);
  return { answer: isEmpty && !isStoreEmpty(source) ? 'empty-list' : 'ignored', shown };
};

function isStoreEmpty({ transcript }: Source): boolean {
  const lists = answeredFor(transcript, 'list').filter(
    ({ case: { purpose } }) => Object.keys(purpose.filters).length === 0,
  );
  return lists.every(({ response }) => lengthOf(response.json) === 0);
}

/** A refusal of one form. */
export function toRefusal(shown: readonly Answered[]): Reading {
  const form = toCommonForm(shown);
  return form && form.status >= 400 ? { answer: toShortest(form), shown } : varied(shown);
}

export const readUnknownQueryParameter: Reader = (source) => {
  const shown = [...probesOf(source, 'unknown-query-parameter').values()].flat();
  if (shown.length === 0) return undefined;
  const isIgnored = shown.every(({ response }) => Array.isArray(response.json));
  return isIgnored ? { answer: 'ignored', shown } : toRefusal(shown);
};

type Compare = (left: unknown, right: unknown) => number;

export const readListOrder: Reader = (source) => {
  const { resource } = source;
  const lists = answeredFor(source.transcript, 'list').filter(
    ({ response }) => response.status === 200 && lengthOf(response.json) > 2,
  );
  if (lists.length === 0) return undefined;
  const shown = lists.slice(0, 40);
  const items = shown.map(itemsIn);
  const { idProperty } = resource;
  const byAge = orderOfCreation(source, items);
  const isSorted = (name: string, sign: 1 | -1) =>
    items.every((list) => isInOrder(list.map(toValue(name, idProperty)), sign));
  if (byAge === 1 || (byAge === undefined && isSorted(idProperty, 1)))
    return { answer: 'oldest-first', shown };
  if (byAge === -1 || (byAge === undefined && isSorted(idProperty, -1)))
    return { answer: 'newest-first', shown };
  for (const by of Object.keys(resource.item.properties))
    for (const [sign, descending] of [
      [1, false],
      [-1, true],
    ] as const)
      if (isSorted(by, sign) && isTelling(items, by))
        return { answer: { by, ...(descending && { descending }) }, shown };
  return { shown, reason: 'the lists have no order that the twin could follow' };
};

/**
 * Whether items that were created one after the other are listed in that order (1), the other way
 * round (-1) or in neither (0); undefined where lists show too few of them.
 */
function orderOfCreation(
  { transcript, resource }: Source,
  lists: readonly (readonly Item[])[],
): 1 | -1 | 0 | undefined {
  const { idProperty } = resource;
  const created = answeredFor(transcript, 'create')
    .filter(({ response }) => response.status < 300)
    .map(({ response, sentAt, endedAt }) => ({
      id: idOf(response.json, idProperty),
      sentAt,
      endedAt,
    }));
  let [upward, downward] = [0, 0];
  for (const list of lists) {
    const places = new Map(list.map((item, index) => [idOf(item, idProperty), index]));
    const seen = created.filter(({ id }) => places.has(id));
    for (const [index, first] of seen.entries())
      for (const second of seen.slice(index + 1)) {
        if (first.endedAt >= second.sentAt) continue;
        if ((places.get(first.id) as number) < (places.get(second.id) as number)) upward += 1;
        else downward += 1;
      }
    // What was there before stands before what was created, or behind it.
    const old = list.filter((item) => !created.some(({ id }) => id === idOf(item, idProperty)));
    if (seen.length === 0 || old.length === 0) continue;
    const oldPlaces = old.map((item) => places.get(idOf(item, idProperty)) as number);
    const newPlaces = seen.map(({ id }) => places.get(id) as number);
    if (Math.max(...oldPlaces) < Math.min(...newPlaces)) upward += 1;
    else if (Math.min(...oldPlaces) > Math.max(...newPlaces)) downward += 1;
  }
  if (upward + downward < 3) return undefined;
  if (downward === 0) return 1;
  return upward === 0 ? -1 : 0;
}

function isInOrder(values: readonly unknown[], sign: 1 | -1): boolean {
  return values.every(
    (value, index) => index === 0 || compare(values[index - 1], value) * sign <= 0,
  );
}

/** Gives a property of items; as text, the id "10" sorts before "9". */
function toValue(name: string, idProperty: string): (item: Item) => unknown {
  return ({ [name]: value }) => {
    const isNumber = name === idProperty && /^-?\d{1,1000}$/.test(String(value));
    return isNumber && typeof value === 'string' ? BigInt(value) : value;
  };
}

const compare: Compare = (left, right) => {
  const isText = typeof left === 'string' && typeof right === 'string';
  const isNumber = isNumeric(left) && isNumeric(right);
  if (!isText && !isNumber) return Number.NaN;
  return (left as number) < (right as number) ? -1 : left === right ? 0 : 1;
};

function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Whether a list has enough values for their order to be no coincidence. */
function isTelling(lists: readonly (readonly Item[])[], name: string): boolean {
  return lists.some((list) => new Set(list.map((item) => item[name])).size > 4);
}
