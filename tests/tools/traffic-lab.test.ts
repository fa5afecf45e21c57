import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checks } from '../../contracts/checks/index.ts';
import { broken } from '../../tools/lab/broken.ts';
import { fair } from '../../tools/lab/fair.ts';
import { judgeTraffic } from '../../tools/lab/traffic/judge-traffic.ts';
import { readShownByTraffic, toShownTable } from '../../tools/lab/traffic/shown-by-traffic.ts';
import { projectFile } from '../support/twin.ts';

function rowOf(id: string): Parameters<typeof judgeTraffic> {
  const kind = id.startsWith('fair-') ? 'fair' : 'broken';
  const row = { broken, fair }[kind].find((one) => one.id === id);
  if (!row) throw new Error(`There is no row ${id}.`);
  return [row, kind];
}

it.each([
  'headers-plan-free-100',
  'list-limit-ignored',
  'list-filtered-20',
  'fair-true',
  'fair-two-second-window',
  'fair-parameter-before-the-key',
  'fair-ban-for-the-third-429',
])('judges what ordinary clients do with %s', async (id) => {
  const [row, kind] = rowOf(id);
  const { passing, recorded, calls } = await judgeTraffic(row, kind);
  expect(calls).toBeGreaterThan(200);
  expect({ passing, recorded }).toMatchObject({
    passing: { right: true },
    recorded: { right: true },
  });
});

it('documents of each check whether the calls of ordinary clients show it', async () => {
  const documented = readFileSync(projectFile('docs/checks.md'), 'utf8');
  for (const { id } of checks)
    expect(documented).toMatch(new RegExp(`^\\| \\[${id}\\]\\(#${id}\\) \\| yes \\| .+ \\|$`, 'm'));
  const shown = await readShownByTraffic();
  const rowOf = (id: string) =>
    toShownTable(shown.filter(({ check }) => check === id)).split('\n')[2] as string;
  for (const id of ['page-size', 'key-required', 'nested', 'retry-works'])
    expect(documented).toContain(rowOf(id));
});
