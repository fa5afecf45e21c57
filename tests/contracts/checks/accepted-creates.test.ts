import { expect, it } from 'vitest';
import { jsonOf, pathParameter, toDocument } from '../../support/serve-document.ts';
import { startServer } from '../../support/start-server.ts';
import { verifyWrites } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

const job = {
  type: 'object',
  required: ['name'],
  properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } },
};
const none = { description: 'None.' };

/** Finds what is wrong with jobs whose creates are only accepted; `read` answers reads. */
async function judgeReads(read: (count: number) => number, content: object = jsonOf(job)) {
  const jobs = [{ id: 1, name: 'old' }];
  const reads = new Map<string, number>();
  const url = await startServer(({ method, segments: [, id], sent }) => {
    if (method === 'POST') {
      if (typeof sent?.name !== 'string') return { status: 400 };
      const made = { id: jobs.length + 1, name: sent.name };
      jobs.push(made);
      const headers = { Location: `/jobs/${made.id}` };
      return { status: 202, headers, ...('content' in content && { body: made }) };
    }
    if (id === undefined) return { status: 200, body: jobs.slice(0, 1) };
    const found = jobs[Number(id) - 1];
    const count = (reads.get(id) ?? 0) + 1;
    reads.set(id, count);
    const status = !found ? 404 : found.id === 1 ? 200 : read(count);
    return { status, body: status === 200 ? found : { error: 'none' } };
  });
  const spec = await writeJson(
    toDocument({
      '/jobs': {
        get: { operationId: 'listJobs', responses: { 200: jsonOf({ type: 'array', items: job }) } },
        post: {
          operationId: 'addJob',
          requestBody: { required: true, ...jsonOf(job) },
          responses: { 202: content, 400: none },
        },
      },
      '/jobs/{id}': {
        parameters: [pathParameter('id')],
        get: { operationId: 'getJob', responses: { 200: jsonOf(job), 404: none, 409: none } },
      },
    }),
  );
  const { findings, clauses } = await verifyWrites(url, spec, { only: ['success-status'] });
  const [result] = Object.values(clauses[0]?.results ?? {});
  return { drift: findings.filter(({ verdict }) => verdict === 'drift').length, ...result };
}

it.each<[string, number, object?]>([
  ['is not there yet', 404],
  ['is not ready yet', 409],
  ['is named in Location alone', 404, none],
])('expects no item whose create was only accepted, and that %s', async (_, status, content) => {
  expect(await judgeReads(() => status, content)).toMatchObject({
    drift: 0,
    verdict: 'inconclusive',
    reason: expect.stringContaining('only accepted (202)'),
  });
});

it('expects an accepted item that a read has shown', async () => {
  expect(await judgeReads((count) => (count === 1 ? 200 : 404))).toMatchObject({ drift: 1 });
});
