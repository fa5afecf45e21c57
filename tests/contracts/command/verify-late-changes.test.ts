import { expect, it } from 'vitest';
import { type Habits, startArticles, writeArticles } from '../../support/articles.ts';
import { verifyWrites } from '../../support/verify-writes.ts';

/** Its documents do not list every status. */
const skip = ['described-status'];

const description = { properties: { title: { type: 'string' } }, required: ['title'] };

async function verifyLate(late: Habits['late'] & object) {
  const url = await startArticles(description, { late, seeds: [{ title: 'first' }] });
  const spec = await writeArticles(description);
  const { findings, clauses } = await verifyWrites(url, spec, { skip });
  const kept = clauses.filter(({ results }) => results.target?.verdict === 'kept');
  return { findings, kept: kept.map(({ id }) => id) };
}

it('changes items of a deployment that finds new ones a moment later', async () => {
  const { findings, kept } = await verifyLate({ found: 300 });
  expect(findings).toEqual([]);
  expect(kept).toEqual(expect.arrayContaining(['replaced', 'merge-patch', 'deleted']));
});

it('blames no deployment that can change new items only a moment later', async () => {
  const { findings } = await verifyLate({ changed: 300 });
  expect(findings).toEqual([]);
});
