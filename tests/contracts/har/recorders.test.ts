import { once } from 'node:events';
import { request } from 'node:http';
import { expect, it } from 'vitest';
import type { RecordedExchange } from '../../../contracts/traffic/read-outcome.ts';
import { openBrowser } from '../../support/browser.ts';
import { bearer, startTwin, type TestTwin } from '../../support/twin.ts';
import { readAll, toFile } from './samples.ts';

const json = { 'Content-Type': 'application/json' };
const pet = '{"name":"Rex","categoryId":9007199254740993}';

/** Returns what is the same of an exchange, whoever recorded it. */
function summarize({ request: sent, response }: RecordedExchange) {
  const bodyOf = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString();
  const authorization = sent.headers.find(([name]) => name.toLowerCase() === 'authorization');
  return {
    call: `${sent.method} ${new URL(sent.url).pathname}`,
    key: authorization?.[1],
    sent: bodyOf(sent.body?.bytes),
    status: response?.status,
    received: bodyOf(response?.body.bytes),
  };
}

async function readSummaries(file: string) {
  const { exchanges, skipped } = await readAll(file);
  expect(skipped).toEqual([]);
  expect(exchanges.every(({ sentAt, endedAt }) => sentAt > 1e12 && endedAt >= sentAt)).toBe(true);
  return exchanges.map(summarize);
}

/** Returns what each recording must say of the three calls that are made here. */
function expected({ id, key }: { id: number; key: string | undefined }) {
  const created = `{"name":"Rex","categoryId":9007199254740993,"id":${id}}`;
  return [
    {
      call: 'POST /v1/pets',
      key: 'Bearer demo-pro',
      sent: pet,
      status: 201,
      received: expect.stringContaining('9007199254740993'),
    },
    {
      call: `GET /v1/pets/${id}`,
      key: 'Bearer demo-pro',
      sent: undefined,
      status: 200,
      received: expect.stringMatching(`${created.slice(0, 20)}|${id}`),
    },
    {
      call: 'GET /v1/pets',
      key,
      sent: undefined,
      status: 401,
      received: expect.stringContaining('"status":401'),
    },
  ];
}

async function callTwin({ api }: TestTwin): Promise<number> {
  const headers = { ...bearer('demo-pro'), ...json };
  const created = await fetch(`${api}/pets`, { method: 'POST', headers, body: pet });
  const { id } = (await created.json()) as { id: number };
  await fetch(`${api}/pets/${id}`, { headers: bearer('demo-pro') });
  await fetch(`${api}/pets`, { headers: bearer('wrong') });
  return id;
}

it('reads what the twin recorded, with the names of its keys', async () => {
  const twin = await startTwin();
  const id = await callTwin(twin);
  const response = await fetch(`${twin.origin}/__admin/requests.har`);
  const summaries = await readSummaries(toFile(await response.text()));
  expect(summaries).toEqual(expect.arrayContaining(expected({ id, key: 'Bearer [Filtered]' })));
  expect(summaries).toHaveLength(3);
});

it('tells a connection that the twin broke from one that its client ended', async () => {
  const twin = await startTwin();
  const rule = JSON.stringify({ times: 1, fault: 'CONNECTION_RESET_BY_PEER' });
  await fetch(`${twin.origin}/__admin/faults`, { method: 'POST', headers: json, body: rule });
  await expect(fetch(`${twin.api}/pets`, { headers: bearer('demo-pro') })).rejects.toThrow();
  const slow = { ...bearer('demo-pro'), Prefer: 'delay=60000' };
  const leaving = request(`${twin.api}/pets`, { headers: slow }).on('error', () => {});
  await once(leaving.end(), 'finish');
  await fetch(`${twin.origin}/__admin/health`);
  leaving.destroy();
  const kinds = async () => {
    const text = await (await fetch(`${twin.origin}/__admin/requests.har`)).text();
    return (await readAll(toFile(text))).exchanges.map(({ failure }) => failure?.kind);
  };
  await expect.poll(async () => (await kinds()).toSorted()).toEqual(['aborted', 'dropped']);
});

it.each([
  ['embed', 'calls.har'],
  ['attach', 'calls.har'],
] as const)('reads what Playwright recorded: %s in %s', async (content, name) => {
  const twin = await startTwin();
  const path = toFile('', name);
  const context = await (await openBrowser()).newContext({ recordHar: { path, content } });
  const page = await context.newPage();
  await page.goto(`${twin.origin}/__admin/health`);
  const id = await page.evaluate(
    async ({ pet }) => {
      const headers = { Authorization: 'Bearer demo-pro', 'Content-Type': 'application/json' };
      const created = await fetch('/v1/pets', { method: 'POST', headers, body: pet });
      const { id } = (await created.json()) as { id: number };
      await fetch(`/v1/pets/${id}`, { headers }).then((response) => response.text());
      const bad = { Authorization: 'Bearer wrong' };
      await fetch('/v1/pets', { headers: bad }).then((response) => response.text());
      return id;
    },
    { pet },
  );
  await context.close();
  const summaries = await readSummaries(path);
  const calls = summaries.filter(({ call }) => call.includes('/v1/'));
  expect(calls).toEqual(expected({ id, key: 'Bearer wrong' }));
});
