import type { Histories, History } from './histories.ts';

/** How many items must change in the same way at once where somebody else might change one. */
const minAtOnce = 3;

/**
 * The items that another client may have changed or removed: each state was seen in one period
 * only, and no fresh item changed in the same way. A deployment that changes items by itself does
 * so again. In traffic, only what changes a moment after the create of most items is its doing.
 */
export function changedByOthers({ items, isTraffic }: Histories): Map<string, History> {
  const all = [...items.values()];
  const fresh = all.filter(({ isFresh }) => isFresh);
  const soon = all.flatMap(({ movesAtOnce }) => (movesAtOnce ? [movesAtOnce] : []));
  const isSoon = (move: string) => {
    const moved = soon.filter((moves) => moves.includes(move)).length;
    return moved >= minAtOnce && moved > soon.length / 2;
  };
  const isRepeated = (move: string) =>
    fresh.filter(({ moves }) => moves.includes(move)).length > 1 ||
    all.filter(({ moves }) => moves.includes(move)).length > all.length / 2;
  const repeated = new Map<string, boolean>();
  const isOfDeployment = (move: string) => {
    const known = repeated.get(move) ?? (isTraffic ? isSoon(move) : isRepeated(move));
    repeated.set(move, known);
    return known;
  };
  return new Map(
    all
      .filter(
        ({ moves, isOrderly, isReborn }) =>
          (isTraffic && isReborn) || (moves.length > 0 && isOrderly && !moves.some(isOfDeployment)),
      )
      .map((history) => [history.id, history]),
  );
}
