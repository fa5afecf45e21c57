import { expect, it } from 'vitest';
import { supportOf } from '../support/needed-tools.ts';

const tools = ['browser.ts', 'balancer-command.ts', 'redis-command.ts'];
const neededBy = (...filters: string[]) => {
  const support = supportOf(filters);
  return tools.filter((tool) => support.has(tool));
};

it('needs all programs for all tests, and none for a test that starts none', () => {
  expect(neededBy()).toEqual(tools);
  expect(neededBy('tests/house/needed-tools.test.ts')).toEqual([]);
});

it('needs those that the chosen tests start', () => {
  expect(neededBy('reference.browser')).toContain('browser.ts');
  expect(neededBy('redis')).toContain('redis-command.ts');
  expect(neededBy('tests/contracts/report/')).not.toContain('balancer-command.ts');
});
