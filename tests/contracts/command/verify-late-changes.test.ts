import { expect, it } from 'vitest';
import { type Habits, verifyArticles } from '../../support/articles.ts';
import { keptBy } from '../../support/verify-writes.ts';

const description = { properties: { title: { type: 'string' } }, required: ['title'] };

const verifyLate = (late: Habits['late'] & object) =>
  verifyArticles({ late, seeds: [{ title: 'first' }] }, description);

it('changes items of a deployment that finds new ones a moment later', async () => {
  const report = await verifyLate({ found: 300 });
  expect(report.findings).toEqual([]);
  expect(keptBy(report)).toEqual(expect.arrayContaining(['replaced', 'merge-patch', 'deleted']));
});

it('blames no deployment that can change new items only a moment later', async () => {
  const { findings } = await verifyLate({ changed: 300 });
  expect(findings).toEqual([]);
});
