import { expect, it } from 'vitest';
import { relayRules, relayRulesOfAll, toRelay } from '../../../support/relay-document.ts';
import { serveDocument } from '../../../support/serve-document.ts';

const serve = async (hints = relayRules, ofAll: object = relayRulesOfAll) => {
  const served = await serveDocument(toRelay(hints, ofAll), { pets: 0 });
  const send = (method: string, path: string, body?: unknown, key = 'demo-free') =>
    served.send(method, path, body, { 'X-Key': key });
  return { ...served, send };
};

it('knows the caller by the secret of an item, which opens as a key does until the item is gone', async () => {
  const { send } = await serve();
  const { json: app } = await send('POST', '/apps', { name: 'Bell' });
  const { json } = await send('POST', '/messages', { text: 'Hi' }, app.token);
  expect(json).toMatchObject({ appid: app.id, title: 'Bell', tag: 'm0', state: 'open' });
  expect((await send('GET', '/messages', undefined, 'another')).status).toBe(401);
  await send('DELETE', `/apps/${app.id}`);
  expect((await send('POST', '/messages', {}, app.token)).status).toBe(401);
  expect((await send('GET', '//', undefined, 'another')).status).toBe(404);
});

it.each([
  ['refers to', relayRulesOfAll],
  ['is below', { ...relayRulesOfAll, counts: [{ ...relayRulesOfAll.counts[0], by: undefined }] }],
])('counts what %s an item, whatever changes that', async (_, ofAll) => {
  const { send } = await serve(relayRules, ofAll);
  const { json: app } = await send('POST', '/apps', { name: 'Bell' });
  const { json: other } = await send('POST', '/apps', { name: 'Horn' });
  const openOf = async ({ id }: { id: number }) => (await send('GET', `/apps/${id}`)).json.open;
  const sent = [];
  for (const { token } of [app, app, other])
    sent.push((await send('POST', '/messages', {}, token)).json);
  expect([await openOf(app), await openOf(other)]).toEqual([2, 1]);
  await send('PATCH', `/messages/${sent[0].id}`, { state: 'read' });
  await send('PATCH', `/messages/${sent[1].id}`, { appid: other.id });
  expect([await openOf(app), await openOf(other)]).toEqual([0, 2]);
  await send('DELETE', `/messages/${sent[2].id}`);
  expect(await openOf(other)).toBe(1);
});

it('stores members that the document does not describe, where rules name them', async () => {
  const { send } = await serve();
  const { json: app } = await send('POST', '/apps', {});
  const { json } = await send('POST', '/messages', { seen: true, other: 1 }, app.token);
  expect(json).toMatchObject({ sound: 'bell', seen: true });
  expect(json).not.toHaveProperty('other');
  await send('PATCH', `/messages/${json.id}`, { sound: 'horn' });
  const { json: read } = await send('GET', `/messages/${json.id}`);
  expect(read).toEqual({ ...json, sound: 'horn' });
});

it('lists the items that a filter selects, with members of answers as rules say', async () => {
  const { send } = await serve();
  const apps = [(await send('POST', '/apps', {})).json, (await send('POST', '/apps', {})).json];
  for (const { token } of [...apps, apps[0]]) await send('POST', '/messages', { text: 'x' }, token);
  const { json } = await send('GET', `/apps/${apps[0].id}/messages`);
  expect(json.size).toBe(2);
  expect(json.items.map((one: { text: string }) => one.text)).toEqual(['x', 'x']);
  const { json: all } = await send('GET', '/messages');
  expect(all).toHaveLength(3);
  expect(all[0]).not.toHaveProperty('text');
});

it('keeps a deleted item with other members, and removes what refers to another one', async () => {
  const { send } = await serve();
  const { json: app } = await send('POST', '/apps', {});
  const { json: first } = await send('POST', '/messages', {}, app.token);
  expect((await send('DELETE', `/messages/${first.id}`)).status).toBe(204);
  expect((await send('GET', `/messages/${first.id}`)).json).toEqual({ ...first, state: 'deleted' });
  await send('DELETE', `/apps/${app.id}`);
  expect((await send('GET', `/messages/${first.id}`)).status).toBe(404);
});

it('makes items at other paths with a new one', async () => {
  const { send } = await serve();
  const { json: app } = await send('POST', '/apps', { name: 'Bell' });
  const { json } = await send('GET', `/apps/${app.id}/channels`);
  expect(json).toEqual([expect.objectContaining({ name: 'General' })]);
});

it('names rules about unknown names, with the nearest known one', async () => {
  const refuses = [{ when: { 'item.stauts': 'x' }, status: 409 }];
  const wrong = {
    'PATCH /messages/{id}': { refuses, sets: { titel: 'x' } },
    'DELETE /apps/{id}': { errors: { not_foud: { status: 410 } } },
  };
  const ofAll = { keys: { '/app': 'token' }, members: { '/mesages': ['sound'] } };
  const { lines } = await serve(wrong, ofAll);
  for (const sentence of [
    'PATCH /messages/{id} has rules about item.stauts, which is not known. Did you mean "item.state"?',
    'PATCH /messages/{id} has rules about titel, which is not known. Did you mean "title"?',
    'DELETE /apps/{id} has rules about not_foud, which is not known. Did you mean "not_found"?',
    'The document has rules about /app, which is not known. Did you mean "/apps"?',
    'The document has rules about /mesages, which is not known. Did you mean "/messages"?',
  ])
    expect(lines.join('\n')).toContain(sentence);
});
