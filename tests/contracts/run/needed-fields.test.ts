import { expect, it } from 'vitest';
import { type Habits, startArticles, writeArticles } from '../../support/articles.ts';
import { verifyWrites } from '../../support/verify-writes.ts';

const title = { type: 'string' };
const properties = {
  ...{ title, kind: title, urgent: { type: 'boolean' } },
  author: { type: 'object', properties: { id: { type: 'integer' }, name: title } },
};

/** Verifies articles of which the deployment needs, or does not know, what is optional. */
async function verifyArticles(habits: Habits = {}) {
  const url = await startArticles(
    {
      properties: { ...properties, title: { ...title, maxLength: 80 }, author: { enum: [] } },
      required: ['title', 'kind'],
    },
    habits,
  );
  return verifyWrites(url, await writeArticles({ properties, required: ['title'] }));
}

it('finds out which fields a deployment needs, and changes what it creates with them', async () => {
  const report = await verifyArticles();
  const calls = Object.groupBy(report.operations, ({ id }) => id);
  expect(report.findings.filter(({ verdict }) => verdict === 'drift')).toEqual([]);
  expect([report.residue, report.leftAlone, report.notCalled]).toEqual([[], [], []]);
  expect(calls.patch?.[0]?.results.target?.calls).toBe(1);
});

it.each<[string, Habits, check: string]>([
  ['an update is not stored', { update: (stored) => stored }, 'merge-patch'],
  ['a deletion is not done', { remove: (stored) => stored }, 'deleted'],
  ['a text is not stored', { show: (article) => ({ ...article, kind: '' }) }, 'read-back'],
])('finds that %s where creates need more than the document says', async (_, habits, check) => {
  const report = await verifyArticles(habits);
  const drifts = report.findings.filter(({ verdict }) => verdict === 'drift');
  expect(drifts.map((one) => one.check)).toContain(check);
});
