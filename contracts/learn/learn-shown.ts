import { isSame } from '../../common/json.ts';
import { valueIn } from '../../common/property-path.ts';
import type { Operation } from '../../openapi/index.ts';
import { describes } from '../../openapi/model/describes.ts';
import { type Explanation, explainsAll, explainValue, type Sample } from './explain-value.ts';
import { type LearnOptions, toScope, without } from './learn-members.ts';
import { byOperation, confidenceOf, type Line, toLine } from './lines.ts';
import { createKeep, isEmpty } from './may-keep.ts';
import { fileOf, type Item, isSuccess, type Observation } from './observe.ts';

/**
 * Learns what answers show otherwise than the items are: members that an operation leaves out or
 * changes in each item, and members of lists beside their items.
 */
export function learnShown(all: readonly Observation[], options: LearnOptions): Line[] {
  const reads = all.filter(
    (one) =>
      (one.operation.method === 'GET' || one.operation.kind === 'deleteMany') && isSuccess(one),
  );
  return byOperation(reads).flatMap((seen) => {
    const [{ operation, resource }] = seen;
    if (!operation.kind) return [];
    const isAnswered = all.some((one) => one.answer !== undefined && one.resource === resource);
    return [
      ...learnItems(seen, { ...options, isAnswered }),
      ...learnAround(seen, operation, options),
    ];
  });
}

/** Learns members of items that one operation shows otherwise than others do. */
function learnItems(
  seen: readonly Observation[],
  // Whether a change shows items, too, so that they may be stored as answers show them.
  { isAnswered, ...options }: LearnOptions & { isAnswered: boolean },
): Line[] {
  const items = seen.flatMap((one) => one.shown.map((shown) => ({ one, ...shown })));
  const names = new Set(items.flatMap(({ differing }) => differing));
  return [...names].flatMap((name): Line[] => {
    const keys = name.split('.');
    const isOther = ({ item, elsewhere, known, differing }: (typeof items)[number]) => {
      const isLike = (one: Item) => isSame(valueIn(one, keys), valueIn(item, keys));
      // What the mock showed right before is stored right.
      const wasRight = known && isLike(known.item) && !known.differing.includes(name);
      return (elsewhere && !isLike(elsewhere)) || (wasRight && differing.includes(name));
    };
    // What the document does not describe is stored nowhere.
    const { isOpen, item: described } = seen[0]?.resource ?? {};
    const isUnknown = !isOpen && !(described && describes(described, keys[0] ?? ''));
    const isGone = seen[0]?.operation.kind === 'deleteMany';
    if (!isUnknown && !isGone && isAnswered && !items.some(isOther)) return [];
    const samples = items.map(
      ({ one, item }): Sample => ({
        value: valueIn(item, keys),
        scope: toScope({ ...one, before: undefined }, without(item, [name])),
      }),
    );
    return toLines(seen, ['shows', name], explainShown(samples, name, seen, options));
  });
}

/** Learns the members of the object that holds the items of a list. */
function learnAround(
  seen: readonly Observation[],
  operation: Operation,
  options: LearnOptions,
): Line[] {
  const { itemsAt = [], kind } = operation;
  if (!['list', 'read'].includes(kind ?? '') || itemsAt.length === 0) return [];
  const held = `/${itemsAt.join('/')}`;
  const places = seen.flatMap(({ replayed }) => replayed.differences.map(({ at }) => at));
  const names = places
    .filter((at) => at.startsWith('/') && !`${at}/`.startsWith(`${held}/`))
    .map((at) => at.slice(1).replaceAll('/', '.'));
  return [...new Set(names)].flatMap((name) => {
    const keys = name.split('.');
    const samples = seen.map((one): Sample => {
      const { json } = one.replayed.response;
      return {
        value: valueIn(json, keys),
        scope: toScope(one, without((json ?? {}) as Item, [name])),
      };
    });
    // A number of items is one for a list of any length.
    const count = `{count(${itemsAt.join('.')})}`;
    const found = explainsAll(count, samples)
      ? { expression: count, confidence: confidenceOf(samples.length) }
      : explainShown(samples, name, seen, options);
    const own = found ? seen : ofMainCaller(seen);
    if (own.length < seen.length) return learnAround(own, operation, options);
    return toLines(seen, ['values', name], found);
  });
}

/** The calls of the caller who calls most in each recording: others may be shown less. */
function ofMainCaller(seen: readonly Observation[]): Observation[] {
  return [...Map.groupBy(seen, ({ call }) => fileOf(call)).values()].flatMap((calls) => {
    const byCaller = [...Map.groupBy(calls, ({ credentials }) => credentials).values()];
    return byCaller.toSorted((left, right) => right.length - left.length)[0] ?? [];
  });
}

function explainShown(
  samples: readonly Sample[],
  path: string,
  seen: readonly Observation[],
  { keepValues }: LearnOptions,
): Explanation | undefined {
  const name = path.split('.').at(-1) ?? '';
  const keep = createKeep(seen, { name, keepValues });
  return explainValue(samples, {
    name,
    mayKeep: (value, count) => isEmpty(value) || (count > 1 && keep(value, count)),
  });
}

function toLines(
  seen: readonly Observation[],
  rule: readonly string[],
  found: Explanation | undefined,
): Line[] {
  const [first] = seen;
  if (!found || !first) return [];
  return [toLine(seen, { operation: first.operation, rule, value: found.expression })];
}
