import { expect, it } from 'vitest';
import { toDeepMembers } from '../../../mock/http/parameters/text-tree.ts';

it('reads brackets that hold 20 others, and no more', () => {
  const nested = (count: number) => toDeepMembers([['[a]'.repeat(count), 'x']]);
  const depthOf = (tree: unknown): number =>
    typeof tree === 'object' && tree !== null ? 1 + depthOf(Object.values(tree)[0]) : 0;
  expect(depthOf(nested(21))).toBe(21);
  expect(nested(22)).toBeUndefined();
});
