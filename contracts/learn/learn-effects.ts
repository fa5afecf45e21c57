import { isSame } from '../../common/json.ts';
import { valueAt } from '../../common/property-path.ts';
import { explainValue } from './explain-value.ts';
import { type LearnOptions, toScope } from './learn-members.ts';
import { byOperation, type Line, toLine } from './lines.ts';
import { createKeep } from './may-keep.ts';
import { type Item, isSuccess, type Observation } from './observe.ts';

/** Learns whose secrets are credentials, what becomes of deleted items, and of those that refer to them. */
export function learnEffects(all: readonly Observation[], options: LearnOptions): Line[] {
  const deletes = all.filter(({ operation, later }) => operation.kind === 'delete' && later);
  return [
    ...learnKeys(all),
    ...byOperation(deletes).flatMap((seen) => learnKept(seen, options)),
    ...learnRemoved(all),
  ];
}

/** Learns which members of items are credentials of calls. */
function learnKeys(all: readonly Observation[]): Line[] {
  const callers = all.filter(({ caller, replayed }) => caller && replayed.outcome !== 'refusal');
  const byPath = Map.groupBy(callers, ({ caller }) => caller?.path ?? '');
  return [...byPath].map(([path, seen]) =>
    toLine(seen, { rule: ['keys', path], value: seen[0]?.caller?.member }),
  );
}

/** Learns what a deleted item is shown as: by nothing, or with other members. */
function learnKept(
  seen: readonly [Observation, ...Observation[]],
  { keepValues }: LearnOptions,
): Line[] {
  const [{ operation, resource }] = seen;
  const later = seen.flatMap((one) => one.later ?? []);
  const isWrong = later.some((one) => isSuccess(one) !== (one.replayed.twinOutcome === 'success'));
  if (!isWrong) return [];
  if (!later.some(isSuccess)) return [toLine(seen, { operation, rule: ['keeps'], value: false })];
  if (!later.every((one) => isSuccess(one) && one.after)) return [];
  const pairs = seen.flatMap((one) =>
    one.before && one.later?.after ? [{ one, before: one.before, after: one.later.after }] : [],
  );
  const names = new Set(pairs.flatMap(({ before, after }) => Object.keys({ ...before, ...after })));
  return [...names].flatMap((name) => {
    if (pairs.every(({ before, after }) => isSame(before[name], after[name]))) return [];
    const given = pairs.map(({ one, after }) => ({
      value: after[name],
      scope: toScope(one, one.before),
    }));
    const schema = resource?.item.properties[name];
    const found = explainValue(given, {
      name,
      mayKeep: createKeep(seen, { name, schema, keepValues }),
    });
    return found
      ? [toLine(seen, { operation, rule: ['keeps', name], value: found.expression })]
      : [];
  });
}

/** Learns which items go with one that they refer to: lists do not show them from then on. */
function learnRemoved(all: readonly Observation[]): Line[] {
  const lists = all.filter(
    ({ replayed, unshown, deleted }) =>
      unshown.length > 0 &&
      deleted.length > 0 &&
      replayed.differences.some(({ kind }) => kind === 'extra item'),
  );
  const byPath = Map.groupBy(lists, ({ resource }) => resource?.path ?? '');
  return [...byPath].flatMap(([path, seen]) => {
    const operations = new Set(seen.flatMap(({ deleted }) => deleted.map((one) => one.operation)));
    const members = new Set(seen.flatMap(({ unshown }) => unshown.flatMap(Object.keys)));
    return [...operations].flatMap((operation): Line[] => {
      const isOfGone = ({ deleted }: Observation, member: string) => {
        const gone = deleted.filter((one) => one.operation === operation).map(idOf);
        return (item: Item) => gone.some((id) => id !== undefined && isSame(id, item[member]));
      };
      const explained = (one: Observation, name: string) =>
        one.unshown.filter(isOfGone(one, name)).length;
      const isFree = (name: string) =>
        !seen.some((one) => one.shown.map(({ item }) => item).some(isOfGone(one, name)));
      // Its own id is like that of another item by chance.
      const [member] = [...members]
        .filter((name) => name !== seen[0]?.resource?.idProperty && isFree(name))
        .map((name) => ({ name, of: seen.reduce((sum, one) => sum + explained(one, name), 0) }))
        .toSorted((left, right) => right.of - left.of)
        .flatMap(({ name, of }) => (of > 0 ? [name] : []));
      if (member === undefined) return [];
      const own = seen.filter((one) => explained(one, member) > 0);
      return [toLine(own, { operation, rule: ['removes', path], value: member })];
    });
  });
}

/** The id of an item that was deleted. */
function idOf({ before, resource }: Observation): unknown {
  return before && resource && valueAt(before, resource.idProperty);
}
