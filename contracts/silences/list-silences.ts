import { isNumber } from '../../common/json.ts';
import { unescaped } from '../../common/path-template.ts';
import { valueAt } from '../../common/property-path.ts';
import { boundedPageSize } from '../document/stated.ts';
import type { Answer } from '../transcript/exchange.ts';
import { countOf, type Item, idOf, isList, itemIn, itemsIn } from '../transcript/items.ts';
import { answeredFor } from '../transcript/transcript.ts';
import {
  probesOf,
  type Reader,
  readingOf,
  type Source,
  toCommonForm,
  toRefusal,
  toShortest,
  varied,
} from './reading.ts';

const readUnknownStatusFilter: Reader = (source) => {
  const shown = [...probesOf(source, 'unknown-status-filter').values()].flat();
  const lists = shown.filter(isList);
  if (lists.length === 0) return toRefusal(shown);
  if (lists.length < shown.length) return varied(shown);
  if (isStoreEmpty(source)) return { shown, reason: 'there was nothing to list' };
  const counts = lists.map(countOf);
  if (counts.every((count) => count === 0)) return { answer: 'empty-list', shown };
  const isWhole = counts.every((count) => count >= shortestPage(source));
  if (isWhole) return { answer: 'ignored', shown };
  return { shown, reason: 'it lists some items, and fewer than without the filter' };
};

/** How many items a list without parameters has at least. */
function shortestPage({ transcript }: Source): number {
  const plain = answeredFor(transcript, 'list').filter(
    ({ case: { purpose }, response }) =>
      purpose.limit === undefined &&
      Object.keys(purpose.filters).length === 0 &&
      response.status === 200,
  );
  return plain.length === 0 ? 1 : Math.min(...plain.map(countOf));
}

function isStoreEmpty({ transcript }: Source): boolean {
  const lists = answeredFor(transcript, 'list').filter(
    ({ case: { purpose } }) => Object.keys(purpose.filters).length === 0,
  );
  return lists.every((list) => countOf(list) === 0);
}

const readUnknownQueryParameter: Reader = (source) => {
  const shown = [...probesOf(source, 'unknown-query-parameter').values()].flat();
  const isIgnored = shown.every(isList);
  return isIgnored ? { answer: 'ignored', shown } : toRefusal(shown);
};

type Compare = (left: unknown, right: unknown) => number;

const readListOrder: Reader = (source) => {
  const { resource } = source;
  const lists = answeredFor(source.transcript, 'list').filter(
    (list) => list.response.status === 200 && countOf(list) > 2,
  );
  if (lists.length === 0) return undefined;
  const shown = lists.slice(0, 40);
  const items = shown.map(itemsIn);
  const { idProperty } = resource;
  const byAge = orderOfCreation(source, items);
  const isSorted = (sign: 1 | -1) =>
    items.every((list) => isInOrder(list.map(toId(idProperty)), sign));
  if (byAge === 1) return { answer: 'oldest-first', shown };
  if (byAge === -1) return { answer: 'newest-first', shown };
  // Where too few created items were listed, later ones have the larger ids.
  if (byAge === undefined && isSorted(1)) return { answer: 'oldest-first', shown };
  if (byAge === undefined && isSorted(-1)) return { answer: 'newest-first', shown };
  return { shown, reason: 'the lists have no order that the mock could follow' };
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
    .map((create) => ({
      id: idOf(itemIn(create), idProperty),
      sentAt: create.sentAt,
      endedAt: create.endedAt,
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

/** Gives the id of an item; as text, the id "10" sorts before "9". */
function toId(idProperty: string): (item: Item) => unknown {
  return (item) => {
    const value = valueAt(item, idProperty);
    return typeof value === 'string' && /^-?\d{1,1000}$/.test(value) ? BigInt(value) : value;
  };
}

const compare: Compare = (left, right) => {
  const isText = typeof left === 'string' && typeof right === 'string';
  if (!isText && !(isNumber(left) && isNumber(right))) return Number.NaN;
  return (left as number) < (right as number) ? -1 : left === right ? 0 : 1;
};

type Bounds = { min: number; max: number; default: number };

/** Returns what is wrong with a page size, by its text. */
function faultOf(text: string, { min }: Bounds): string {
  if (text === '0' && min > 0) return 'zero';
  if (!/^-?\d+$/.test(text)) return 'text';
  return Number(text) < min ? 'below' : 'above';
}

/** Ways to treat a page size out of range, each with the resulting page size. */
const meanings: Readonly<Record<string, (text: string, bounds: Bounds) => number>> = {
  clamped: (text, { min, max }) => Math.min(max, Math.max(min, Number(text))),
  ignored: (_, bounds) => bounds.default,
  'empty-list': () => 0,
};

const readLimitOutOfRange: Reader = (source) => {
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
  const byFault = Map.groupBy(probes, ({ request }) => faultOf(textOf(request.path), bounds));
  for (const [fault, shown] of byFault) {
    const listed = shown.filter(isList);
    const sizesBy = (name: string) =>
      listed.map((one) => meanings[name]?.(textOf(one.request.path), bounds) ?? 0);
    const fits = (name: string) =>
      sizesBy(name).every((expected, index) => {
        const length = countOf(listed[index] as Answer);
        return length >= Math.min(expected, fewest) && length <= Math.min(expected, all);
      });
    // Without a number, nothing can be clamped.
    const names = Object.keys(meanings).filter((name) => name !== 'clamped' || fault !== 'text');
    const [meaning, ...others] = names.filter(fits);
    const form = listed.length === 0 ? toCommonForm(shown) : undefined;
    if (form && form.status >= 400) answers[fault] = toShortest(form);
    else if (listed.length === shown.length && meaning !== undefined) {
      const rival = others.find((other) => `${sizesBy(other)}` !== `${sizesBy(meaning)}`);
      if (rival)
        reasons.push(`${fault}: too few items are listed to tell ${meaning} from ${rival}`);
      else answers[fault] = meaning;
    } else reasons.push(`${fault}: ${varied(shown).reason}`);
  }
  return readingOf(answers, { shown: probes, reasons });
};

function textOf(path: string): string {
  return unescaped(path.split('=').at(-1) ?? '');
}

/** Readers of lists, by silence. */
export const listReaders: Readonly<Record<string, Reader>> = {
  'unknown-status-filter': readUnknownStatusFilter,
  'unknown-query-parameter': readUnknownQueryParameter,
  'list-order': readListOrder,
  'limit-out-of-range': readLimitOutOfRange,
};
