import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { startServer } from '../../support/start-server.ts';
import { verifyWrites } from '../../support/verify-writes.ts';

/** Describes jobs; `created` is what a create answers with 202. */
const toJobs = (created: string) =>
  documentOf(`
    listJobs: GET /jobs -> [Job]
    addJob: POST /jobs Job! -> 202 ${created}, 400
    getJob: GET /jobs/{id} -> Job, 404, 409
    Job: { readonly id: int, name! }
  `);

/** Finds what is wrong with jobs whose creates are only accepted; `read` answers reads. */
async function judgeReads(read: (count: number) => number, created = 'Job') {
  const jobs = [{ id: 1, name: 'old' }];
  const reads = new Map<string, number>();
  const url = await startServer(({ method, segments: [, id], sent }) => {
    if (method === 'POST') {
      if (typeof sent?.name !== 'string') return { status: 400 };
      const made = { id: jobs.length + 1, name: sent.name };
      jobs.push(made);
      const headers = { Location: `/jobs/${made.id}` };
      return { status: 202, headers, ...(created !== '' && { body: made }) };
    }
    if (id === undefined) return { status: 200, body: jobs.slice(0, 1) };
    const found = jobs[Number(id) - 1];
    const count = (reads.get(id) ?? 0) + 1;
    reads.set(id, count);
    const status = !found ? 404 : found.id === 1 ? 200 : read(count);
    return { status, body: status === 200 ? found : { error: 'none' } };
  });
  const { findings, clauses } = await verifyWrites(url, toJobs(created), {
    only: ['success-status'],
  });
  const [result] = Object.values(clauses[0]?.results ?? {});
  return { drift: findings.filter(({ verdict }) => verdict === 'drift').length, ...result };
}

it.each<[string, number, string?]>([
  ['is not there yet', 404],
  ['is not ready yet', 409],
  ['is named in Location alone', 404, ''],
])('expects no item whose create was only accepted, and that %s', async (_, status, created) => {
  expect(await judgeReads(() => status, created)).toMatchObject({
    drift: 0,
    verdict: 'inconclusive',
    reason: expect.stringContaining('only accepted (202)'),
  });
});

it('expects an accepted item that a read has shown', async () => {
  expect(await judgeReads((count) => (count === 1 ? 200 : 404))).toMatchObject({ drift: 1 });
});
