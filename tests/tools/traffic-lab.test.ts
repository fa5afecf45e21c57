import { expect, it } from 'vitest';
import { broken } from '../../tools/lab/broken.ts';
import { fair } from '../../tools/lab/fair.ts';
import { judgeTraffic } from '../../tools/lab/traffic/judge-traffic.ts';

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
