import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, it } from 'vitest';
import { runCommand as learn } from '../../../contracts/learn/command.ts';
import { capture } from '../../support/capture.ts';
import { relayRules, relayRulesOfAll, toRelay } from '../../support/relay-document.ts';
import { serveDocument } from '../../support/serve-document.ts';
import { toEntry, toHar } from '../har/samples.ts';

/** Records calls of a mock that has rules; two apps send in turn. */
async function recordRelay(): Promise<{ har: string; origin: string; tokens: string[] }> {
  const { call, api } = await serveDocument(toRelay(relayRules, relayRulesOfAll), { pets: 0 });
  const entries: unknown[] = [];
  const send = async (method: string, path: string, body?: unknown, key = 'demo-free') => {
    const sent = {
      ...{ method, headers: { 'X-Key': key, 'Content-Type': 'application/json' } },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    const { status, text, json } = await call(path, sent);
    const toPairs = (headers: object) =>
      Object.entries(headers).map(([name, value]) => ({ name, value }));
    entries.push(
      toEntry({
        startedDateTime: new Date().toISOString(),
        request: {
          ...{ method, url: api + path, headers: toPairs(sent.headers) },
          ...(sent.body && { postData: { mimeType: 'application/json', text: sent.body } }),
        },
        response: {
          ...{ status, headers: toPairs({ 'Content-Type': 'application/json' }) },
          content: { size: text.length, mimeType: 'application/json', text },
        },
      }),
    );
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
  return { har: toHar(entries), origin: api, tokens: apps.map(({ token }) => token) };
}

it('learns callers, counts, filters, answers and what becomes of deleted items, and no secret', async () => {
  const { har, origin, tokens } = await recordRelay();
  const folder = mkdtempSync(join(tmpdir(), 'relay-'));
  const at = (name: string) => join(folder, name);
  writeFileSync(at('relay.har'), har);
  writeFileSync(at('relay.json'), JSON.stringify(toRelay()));
  const args = ['--base-url', origin, '--spec', at('relay.json'), '--out', at('out.yaml')];
  const ran = await capture(() => learn([at('relay.har'), ...args], { env: {}, command: 'x' }));
  expect(ran).toMatchObject({ code: 0 });
  const text = readFileSync(at('out.yaml'), 'utf8');
  const { actions } = load(text) as { actions: { target: string; update: object }[] };
  const hints = Object.fromEntries(actions.map(({ target, update }) => [target, update]));
  const hintOf = (target: string) => (hints[target] as { 'x-twin'?: object })?.['x-twin'];
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
