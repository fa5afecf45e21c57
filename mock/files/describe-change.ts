import { isDeepStrictEqual } from 'node:util';
import type { Served } from '../served.ts';

/** Names what changed in what is served, one phrase each. */
export function describeChange(before: Served, after: Served): string[] {
  const arePinsNew = before.pins !== after.pins;
  const isDocumentNew = before.document.exact !== after.document.exact;
  const changes = {
    // Pins are part of the document that is served.
    'the document': isDocumentNew && !(arePinsNew && hasSameOperations(before, after)),
    pins: arePinsNew,
    plans: before.policy !== after.policy,
    keys: !isDeepStrictEqual(before.keys.map(toOwn), after.keys.map(toOwn)),
    'the data': before.data !== after.data,
  };
  const named = Object.entries(after.namedItems)
    .filter(([name, text]) => text !== (before.namedItems[name] ?? '[]'))
    .map(([name]) => `named items of ${name}`);
  return [...Object.entries(changes).flatMap(([name, is]) => (is ? [name] : [])), ...named];
}

function hasSameOperations(before: Served, after: Served): boolean {
  return isDeepStrictEqual(before.document.operations, after.document.operations);
}

/** Each key carries the figures of its plan, which are no change of the key. */
function toOwn({ plan, ...key }: Served['keys'][number]): object {
  return { ...key, plan: plan.name };
}
