import { expect, it } from 'vitest';
import { relayRules, relayRulesOfAll, toRelay } from '../../support/relay-document.ts';
import { serveDocument } from '../../support/serve-document.ts';
import { inFolder, type RecordedCall, toRecording } from './recorded-calls.ts';

/** Records calls of a mock that has rules; two apps send in turn. */
async function recordRelay(): Promise<{ har: string; origin: string; tokens: string[] }> {
  const { call, api } = await serveDocument(toRelay(relayRules, relayRulesOfAll), { pets: 0 });
  const calls: RecordedCall[] = [];
  const send = async (method: string, path: string, body?: unknown, key = 'demo-free') => {
    const headers = { 'X-Key': key, 'Content-Type': 'application/json' };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const { status, json } = await call(path, { method, headers, ...content });
    calls.push({ line: `${method} ${path}`, status, body, json, sent: { 'X-Key': key } });
    return json;
  };
  const apps = [await send('POST', '/apps', { name: 'Bell' })];
  apps.push(await send('POST', '/apps', { name: 'Horn' }));
  const sent = [];
  for (const at of [0, 1, 0]) {
    sent.push(await send('POST', '/messages', { text: `Text ${at}` }, apps[at].token));
    await send('GET', `/apps/${apps[at].id}`);
    await send('GET', `/messages/${sent.at(-1).id}`);
    await send('GET', '/messages');
  }
  for (const { id } of apps) await send('GET', `/apps/${id}/messages`);
  await send('PATCH', `/messages/${sent[0].id}`, { state: 'read' });
  await send('GET', `/apps/${apps[0].id}`);
  for (const { id } of sent.slice(1)) {
    await send('DELETE', `/messages/${id}`);
    await send('GET', `/messages/${id}`);
  }
  for (const { id } of apps) {
    await send('GET', `/apps/${id}`);
    await send('DELETE', `/apps/${id}`);
    await send('GET', '/messages');
  }
  return { har: toRecording(api, calls), origin: api, tokens: apps.map(({ token }) => token) };
}

it('learns callers, counts, filters, answers and what becomes of deleted items, and no secret', async () => {
  const { har, origin, tokens } = await recordRelay();
  const recorded = inFolder(toRelay(), origin, [har]);
  expect(await recorded.learn()).toMatchObject({ code: 0 });
  const text = recorded.read();
  const hints = recorded.hints();
  const hintOf = (target: string) => hints[target];
  // Messages are below their app, too, so nothing has to say by what they refer to it.
  const counts = relayRulesOfAll.counts.map(({ by: _, ...one }) => one);
  expect(hintOf('$')).toMatchObject({ ...relayRulesOfAll, counts });
  expect(hintOf("$.paths['/messages'].post")).toMatchObject({
    values: {
      ...{ appid: '{caller.id}', title: '{caller.name}', tag: 'm{serial - 1}', state: 'open' },
      ...{ sound: 'bell', seen: null },
    },
  });
  expect(hintOf("$.paths['/messages'].get")).toMatchObject({ shows: { text: '{absent}' } });
  expect(hintOf("$.paths['/apps/{id}/messages'].get")).toMatchObject({
    values: { size: '{count(items)}' },
  });
  expect(hintOf("$.paths['/messages/{id}'].delete")).toMatchObject({ keeps: { state: 'deleted' } });
  expect(hintOf("$.paths['/apps/{id}'].delete")).toMatchObject({
    removes: { '/messages': 'appid' },
  });
  for (const token of tokens) expect(text).not.toContain(token);
}, 90_000);
