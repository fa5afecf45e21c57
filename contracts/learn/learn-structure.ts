import { isObject, membersOf } from '../../common/json.ts';
import { unescaped } from '../../common/path-template.ts';
import { valueAt, valueIn } from '../../common/property-path.ts';
import type { Api } from '../../openapi/index.ts';
import { describes } from '../../openapi/model/describes.ts';
import { placementsOf } from '../../openapi/model/placements.ts';
import { compileAnswer } from '../transcript/schema/validator.ts';
import { toNewId } from './learn-members.ts';
import { byOperation, type Line, toLine } from './lines.ts';
import { fileOf, type Item, isSuccess, type Observation } from './observe.ts';

/**
 * Learns what a mock has to know before anything else makes sense: which operations create items, what
 * else names these, and which members they have.
 */
export function learnStructure(all: readonly Observation[], document: Api): Line[] {
  return [
    ...learnCreates(all),
    ...learnDeletions(all),
    ...learnAliases(all),
    ...learnUndescribed(all, document),
  ];
}

/** Learns which stateless deletions at the path of a list delete all items that it shows. */
function learnDeletions(all: readonly Observation[]): Line[] {
  return statelessIn(all, 'DELETE').flatMap((own) => {
    const lists = own.flatMap((one) => {
      const isNextList = (next: Observation) =>
        next.operation.kind === 'list' &&
        isSuccess(next) &&
        next.replayed.path === one.replayed.path &&
        fileOf(next.call) === fileOf(one.call);
      return all.slice(all.indexOf(one)).find(isNextList) ?? [];
    });
    const isEmptied = lists.every(({ shown }) => shown.length === 0);
    const [{ operation }] = own;
    if (!isEmptied || !lists.some(({ unshown }) => unshown.length > 0)) return [];
    return [toLine(own, { operation, rule: ['kind'], value: 'deleteMany' })];
  });
}

/** The calls that succeeded of operations of which the mock keeps nothing, by these. */
function statelessIn(all: readonly Observation[], method: string) {
  const isStateless = ({ operation: { kind, actsOn, singleton } }: Observation) =>
    (kind ?? actsOn ?? singleton) === undefined;
  return byOperation(
    all.filter((one) => one.operation.method === method && isStateless(one) && isSuccess(one)),
  );
}

/** Learns which stateless operations create what is read below their paths from then on. */
function learnCreates(all: readonly Observation[]): Line[] {
  return statelessIn(all, 'POST').flatMap((seen) => {
    const [first] = seen;
    const { operation } = first;
    const read = seen.flatMap((one) => ({ one, ids: idsBelow(one, all) }));
    // Only some of what is created is read, but ids differ.
    const nameIn = (of: (one: Observation) => unknown) => {
      const textAt = (one: Observation, name: string) => String(valueIn(of(one), [name]));
      return Object.keys(membersOf(of(first)) ?? {}).find(
        (name) =>
          read.some(({ one, ids }) => ids.has(textAt(one, name))) &&
          new Set(seen.map((one) => fileOf(one.call) + textAt(one, name))).size === seen.length,
      );
    };
    const shown = nameIn(({ after }) => after);
    if (shown !== undefined && !operation.besides) return toNewId(seen, shown);
    const isCreate = shown !== undefined || nameIn(({ body }) => body) !== undefined;
    if (!isCreate || !operation.besides) return [];
    return [toLine(seen, { operation, rule: ['kind'], value: 'create' })];
  });
}

/** The ids by which items below the path of a call were read later on, without an ending such as `.json`. */
function idsBelow(one: Observation, all: readonly Observation[]): Set<string> {
  const { path } = one.replayed;
  const [ending = ''] = /\.\w+$/.exec(path) ?? [];
  const start = `${path.slice(0, path.length - ending.length)}/`;
  const ids = all.slice(all.indexOf(one) + 1).flatMap(({ call, operation, replayed }) => {
    const isRead = operation.method === 'GET' && replayed.outcome === 'success';
    const isBelow = replayed.path.startsWith(start) && replayed.path.endsWith(ending);
    if (!isRead || !isBelow || fileOf(call) !== fileOf(one.call)) return [];
    return unescaped(replayed.path.slice(start.length, replayed.path.length - ending.length));
  });
  return new Set(ids);
}

/** Learns by which other member paths name items, where these have an id, too. */
function learnAliases(all: readonly Observation[]): Line[] {
  const reads = all.filter(({ operation: { kind }, after }) => kind === 'read' && after);
  return [...Map.groupBy(reads, ({ resource }) => resource)].flatMap(([resource, own]): Line[] => {
    if (!resource || placementsOf(resource).some(({ key }) => key !== undefined)) return [];
    const given = ({ path }: Observation) => Object.values(path).at(-1);
    const seen = own.filter((one) => String(one.after?.[resource.idProperty]) !== given(one));
    const names = seen.flatMap((one) =>
      namesOf(one.after ?? {}).filter((name) => valueAt(one.after, name) === given(one)),
    );
    // A word such as `me` names an item, too.
    const [best] = [...Map.groupBy(names, (name) => name)].toSorted(
      ([, left], [, right]) => right.length - left.length,
    );
    const [name, times = []] = best ?? [];
    if (name === undefined || !seen[0] || times.length < Math.min(2, seen.length)) return [];
    // An id that no item shows was only supposed.
    return own.some(({ after }) => after && Object.hasOwn(after, resource.idProperty))
      ? [toLine(seen, { rule: ['aliases', resource.path], value: name })]
      : [toLine(seen, { operation: seen[0].operation, rule: ['id'], value: name })];
  });
}

/** The names of the members of an item, and of those in its objects. */
function namesOf(item: Item): string[] {
  return Object.entries(item).flatMap(([name, value]) =>
    isObject(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : [name],
  );
}

/** Learns which members items have that the document does not describe, or does not let be `null`. */
function learnUndescribed(all: readonly Observation[], document: Api): Line[] {
  const known = all.filter(
    ({ operation, resource, shown }) =>
      operation.kind !== 'delete' && resource && !resource.isOpen && shown.length > 0,
  );
  return [...Map.groupBy(known, ({ resource }) => resource)].flatMap(([resource, seen]): Line[] => {
    const names = new Set(
      seen.flatMap(({ shown }) => shown.flatMap(({ item }) => Object.keys(item))),
    );
    const refused = [...names].filter((name) => {
      const schema = resource?.item.properties[name];
      return seen.some(({ shown }) =>
        shown.some(
          ({ item: { [name]: value }, differing }) =>
            differing.includes(name) &&
            (value === null || typeof value === 'string') &&
            schema !== undefined &&
            compileAnswer(document, schema)(value).length > 0,
        ),
      );
    });
    const others = [...names].filter(
      (one) => refused.includes(one) || (resource && !describes(resource.item, one)),
    );
    const own = seen.filter(({ shown }) =>
      shown.some(({ item }) => others.some((one) => Object.hasOwn(item, one))),
    );
    if (!resource || own.length === 0) return [];
    return [toLine(own, { rule: ['members', resource.path], value: others })];
  });
}
