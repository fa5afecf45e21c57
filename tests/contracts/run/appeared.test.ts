import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { toDocument } from '../../support/serve-document.ts';
import { collection, Deployment, type Item } from '../../support/shared-deployment.ts';
import type { AskedRequest, Reply } from '../../support/start-server.ts';
import { verifyWrites } from '../../support/verify-writes.ts';

const kernel = { type: 'object', properties: { id: { type: 'integer' } }, readOnly: true };
const document = toDocument({ ...collection('/sessions', { kernel }), ...collection('/kernels') });

/**
 * Begins a kernel with each session, which is listed a second later and outlives every third one.
 */
class Sessions extends Deployment {
  readonly begun: { id: unknown; endsWith: string; listedFrom: number }[] = [];

  constructor() {
    super('/sessions', '/kernels');
  }

  begin(session: string, delay = 1000): Item {
    const made = this.add('/kernels', { name: 'python' });
    this.begun.push({ id: made.id, endsWith: session, listedFrom: Date.now() + delay });
    return made;
  }

  readonly answerSession = (asked: AskedRequest): Reply => {
    const reply = this.answer(asked);
    if (asked.path === '/kernels' && asked.method === 'GET') {
      const late = this.begun.filter(({ listedFrom }) => listedFrom > Date.now());
      const rows = reply.body as Item[];
      return { status: 200, body: rows.filter((row) => !late.some(({ id }) => id === row.id)) };
    }
    if (asked.path === '/sessions' && reply.status === 201) {
      const made = reply.body as Item;
      made.kernel = { id: this.begin(`/sessions/${made.id}`).id };
    }
    if (asked.method === 'DELETE' && reply.status === 204)
      for (const [index, { id, endsWith }] of this.begun.entries())
        if (endsWith === asked.path && index % 3 > 0) this.items.delete(`/kernels/${id}`);
    return reply;
  };

  /** The kernels that began with sessions and are still there. */
  leftKernels(): string[] {
    const ids = this.begun.map(({ id }) => String(id));
    return ids.filter((id) => this.items.has(`/kernels/${id}`));
  }
}

const idsOf = (left: { id?: string }[] = []) => left.map(({ id }) => id);

it.each([
  ['at the end', undefined],
  ['of an interrupted run, too', 12],
])('reports what a create began in another collection, %s', async (_, interruptAfter) => {
  const deployment = new Sessions();
  const interrupt = new AbortController();
  const url = await deployment.start((asked) => {
    if (deployment.begun.length === interruptAfter) interrupt.abort();
    return deployment.answerSession(asked);
  });
  const report = await verifyWrites(url, document, { signal: interrupt.signal });
  const left = report.residue.filter(({ reason }) => reason?.includes('/kernels'));
  expect(deployment.leftKernels().length).toBeGreaterThan(0);
  expect(idsOf(left).toSorted()).toEqual(deployment.leftKernels().toSorted());
  expect(left[0]).toMatchObject({
    operation: 'POST /sessions',
    deletedBy: 'DELETE /kernels/{id}',
    reason: 'its answer names this, which is new at /kernels',
  });
  expect([deployment.harmed, report.leftAlone]).toEqual([[], []]);
  const deleted = deployment.asked.filter(({ method }) => method === 'DELETE');
  expect(deleted.map(({ path }) => path)).not.toEqual(
    expect.arrayContaining(deployment.begun.map(({ id }) => `/kernels/${id}`)),
  );
});

it('reports what appeared in other collections when a create was answered 500', async () => {
  const deployment = new Sessions();
  const url = await deployment.start((asked) => {
    if (asked.path !== '/sessions' || asked.method !== 'POST') return undefined;
    if (typeof asked.sent?.name === 'string') return undefined;
    deployment.begin('', 0);
    return { status: 500 };
  });
  const report = await verifyWrites(url, document);
  expect(deployment.leftKernels().length).toBeGreaterThan(0);
  expect(idsOf(report.leftAlone).toSorted()).toEqual(deployment.leftKernels().toSorted());
  expect(report.leftAlone?.[0]?.reason).toBe(
    'it was answered 500, and this is new at /kernels; the run or somebody else made it',
  );
});

it('reports of a page only what says that it was created during the run', async () => {
  const deployment = new Sessions();
  const url = await deployment.start((asked) => {
    if (asked.method === 'GET' && asked.path === '/kernels') {
      const { body } = deployment.answer(asked);
      const rows = (body as Item[]).map((row) => ({
        ...row,
        created: new Date(Number(row.id) < 10 ? 0 : Date.now()).toISOString(),
      }));
      return { status: 200, body: deployment.begun.length > 0 ? rows : rows.slice(0, 5) };
    }
    if (asked.path !== '/sessions' || typeof asked.sent?.name === 'string') return undefined;
    if (asked.method === 'POST' && deployment.begun.length < 3) deployment.begin('', 0);
    return asked.method === 'POST' ? { status: 500 } : undefined;
  });
  const created = { type: 'string', format: 'date-time', readOnly: true };
  const paged = toDocument({
    ...collection('/sessions'),
    ...collection('/kernels', { created }),
  });
  const { leftAlone } = await verifyWrites(url, paged);
  expect(idsOf(leftAlone).toSorted()).toEqual(deployment.leftKernels().toSorted());
});

it('reports nothing of what was there before, nor what others make without a cause', async () => {
  const deployment = new Sessions();
  const url = await deployment.start((asked) => {
    const reply = deployment.answer(asked);
    if (asked.path !== '/sessions' || reply.status !== 201) return reply;
    deployment.add('/kernels', { name: 'of somebody else' });
    return { status: 201, body: { ...(reply.body as Item), kernel: { id: 7 } } };
  });
  const { residue, leftAlone } = await verifyWrites(url, document);
  expect([residue, leftAlone]).toEqual([[], []]);
});

it('reports what shows a text of the run in a collection that no answer named', async () => {
  const deployment = new Deployment('/projects', '/groups');
  const url = await deployment.start((asked) => {
    const reply = deployment.answer(asked);
    const isMade = asked.path === '/projects' && reply.status === 201;
    if (isMade) deployment.add('/groups', { name: asked.sent?.name }, deployment.next + 500);
    return reply;
  });
  const both = toDocument({ ...collection('/projects'), ...collection('/groups') });
  const report = await verifyWrites(url, both, { only: ['deleted', 'created-as-sent'] });
  const told = report.residue.filter(({ reason }) => reason?.includes('/groups'));
  expect(idsOf(told).toSorted()).toEqual(deployment.left().map(String).toSorted());
  expect(told[0]).toMatchObject({ reason: 'this shows what it sent, and is new at /groups' });
});

it('reports what was made by a name in a path', async () => {
  const users = [{ id: 1, login: 'anna' }];
  const deployment = new Deployment('/teams');
  const url = await deployment.start(({ method, path, segments }) => {
    // A text that is cut may be no text of Unicode.
    const cut = { id: 99, login: `${users.at(-1)?.login}\ud800` };
    if (path === '/users') return { status: 200, body: [...users, cut] };
    if (segments[0] === 'users') return { status: 404 };
    if (segments[2] !== 'members') return undefined;
    if (method === 'PUT') users.push({ id: users.length + 1, login: segments[3] ?? '' });
    return { status: 204 };
  });
  const lines = `GET /users -> [User]
    DELETE /users/{id} -> 204, 404
    PUT /teams/{id}/members/{login:text} -> 204, 404`;
  const { paths, components } = documentOf(lines, { User: '{id!: int, login!}' });
  const spec = toDocument({ ...collection('/teams'), ...paths }, { components });
  const report = await verifyWrites(url, spec);
  const told = report.residue.filter(({ reason }) => reason?.includes('/users'));
  expect(users.length).toBeGreaterThan(1);
  expect(idsOf(told)).toEqual(users.slice(1).map(({ id }) => String(id)));
});
