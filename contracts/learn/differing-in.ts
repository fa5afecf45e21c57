import type { Operation } from '../../openapi/index.ts';
import type { Replay } from '../fidelity/replay.ts';

/** Names the members in which the items of an answer differ, by their places in a list. */
export function differingIn(
  { differences, outcome, twinOutcome }: Replay,
  operation: Operation,
): Map<string, string[]> {
  const { itemsAt = [] } = operation;
  const found = new Map<string, string[]>();
  if (outcome !== 'success' || twinOutcome !== 'success') return found;
  const start = [...itemsAt.map((one) => `/${one}`), '/'].join('');
  for (const { kind: one, at } of differences) {
    if (!memberKinds.has(one) || !at.startsWith(start)) continue;
    const keys = at.slice(start.length).split('/');
    const index = showsSeveral(operation) ? (keys.shift() ?? '') : '';
    const inList = keys.findIndex((key) => /^\d+$/.test(key));
    const path = inList < 0 ? keys : keys.slice(0, inList);
    if (path.length === 0 || !path.every((key) => /^[\w$@-]+$/.test(key))) continue;
    const names = found.get(index) ?? [];
    found.set(index, names);
    names.push(path.join('.'));
  }
  return found;
}

/** Whether answers of an operation show several items. */
export function showsSeveral({ kind }: Operation): boolean {
  return kind === 'list' || kind === 'createMany' || kind === 'deleteMany';
}

const memberKinds = new Set(['missing member', 'extra member', 'type', 'form', 'value']);
