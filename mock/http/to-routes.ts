import type { Operation } from '../../contracts/description/document.ts';

/**
 * Operations by the paths that a request can tell apart, in the order in which they are tried: a
 * concrete segment comes before one with a parameter, wherever they stand in the document.
 */
export function toRoutes(operations: readonly Operation[]): Operation[][] {
  const byTemplate = Map.groupBy(operations, ({ path }) => path.replace(/\{[^{}]*\}/g, '{}'));
  return [...byTemplate]
    .map(([template, ofTemplate]) => ({ rank: rankOf(template), ofTemplate }))
    .toSorted((left, right) => (left.rank < right.rank ? -1 : Number(left.rank > right.rank)))
    .map(({ ofTemplate }) => ofTemplate);
}

/** A digit for each segment: 0 a concrete one, 1 one with a parameter in it, 2 a mere parameter. */
function rankOf(template: string): string {
  const rank = (segment: string) => (segment === '{}' ? 2 : Number(segment.includes('{}')));
  return template.split('/').map(rank).join('');
}
