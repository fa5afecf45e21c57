import { isSame } from '../../common/json.ts';
import { rowOf } from '../../openapi/model/kinds.ts';
import type { ListRules } from '../../openapi/model/lists.ts';
import type { Difference } from '../fidelity/compare-answers.ts';
import { byOperation, confidenceOf, type Line, toLine } from './lines.ts';
import { fileOf, type Item, isSuccess, itemsIn, type Observation } from './observe.ts';

/** Learns the order of lists: by the property that all lists of an operation are ordered by. */
export function learnOrders(all: readonly Observation[]): Line[] {
  const created = createdIn(all);
  return listsIn(all).flatMap((seen): Line[] => {
    // Ids of another form say nothing of the order.
    const isOfOrder = ({ kind, at }: Difference) =>
      ['order', 'missing item', 'extra item'].includes(kind) ||
      (kind === 'value' && /\/\d+\/id$/.test(at));
    const isWrong = seen.some(({ replayed }) => replayed.differences.some(isOfOrder));
    const [{ operation, resource }] = seen;
    const lists = seen.map(({ call, replayed }) => ({
      items: itemsIn(replayed.response.json, operation),
      numbers: created.get(fileOf(call)) ?? new Map<string, number>(),
    }));
    const shown = lists.flatMap(({ items }) => (items.length > 1 ? [items] : []));
    const idProperty = resource?.idProperty ?? 'id';
    const numbersOf = ({ items, numbers }: (typeof lists)[number]) =>
      items.map((item) => numbers.get(String(item[idProperty])) ?? 0);
    const isInOrder = (
      all: readonly (readonly number[])[],
      isNext: (one: number, before: number) => boolean,
    ) =>
      all.some((known) => new Set(known).size > 1) &&
      all.every((known) => known.every((one, at) => at === 0 || isNext(one, known[at - 1] ?? 0)));
    const numbered = lists.map(numbersOf);
    // What a recording did not create is older than what it created.
    const isNewestFirst = isInOrder(numbered, (one, before) => one <= before);
    // The mock lists items as they were made.
    const ofNew = numbered.map((known) => known.filter((one) => one > 0));
    const isAsMade = isInOrder(ofNew, (one, before) => one > before) && !seen.some(isOfOtherOrder);
    const byProperty = () => findOrder(shown, idProperty);
    const order =
      isWrong && !isAsMade ? (isNewestFirst ? 'newest-first' : byProperty()) : undefined;
    if (order === undefined) return [];
    const line = { operation, rule: ['order'], value: order };
    return [toLine(seen, line, confidenceOf(shown.length))];
  });
}

/** The lists that succeeded, by their operations. */
function listsIn(all: readonly Observation[]) {
  return byOperation(all.filter((one) => one.operation.kind === 'list' && isSuccess(one)));
}

function isOfOtherOrder({ replayed: { differences } }: Observation): boolean {
  return differences.some(({ kind }) => kind === 'order');
}

/** Learns which member of its items a list compares with a parameter of its path or query. */
export function learnFilters(all: readonly Observation[]): Line[] {
  return listsIn(all).flatMap((own): Line[] => {
    const isWrong = own.some(({ replayed }) =>
      replayed.differences.some(({ kind }) => kind === 'extra item'),
    );
    const [{ operation }] = own;
    if (!isWrong) return [];
    const names = new Set(
      own.flatMap(({ path, query }) => [
        ...Object.keys(path).map((name) => `path.${name}`),
        ...Object.keys(query).map((name) => `query.${name}`),
      ]),
    );
    for (const name of names) {
      const seen = own.filter((one) => parameterOf(one, name) !== undefined);
      const members = new Set(seen.flatMap(({ others }) => others.flatMap(Object.keys)));
      for (const member of members) {
        const isOf = (item: Item, one: Observation) =>
          String(item[member]) === parameterOf(one, name);
        const isFilter = seen.every(
          (one) =>
            one.shown.every(({ item }) => isOf(item, one)) &&
            !one.unshown.some((item) => isOf(item, one)),
        );
        const left = seen.filter(({ unshown }) => unshown.length > 0);
        // Of lists that show nothing, anything could be said.
        const isShown = seen.some(({ shown }) => shown.length > 0);
        if (isFilter && isShown && left.length > 0)
          return [toLine(left, { operation, rule: ['filters', member], value: `{${name}}` })];
      }
    }
    return [];
  });
}

/** Learns which parameters of pages lists ignore, and where keys of idempotency have no effect. */
export function learnIgnored(all: readonly Observation[]): Line[] {
  return byOperation(all.filter(isSuccess)).flatMap((seen): Line[] => {
    const [{ operation }] = seen;
    const { names, own } = operation.listRules
      ? findIgnoredPages(seen, operation.listRules)
      : { names: ['Idempotency-Key'], own: findRepeated(seen) };
    return own.length > 0 ? [toLine(own, { operation, rule: ['ignores'], value: names })] : [];
  });
}

/** Finds lists with more items than their query asks for, if none is a page, and all parameters of their pages. */
function findIgnoredPages(seen: readonly Observation[], { pageSize, paging }: ListRules) {
  const name = pageSize?.name ?? '';
  const sizeOf = ({ query }: Observation) => Number(query[name]);
  const isPage = (one: Observation) => one.shown.length === sizeOf(one) && one.unshown.length > 0;
  // A size of 0 often asks for the default.
  const own = seen.filter((one) => sizeOf(one) > 0 && one.shown.length > sizeOf(one));
  const names = [name, ...paging.map(({ parameter }) => parameter)];
  return { names, own: seen.some(isPage) ? [] : own };
}

/** Finds calls that repeat a key of idempotency, if all were answered otherwise than the first with it. */
function findRepeated(seen: readonly Observation[]): Observation[] {
  const keyOf = ({ replayed: { request }, call }: Observation) => {
    const { method, url, headers } = request;
    const [, key] = headers.find(([name]) => /^idempotency-key$/i.test(name)) ?? [];
    return ['POST', 'PATCH'].includes(method) && key ? `${fileOf(call)} ${url} ${key}` : undefined;
  };
  const keyed = Map.groupBy(seen.filter(keyOf), keyOf);
  const repeated = [...keyed.values()].flatMap(([first, ...others]) =>
    others.flatMap((one) => (one.after ? { one, isLike: isSame(one.after, first?.after) } : [])),
  );
  return repeated.some(({ isLike }) => isLike) ? [] : repeated.map(({ one }) => one);
}

function parameterOf({ path, query }: Observation, name: string): string | undefined {
  const [space, ...keys] = name.split('.');
  return (space === 'path' ? path : query)[keys.join('.')];
}

/** The number of each item that recordings created, in the order of creation, by the recording and the id. */
function createdIn(all: readonly Observation[]): Map<string, Map<string, number>> {
  const created = new Map<string, Map<string, number>>();
  for (const { call, operation, resource, after } of all) {
    if (!rowOf(operation.kind).adds || !after || !resource) continue;
    const numbers = created.get(fileOf(call)) ?? new Map<string, number>();
    numbers.set(String(after[resource.idProperty]), numbers.size + 1);
    created.set(fileOf(call), numbers);
  }
  return created;
}

/** Finds the property that orders all lists, the id first. */
function findOrder(lists: readonly (readonly Item[])[], idProperty: string): string | undefined {
  const [names = []] = lists.map(([item = {}]) => Object.keys(item));
  return [idProperty, ...names]
    .flatMap((name) => [name, `-${name}`])
    .find((order) => lists.every((list) => isOrderedBy(list, order)));
}

function isOrderedBy(list: readonly Item[], order: string): boolean {
  const name = order.replace(/^-/, '');
  const values = list.map((item) => item[name]);
  if (!values.every((one) => typeof one === 'string' || typeof one === 'number')) return false;
  const sorted = values.toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0));
  const expected = order.startsWith('-') ? sorted.toReversed() : sorted;
  return new Set(values).size > 1 && isSame(values, expected);
}
