import { expect, it } from 'vitest';
import type { ParentDeletion } from '../../../mock/behaviours/children.ts';
import { explain } from '../../../mock/explain/explanation.ts';
import { pathParameter, serveDocument, toDocument } from '../../support/serve-document.ts';

const json = (schema: object, example?: object) => ({
  content: { 'application/json': { schema, ...(example && { example }) } },
});
const answers = (status: number, schema: object, example?: object) => ({
  responses: { [status]: { description: 'Done.', ...json(schema, example) } },
});
const settings = {
  type: 'object',
  required: ['theme', 'changes'],
  properties: {
    theme: { type: 'string', enum: ['dark', 'light'] },
    size: { type: 'integer' },
    changes: { type: 'integer', readOnly: true },
  },
};
const takes = (properties: object) => ({ requestBody: json({ type: 'object', properties }) });
const changesSettings = { ...takes(settings.properties), ...answers(200, settings) };
const shown = { theme: 'dark', size: 1, changes: 7 };
const user = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
const id = (name: string, type = 'integer') => ({
  parameters: [pathParameter(name, { type })],
});
const paths = {
  '/settings': {
    get: { operationId: 'show', ...answers(200, settings, shown) },
    put: changesSettings,
    patch: changesSettings,
  },
  '/users': {
    get: answers(200, { type: 'array', items: user }),
    post: { ...takes({}), ...answers(201, user) },
  },
  '/users/{id}': { ...id('id'), get: answers(200, user), delete: { responses: { 204: {} } } },
  '/users/{id}/profile': {
    ...id('id'),
    get: answers(200, { properties: { profile: { properties: { bio: { type: 'string' } } } } }),
    put: {
      ...takes({ profile: { type: 'object', properties: { bio: { type: 'string' } } } }),
      responses: { 204: { description: 'Done.' } },
    },
  },
  '/pages/{page}/parts/{part}/note': {
    parameters: ['page', 'part'].map((name) => pathParameter(name, { type: 'string' })),
    get: answers(200, settings, shown),
    put: changesSettings,
  },
};

const note = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
const withNotes = {
  ...paths,
  '/users/{id}/notes': {
    ...id('id'),
    get: answers(200, { type: 'array', items: note }),
    post: { requestBody: json(note), ...answers(201, note) },
  },
  '/notes/{id}': {
    ...id('id', 'string'),
    get: answers(200, note),
    put: { requestBody: json(note), ...answers(201, note) },
  },
  '/notes/{id}/cover': {
    ...id('id', 'string'),
    get: answers(200, settings, shown),
    put: changesSettings,
  },
};

async function serve(served: object = paths, onDeleteParent: ParentDeletion = 'refuse') {
  const { send: call, document } = await serveDocument(toDocument(served), { onDeleteParent });
  return { call, document };
}

it('shows what it was changed to, and what the document says until then', async () => {
  const { call } = await serve();
  expect(await call('GET', '/settings')).toEqual({ status: 200, json: shown });
  const changed = { ...shown, size: 2 };
  expect(await call('PATCH', '/settings', { size: 2 })).toEqual({ status: 200, json: changed });
  expect(await call('GET', '/settings')).toEqual({ status: 200, json: changed });
  // A body that requires nothing is no whole object: what it does not name stays.
  const replaced = { theme: 'light', size: 2, changes: 7 };
  expect((await call('PUT', '/settings', { theme: 'light', changes: 9 })).json).toEqual(replaced);
  expect((await call('GET', '/settings')).json).toEqual(replaced);
  expect((await call('PATCH', '/settings', { theme: null })).status).toBe(400);
  expect((await call('GET', '/settings')).json).toEqual(replaced);
  const { json: journal } = await call('GET', '/__admin/requests?limit=1');
  expect(journal.requests[0].reason).toEqual({ step: 'behaviour', kind: 'singleton' });
});

it('keeps what is readOnly of what it was before it was first changed', async () => {
  const withPlan = {
    ...settings,
    properties: { ...settings.properties, plan: { type: 'string', readOnly: true } },
  };
  const example = { ...shown, plan: 'free' };
  const change = { ...takes(withPlan.properties), ...answers(200, withPlan) };
  const sent = { theme: 'light', size: 3, changes: 999, plan: 'enterprise' };
  for (const method of ['PATCH', 'PUT']) {
    const { call } = await serve({
      '/settings': { get: answers(200, withPlan, example), put: change, patch: change },
    });
    const changed = { status: 200, json: { ...example, theme: 'light', size: 3 } };
    expect(await call(method, '/settings', sent)).toEqual(changed);
    expect(await call('GET', '/settings')).toEqual(changed);
  }
});

it('has one for each item that its path names, which goes with that item', async () => {
  const { call } = await serve();
  const [before] = [(await call('GET', '/users/2/profile')).json];
  expect((await call('PUT', '/users/1/profile', { profile: { bio: 'Hi' } })).status).toBe(204);
  expect((await call('GET', '/users/1/profile')).json).toEqual({ profile: { bio: 'Hi' } });
  expect((await call('GET', '/users/2/profile')).json).toEqual(before);
  expect((await call('PUT', '/users/9/profile', { profile: {} })).status).toBe(404);
  expect((await call('DELETE', '/users/1')).status).toBe(204);
  expect((await call('GET', '/users/1/profile')).status).toBe(404);
});

it('tells paths apart whose parameters differ only in where a slash is', async () => {
  const { call } = await serve();
  const light = { theme: 'light', size: 1, changes: 7 };
  const paths = ['/pages/a%2Fparts/parts/b/note', '/pages/a/parts/parts%2Fb/note'] as const;
  expect((await call('PUT', paths[0], { theme: 'light' })).json).toEqual(light);
  expect((await call('GET', paths[1])).json).toEqual(shown);
  expect((await call('PUT', paths[1], { theme: 'dark' })).json).toMatchObject({ theme: 'dark' });
  expect((await call('GET', paths[0])).json).toEqual(light);
});

it('replaces one that was imported with the parameters of another path', async () => {
  const { call } = await serve();
  await call('PUT', '/users/1/profile', { profile: { bio: 'Hi' } });
  await call('PUT', '/__admin/snapshots/one');
  const { json: snapshot } = await call('GET', '/__admin/snapshots/one');
  const moved = JSON.parse(JSON.stringify(snapshot).replace('"{}":"/1"', '"{}":"/2"'));
  expect(moved).not.toEqual(snapshot);
  expect((await call('PUT', '/__admin/snapshots/two', moved)).status).toBeLessThan(300);
  await call('POST', '/__admin/snapshots/two/restore');
  expect((await call('PUT', '/users/2/profile', { profile: { bio: 'Ho' } })).status).toBe(204);
  expect((await call('GET', '/users/2/profile')).json).toEqual({ profile: { bio: 'Ho' } });
});

it('goes with the item above it, also where that goes with one above', async () => {
  const { call } = await serve(withNotes, 'cascade');
  await call('POST', '/users/1/notes', { id: 'a' });
  const changed = await call('PUT', '/notes/a/cover', { theme: 'light' });
  expect(changed.json).toEqual({ theme: 'light', size: 1, changes: 7 });
  expect((await call('DELETE', '/users/1')).status).toBe(204);
  expect((await call('POST', '/users/2/notes', { id: 'a' })).status).toBe(201);
  expect((await call('GET', '/notes/a/cover')).json).toEqual(shown);
});

it('is part of a snapshot, and as the document says after a reset', async () => {
  const { call, document } = await serve();
  await call('PATCH', '/settings', { size: 2 });
  await call('PUT', '/users/1/profile', { profile: { bio: 'Hi' } });
  expect((await call('PUT', '/__admin/snapshots/one')).status).toBeLessThan(300);
  const { json: snapshot } = await call('GET', '/__admin/snapshots/one');
  await call('POST', '/__admin/reset');
  expect((await call('GET', '/settings')).json).toEqual(shown);
  expect((await call('PUT', '/__admin/snapshots/two', snapshot)).status).toBeLessThan(300);
  expect((await call('POST', '/__admin/snapshots/two/restore')).status).toBeLessThan(300);
  expect((await call('GET', '/settings')).json).toEqual({ ...shown, size: 2 });
  expect((await call('GET', '/users/1/profile')).json).toEqual({ profile: { bio: 'Hi' } });
  const [explained] = explain(document).operations;
  expect(explained).toMatchObject({ id: 'show', answers: 'store' });
  expect(explained?.because).toContain('one object at /settings');
});

it('takes a list at the path of a single object as the document describes it', async () => {
  const { send } = await serveDocument(
    toDocument({
      '/settings': {
        get: answers(200, settings, shown),
        put: { requestBody: json({ type: 'array', items: settings }), ...answers(200, settings) },
      },
    }),
  );
  expect(await send('PUT', '/settings', [{ theme: 'dark', changes: 1 }])).toMatchObject({
    status: 200,
  });
});
