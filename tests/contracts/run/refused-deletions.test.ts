import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { startServer } from '../../support/start-server.ts';
import { verifyWrites } from '../../support/verify-writes.ts';

const document = documentOf(`
  GET /users -> [User]
  POST /users User! -> 201 User, 400
  GET /users/{id} -> User, 404
  PATCH /users/{id} User! -> User, 404
  DELETE /users/{id} -> 204, 404
  User: { readonly id: int, name!, role: "guest" | "reader" | "writer" }
`);

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
    const report = await verifyWrites(url, document);
    expect(calls.slice(calls.indexOf('DELETE')).filter((one) => one === 'POST')).toEqual([]);
    expect(users.size).toBe(1);
    expect(report.residue).toHaveLength(1);
  },
);

it('reports a deletion that succeeds when it is tried again as unreliable, not as drift', async () => {
  const { url, users } = await start((count) => (count === 2 ? 503 : 204));
  // The deployment takes whatever is sent.
  const skip = ['invalid-body', 'body-schema'];
  const report = await verifyWrites(url, document, { skip });
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
  await verifyWrites(url, document, { signal: abort.signal });
  expect(calls.slice(2).filter((method) => method !== 'GET' && method !== 'DELETE')).toEqual([]);
  expect(users.size).toBe(0);
});
