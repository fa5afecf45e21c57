import { expect, it } from 'vitest';
import { nearestName } from '../../common/cli/nearest-name.ts';

it.each([
  ['sepc', 'spec'],
  ['SPEC', 'spec'],
  ['specs', 'spec'],
  ['swarm', undefined],
])('takes %s for %s', (mistyped, meant) => {
  expect(nearestName(mistyped, ['seed', 'spec', 'port'])).toBe(meant);
});
