import { expect, it } from 'vitest';
import { type Habits, startArticles, writeArticles } from '../../support/articles.ts';
import { verifyWrites } from '../../support/verify-writes.ts';

/** Its documents do not list every status. */
const skip = ['described-status'];

const inQuery = (name: string, schema: object) => ({ name, in: 'query', schema });
const limit = inQuery('limit', { type: 'integer', minimum: 1, maximum: 3, default: 3 });
const offset = inQuery('offset', { type: 'integer', minimum: 0, default: 0 });

async function findIn(habits: Habits, parameters: readonly object[]) {
  const properties = { title: { type: 'string' }, note: { type: 'string' } };
  const description = { properties, required: ['title'], parameters };
  const url = await startArticles(description, { pageSize: 3, ...habits });
  const spec = await writeArticles(description);
  const report = await verifyWrites(url, spec, { skip });
  expect(report.residue).toEqual([]);
  return report.findings.map(({ check, verdict, message }) => ({ check, verdict, message }));
}

const listed = {
  check: 'deleted',
  verdict: 'standard',
  message: 'list lists an item that remove deleted',
};

it('finds a deleted item in a list whose only page the items of the run fill', async () => {
  expect(await findIn({ listsDeleted: true }, [limit])).toEqual([listed]);
});

it('finds a deleted item on a later page, where the first shows items of others', async () => {
  const seeds = ['1', '2', '3', '4'].map((title) => ({ title }));
  expect(await findIn({ listsDeleted: true, seeds }, [limit, offset])).toEqual([listed]);
});

it('finds nothing wrong with such lists that show what is there', async () => {
  const seeds = ['1', '2', '3', '4'].map((title) => ({ title }));
  expect(await findIn({}, [limit])).toEqual([]);
  expect(await findIn({ seeds }, [limit, offset])).toEqual([]);
});
