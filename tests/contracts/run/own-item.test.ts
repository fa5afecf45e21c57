import { expect, it } from 'vitest';
import { type Habits, startArticles, writeArticles } from '../../support/articles.ts';
import { toDocument } from '../../support/serve-document.ts';
import { collection, Deployment } from '../../support/shared-deployment.ts';
import { verifyWrites } from '../../support/verify-writes.ts';

const title = { type: 'string' };
const properties = {
  ...{ title, kind: title, urgent: { type: 'boolean' } },
  author: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
};

/** Verifies articles that need a kind, and of which no author is known. */
async function verifyArticles(habits: Habits = {}) {
  const url = await startArticles(
    {
      properties: { ...properties, title: { ...title, maxLength: 80 }, author: title },
      required: ['title', 'kind'],
    },
    habits,
  );
  return verifyWrites(url, await writeArticles({ properties, required: ['title'] }));
}

it('creates an item to change without the objects that a deployment refuses', async () => {
  const report = await verifyArticles();
  expect(report.findings.filter(({ verdict }) => verdict === 'drift')).toEqual([]);
  expect([report.residue, report.notCalled]).toEqual([[], []]);
  expect(report.operations.find(({ id }) => id === 'patch')?.results.target?.calls).toBe(1);
});

it('shows the change of a finding about one, and no read of an item that is gone', async () => {
  const { findings } = await verifyArticles({ update: (stored) => stored });
  const { exchange, curl } = findings.find(({ check }) => check === 'merge-patch') ?? {};
  expect(exchange?.request.method).toBe('PATCH');
  expect(curl).toContain('-X PATCH');
});

it.each<[string, Habits, check: string]>([
  ['an update is not stored', { update: (stored) => stored }, 'merge-patch'],
  ['a deletion is not done', { remove: (stored) => stored }, 'deleted'],
  [
    'a created item is not listed',
    { seeds: [{ title: 'News', kind: 'local', urgent: false }], list: ([first]) => [first ?? {}] },
    'listed-when-created',
  ],
  ['a text is not stored', { show: (article) => ({ ...article, kind: '' }) }, 'read-back'],
])('finds with it that %s', async (_, habits, check) => {
  const report = await verifyArticles(habits);
  const drifts = report.findings.filter(({ verdict }) => verdict === 'drift');
  expect(drifts.map((one) => one.check)).toContain(check);
});

it('replaces and updates an item with the member that a refusal names', async () => {
  const deployment = new Deployment('/notes');
  const url = await deployment.start(({ method, path, sent = {} }) => {
    const found = deployment.items.get(path);
    if (!found || !/PUT|PATCH/.test(method)) return undefined;
    if (!('author' in sent)) return { status: 422, body: { message: 'NoteAuthor is NULL' } };
    if (method === 'PUT') deployment.items.set(path, { ...sent, id: found.id });
    return method === 'PUT' ? { status: 200, body: deployment.items.get(path) } : undefined;
  });
  const notes = collection('/notes', { author: title, kind: title });
  const { patch } = notes['/notes/{id}'] as { patch: object };
  const document = toDocument({ ...notes, '/notes/{id}': { ...notes['/notes/{id}'], put: patch } });
  const { operations, findings } = await verifyWrites(url, document);
  const reached = operations.filter(({ results }) => results.target?.successes);
  expect(reached.length).toBe(operations.length);
  expect(findings.filter(({ check }) => /update|replace/.test(check))).toEqual([]);
});

it('tries methods that nobody describes on the item that it made last, and makes none for them', async () => {
  const deployment = new Deployment('/notes');
  const url = await deployment.start(({ method }) =>
    method === 'PUT' ? { status: 405, headers: { Allow: 'GET, PATCH, DELETE' } } : undefined,
  );
  const only = ['allow-on-405', 'read-back'];
  await verifyWrites(url, toDocument(collection('/notes')), { only });
  const tried = deployment.asked.filter(({ method }) => method === 'PUT');
  expect(tried.map(({ path }) => path)).toEqual([`/notes/${deployment.next - 1}`]);
  expect(deployment.asked.filter(({ text }) => text.includes('another method'))).toEqual([]);
});
