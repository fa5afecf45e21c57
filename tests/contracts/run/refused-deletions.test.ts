import { expect, it } from 'vitest';
import { jsonOf, pathParameter, toDocument } from '../../support/serve-document.ts';
import { startServer } from '../../support/start-server.ts';
import { verifyWrites } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

const user = {
  type: 'object',
  required: ['name'],
  properties: {
    id: { type: 'integer', readOnly: true },
    name: { type: 'string' },
    role: { enum: ['guest', 'reader', 'writer'] },
  },
};
const none = { description: 'None.' };
const body = { required: true, ...jsonOf(user) };
const document = toDocument({
  '/users': {
    get: { responses: { 200: jsonOf({ type: 'array', items: user }) } },
    post: { requestBody: body, responses: { 201: jsonOf(user), 400: none } },
  },
  '/users/{id}': {
    parameters: [pathParameter('id')],
    get: { responses: { 200: jsonOf(user), 404: none } },
    patch: { requestBody: body, responses: { 200: jsonOf(user), 404: none } },
    delete: { responses: { 204: none, 404: none } },
  },
});

/** Starts a deployment that answers each deletion with a status, and gives how many users it has. */
async function start(toStatus: (count: number) => number, onCall = (_: number) => {}) {
  const users = new Map<number, object>();
  const calls: string[] = [];
  let deletions = 0;
  const url = await startServer(({ method, path, segments, sent }) => {
    calls.push(method);
    onCall(calls.length);
    const id = Number(segments[1]);
    if (method === 'POST') {
      if (typeof sent?.name !== 'string') return { status: 400 };
      const made = { ...sent, id: calls.length };
      users.set(made.id, made);
      return { status: 201, body: made };
    }
    if (path === '/users') return { status: 200, body: [...users.values()] };
    const found = users.get(id);
    if (!found) return { status: 404 };
    if (method !== 'DELETE') return { status: 200, body: Object.assign(found, sent) };
    deletions += 1;
    const status = toStatus(deletions);
    if (status < 300) users.delete(id);
    return { status };
  });
  return { url, users, calls };
}

it.each([401, 403, 405, 501])(
  'creates nothing more of a kind once a deletion is answered %i',
  async (status) => {
    const { url, users, calls } = await start(() => status);
    const report = await verifyWrites(url, await writeJson(document));
    expect(calls.slice(calls.indexOf('DELETE')).filter((one) => one === 'POST')).toEqual([]);
    expect(users.size).toBe(1);
    expect(report.residue).toHaveLength(1);
  },
);

it('reports a deletion that succeeds when it is tried again as unreliable, not as drift', async () => {
  const { url, users } = await start((count) => (count === 2 ? 503 : 204));
  // The deployment takes whatever is sent.
  const skip = ['invalid-body', 'body-schema'];
  const report = await verifyWrites(url, await writeJson(document), { skip });
  expect([users.size, report.residue]).toEqual([0, []]);
  expect(report.findings.map(({ check, verdict }) => `${check} ${verdict}`)).toEqual([
    'reliable-answers unanswered',
  ]);
});

it('creates nothing once it is interrupted, not even to try a deletion', async () => {
  const abort = new AbortController();
  const { url, users, calls } = await start(
    () => 204,
    (count) => count === 2 && abort.abort(new Error('Enough.')),
  );
  await verifyWrites(url, await writeJson(document), { signal: abort.signal });
  expect(calls.slice(2).filter((method) => method !== 'GET' && method !== 'DELETE')).toEqual([]);
  expect(users.size).toBe(0);
});
