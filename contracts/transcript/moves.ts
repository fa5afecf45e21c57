import { toJson } from '../../common/json.ts';
import type { Resource } from '../../openapi/index.ts';
import type { Item } from './items.ts';
import type { Sighting } from './sightings.ts';

/** How an item changed. */
export type Moves = {
  /** The properties that changed, or `gone`; empty where nothing did. */
  moves: string[];
  /** Whether each state was seen in one period only, as if another client changes an item. */
  isOrderly: boolean;
};

const gone = 'gone';

/**
 * Returns the changes between the states of an item, in the order of their first sighting, each
 * once.
 */
export function toMoves(
  sightings: readonly Sighting[],
  { item: { properties } }: Resource,
  isTraffic: boolean,
): Moves {
  const names = Object.keys(properties);
  const byLook = Map.groupBy(sightings, ({ look }) => (look ? textOfLook(look, names) : gone));
  const looks = [...byLook.values()]
    .map((seen) => ({
      look: seen[0]?.look,
      from: seen.reduce((first, { endedAt }) => Math.min(first, endedAt), Number.POSITIVE_INFINITY),
      until: seen.reduce((last, { sentAt }) => Math.max(last, sentAt), 0),
    }))
    .toSorted((left, right) => left.from - right.from);
  const pairs = looks.slice(1).map((next, index) => [looks[index] as typeof next, next] as const);
  const moves = pairs.flatMap(([{ look: before }, { look: after }]) =>
    before && after ? names.filter((name) => toJson(before[name]) !== toJson(after[name])) : [gone],
  );
  return {
    moves: [...new Set(moves)],
    isOrderly: isTraffic
      ? !isUnsteady(sightings, names)
      : pairs.every(([before, after]) => before.until < after.from),
  };
}

/** Returns the state of an item as text. */
function textOfLook(look: Item, names: readonly string[]): string {
  return names.map((name) => toJson(look[name])).join('\n');
}

/** How often an item must look as before again where others may change it, and come back. */
const minReturns = 3;
const minComebacks = 2;

/** Whether an item changes to and fro, more often than others may have changed it. */
function isUnsteady(sightings: readonly Sighting[], names: readonly string[]): boolean {
  const chain: { text: string; endedAt: number }[] = [];
  const before = new Set<string>();
  let [returns, comebacks] = [0, 0];
  for (const { look, sentAt, endedAt } of sightings.toSorted(
    (left, right) => left.endedAt - right.endedAt,
  )) {
    const text = look ? textOfLook(look, names) : gone;
    const last = chain.at(-1);
    if (last && (last.text === text || sentAt < last.endedAt)) continue;
    if (before.has(text)) returns += 1;
    if (before.has(text) && last?.text === gone) comebacks += 1;
    before.add(text);
    chain.push({ text, endedAt });
  }
  return returns >= minReturns || comebacks >= minComebacks;
}

/** How soon after a create nobody but the deployment changes an item, in milliseconds. */
const atOnce = 2000;

/**
 * Returns the properties that changed between a create and the next sighting. Undefined if none
 * followed soon.
 */
export function toMovesAtOnce(
  all: readonly Sighting[],
  createdAt: number | undefined,
  { item: { properties } }: Resource,
): string[] | undefined {
  const created = all.find(({ endedAt }) => endedAt === createdAt)?.look;
  const next = all
    .filter(({ look, sentAt }) => look && createdAt !== undefined && sentAt >= createdAt)
    .toSorted((left, right) => left.endedAt - right.endedAt)[0];
  const { look } = next ?? {};
  if (!created || !look || createdAt === undefined || (next?.endedAt ?? 0) > createdAt + atOnce)
    return undefined;
  return Object.keys(properties).filter((name) => toJson(created[name]) !== toJson(look[name]));
}
