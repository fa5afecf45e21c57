import { isObject } from '../../common/json.ts';
import { isOnCollection } from '../../openapi/model/kinds.ts';
import { toKey } from '../../openapi/model/operation.ts';
import { itemPathsOf } from '../../openapi/model/placements.ts';
import { confidenceOf, type Line } from './lines.ts';
import { fileOf, type Item, type Observation } from './observe.ts';

/** Holds an item at two times that it was shown, and what happened below it meanwhile. */
type Span = {
  before: Item;
  after: Item;
  below: readonly Observation[];
  differing: readonly string[];
};

/** Learns what creates and deletes below an item do to it: they count, up or down. */
export function learnParents(all: readonly Observation[]): Line[] {
  const spans = findSpans(all).filter(({ below }) => below.length > 0);
  const members = new Set(spans.flatMap(({ differing }) => differing));
  return [...members].flatMap((name) => learnCount(name, spans));
}

/** Finds the spans of items in which nothing changed them directly. */
function findSpans(all: readonly Observation[]): Span[] {
  const open = new Map<string, { before: Item; below: Observation[] }>();
  const spans: Span[] = [];
  for (const one of all) {
    const { operation, replayed, after, differing = [] } = one;
    if (replayed.response.status >= 300) continue;
    const file = fileOf(one.call);
    const { path } = replayed;
    const isWrite = !['GET', 'HEAD'].includes(operation.method);
    for (const [place, { below }] of open)
      if (isWrite && `${file} ${path}`.startsWith(`${place}/`)) below.push(one);
    const isOfItem =
      !isOnCollection(operation.kind) && itemPathsOf(operation.path).at(-1) === operation.path;
    if (!isOfItem || !after) continue;
    const place = `${file} ${path}`;
    const before = open.get(place);
    if (before && !isWrite) spans.push({ ...before, after, differing });
    open.set(place, { before: after, below: [] });
  }
  return spans;
}

/** Learns by how much each operation below an item changes a number of it. */
function learnCount(name: string, spans: readonly Span[]): Line[] {
  const counted = spans.filter(({ before, after }) =>
    [before, after].every((item) => isObject(item) && typeof item[name] === 'number'),
  );
  const alone = counted.filter(({ below }) => new Set(below.map(keyOf)).size === 1);
  const byOperation = Map.groupBy(alone, ({ below }) => keyOf(below[0] as Observation));
  return [...byOperation.values()].flatMap((seen): Line[] => {
    const steps = new Set(
      seen.map(
        ({ before, after, below }) => (Number(after[name]) - Number(before[name])) / below.length,
      ),
    );
    const [step = 0] = steps;
    const operation = seen[0]?.below[0]?.operation;
    if (steps.size !== 1 || !operation || ![1, -1].includes(step)) return [];
    const calls = seen.flatMap(({ below }) => below.map(({ call }) => call));
    return [
      {
        ...{ operation, rule: ['parent', name], value: `{${name} ${step > 0 ? '+' : '-'} 1}` },
        ...{ calls, of: calls.length },
        confidence: confidenceOf(seen.length),
      },
    ];
  });
}

function keyOf({ operation }: Observation): string {
  return toKey(operation);
}
