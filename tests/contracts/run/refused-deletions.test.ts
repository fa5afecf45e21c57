import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { Deployment } from '../../support/shared-deployment.ts';
import { verifyWrites } from '../../support/verify-writes.ts';

const document = documentOf(`
  GET /users -> [User]
  POST /users User! -> 201 User, 400
  GET /users/{id} -> User, 404
  PATCH /users/{id} User! -> User, 404
  DELETE /users/{id} -> 204, 404
  User: { readonly id: int, name!, role: "guest" | "reader" | "writer" }
`);

/** Starts a deployment that answers each deletion with a status. */
async function start(toStatus: (count: number) => number, onCall = (_: number) => {}) {
  const deployment = new Deployment();
  let deletions = 0;
  const url = await deployment.start(({ method, path }) => {
    onCall(deployment.asked.length);
    if (method !== 'DELETE' || !deployment.items.has(path)) return undefined;
    deletions += 1;
    const status = toStatus(deletions);
    return status < 300 ? undefined : { status };
  });
  return { url, users: deployment.items, asked: deployment.asked };
}

it.each([401, 403, 405, 501])(
  'creates nothing more of a kind once a deletion is answered %i',
  async (status) => {
    const { url, users, asked } = await start(() => status);
    const report = await verifyWrites(url, document);
    const calls = asked.map(({ method }) => method);
    expect(calls.slice(calls.indexOf('DELETE')).filter((one) => one === 'POST')).toEqual([]);
    expect(users.size).toBe(1);
    expect(report.residue).toHaveLength(1);
  },
);

it.each([409, 423, 425])('deletes again what is answered %i for a while', async (status) => {
  const { url, users } = await start((count) => (count < 5 ? status : 204));
  const report = await verifyWrites(url, document);
  expect([users.size, report.residue]).toEqual([0, []]);
});

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
  const { url, users, asked } = await start(
    () => 204,
    (count) => count === 2 && abort.abort(new Error('Enough.')),
  );
  await verifyWrites(url, document, { signal: abort.signal });
  const changes = asked.slice(2).filter(({ method }) => method !== 'GET' && method !== 'DELETE');
  expect(changes).toEqual([]);
  expect(users.size).toBe(0);
});
