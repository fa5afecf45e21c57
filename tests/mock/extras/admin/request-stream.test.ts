import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { streamRequests } from '../../../../mock/extras/admin/request-stream.ts';
import type { Entry } from '../../../../mock/journal/entry.ts';
import { createJournals } from '../../../../mock/journal/journals.ts';
import { toByteText } from '../../../../mock/json/exact-json.ts';
import { bearer, startTwin } from '../../../support/twin.ts';

type ServerSentEvent = { id?: string; event?: string; data?: string; comment?: string };

/**
 * Opens a stream of server-sent events; `next` gives one after the other, and undefined once it has
 * ended.
 */
async function openStream(url: string, headers: Record<string, string> = {}) {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const response = await fetch(url, { headers, signal: leaving.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  const next = async (): Promise<ServerSentEvent | undefined> => {
    for (;;) {
      const end = rest.indexOf('\n\n');
      if (end !== -1) {
        const block = rest.slice(0, end);
        rest = rest.slice(end + 2);
        return parseEvent(block);
      }
      const chunk = await reader?.read();
      if (!chunk || chunk.done) return undefined;
      rest += chunk.value;
    }
  };
  /** The id and the URL of the next exchange, past comments. */
  const nextExchange = async (): Promise<string | undefined> => {
    for (;;) {
      const event = await next();
      if (!event) return undefined;
      if (event.event) return event.event;
      if (event.data === undefined) continue;
      const entry = JSON.parse(event.data) as Entry;
      expect(String(entry.id)).toBe(event.id);
      return `${entry.id} ${entry.url}`;
    }
  };
  return { response, next, nextExchange, leave: () => leaving.abort() };
}

function parseEvent(block: string): ServerSentEvent {
  const event: ServerSentEvent = {};
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([^:]*): ?(.*)$/.exec(line) ?? [];
    event[(name === '' ? 'comment' : name) as keyof ServerSentEvent] = value;
  }
  return event;
}

async function startStream(settings: Parameters<typeof startTwin>[0] = {}) {
  const twin = await startTwin(settings);
  const send = async (path: string, headers: Record<string, string> = {}) => {
    await (
      await fetch(twin.origin + path, { headers: { ...bearer('demo-pro'), ...headers } })
    ).text();
  };
  const open = (path = '', headers: Record<string, string> = {}) =>
    openStream(`${twin.origin}/__admin/requests/stream${path}`, headers);
  return { twin, send, open };
}

it('sends each request as it arrives, and no earlier ones', async () => {
  const { send, open } = await startStream();
  await send('/v1/pets?before');
  const stream = await open();
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
  expect(stream.response.headers.get('cache-control')).toBe('no-store');
  expect(await stream.next()).toEqual({ comment: 'requests as they come' });
  await send('/v1/pets?a');
  expect(await stream.nextExchange()).toBe('2 /v1/pets?a');
  await Promise.all([send('/v1/pets?b'), send('/v1/pets?b'), send('/v1/pets?b')]);
  expect([
    await stream.nextExchange(),
    await stream.nextExchange(),
    await stream.nextExchange(),
  ]).toEqual(['3 /v1/pets?b', '4 /v1/pets?b', '5 /v1/pets?b']);
});

it('resumes after the last entry that a client had, or after the one that it asks for', async () => {
  const { twin, send, open } = await startStream();
  for (const name of ['a', 'b', 'c']) await send(`/v1/pets?${name}`);
  for (const stream of [
    await open('', { 'Last-Event-ID': '1' }),
    await open('?since=1'),
    await open('?since=0', { 'Last-Event-ID': '1' }),
  ]) {
    expect(await stream.nextExchange()).toBe('2 /v1/pets?b');
    expect(await stream.nextExchange()).toBe('3 /v1/pets?c');
  }
  const all = await open('?since=2020-01-01T00:00:00Z');
  expect(await all.nextExchange()).toBe('1 /v1/pets?a');
  const refused = await fetch(`${twin.origin}/__admin/requests/stream`, {
    headers: { 'Last-Event-ID': 'x' },
  });
  expect(await refused.json()).toMatchObject({ status: 400, code: 'invalid_parameter' });
});

it('sends what the query asks for', async () => {
  const { send, open } = await startStream();
  const stream = await open('?unmatched=true');
  await send('/v1/pets');
  await send('/v1/cats');
  expect(await stream.nextExchange()).toBe('2 /v1/cats');
});

it('tells that some made room for others', async () => {
  const { send, open } = await startStream({ journalEntries: 2 });
  for (const name of ['a', 'b', 'c', 'd']) await send(`/v1/pets?${name}`);
  const stream = await open('', { 'Last-Event-ID': '1' });
  expect([
    await stream.nextExchange(),
    await stream.nextExchange(),
    await stream.nextExchange(),
  ]).toEqual(['gap', '3 /v1/pets?c', '4 /v1/pets?d']);
});

it('tells a client that had more than there ever was, as of a twin before, and goes on from the first', async () => {
  const { send, open } = await startStream();
  await send('/v1/pets?a');
  const stream = await open('', { 'Last-Event-ID': '500' });
  expect(await stream.nextExchange()).toBe('gap');
  expect(await stream.nextExchange()).toBe('1 /v1/pets?a');
  await send('/v1/pets?b');
  expect(await stream.nextExchange()).toBe('2 /v1/pets?b');
});

it('listens no more once its client has left', async () => {
  const { journal, opened, port } = await serveStream();
  let listeners = 0;
  const { subscribe } = journal;
  journal.subscribe = (subscriber) => {
    const stop = subscribe(subscriber);
    listeners += 1;
    return () => {
      stop();
      listeners -= 1;
    };
  };
  const stream = await openStream(`http://127.0.0.1:${port}`);
  const response = await opened;
  expect(listeners).toBe(1);
  stream.leave();
  await once(response, 'close');
  expect(listeners).toBe(0);
});

it('works for each sandbox, and ends with it', async () => {
  const { twin, send } = await startStream();
  const stream = await openStream(`${twin.origin}/sandboxes/a/__admin/requests/stream`);
  await send('/v1/pets?default');
  await send('/sandboxes/a/v1/pets?a');
  expect(await stream.nextExchange()).toBe('2 /v1/pets?a');
  await fetch(`${twin.origin}/__admin/sandboxes/a`, { method: 'DELETE' });
  expect(await stream.next()).toBeUndefined();
});

it('ends when the twin closes, and does not keep it from that', async () => {
  const { twin, open } = await startStream({ timeouts: { stop: 60_000 } });
  const stream = await open();
  await stream.next();
  await twin.close();
  expect(await stream.next()).toBeUndefined();
});

it('answers HEAD without a stream', async () => {
  const { twin } = await startStream();
  const response = await fetch(`${twin.origin}/__admin/requests/stream`, { method: 'HEAD' });
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream',
  ]);
});

/**
 * A journal with room for a few, a stream of it on a server of its own, and the response that it is
 * sent on.
 */
async function serveStream({ heartbeat = 60_000, entries = 5 } = {}) {
  const journals = createJournals({ entries, secrets: [] });
  const journal = journals.open();
  const record = (text: string, id = journals.nextId()) => {
    const nothing = { body: undefined, wholeBody: undefined, wholeContent: undefined, size: 0 };
    const request = {
      method: 'GET',
      target: '/',
      httpVersion: '1.1',
      prefix: '',
      secure: false,
      rawHeaders: [],
    };
    const answer = {
      reason: { step: 'behaviour', kind: 'list' },
      status: 200,
      fields: [],
      content: toByteText(text),
    } as const;
    const when = { at: 0, clockOffset: 0, microseconds: 1, operation: 'x', key: undefined };
    journal.record({
      id,
      sandbox: 'default',
      ...when,
      ...request,
      ...nothing,
      ...answer,
    });
  };
  const opened = Promise.withResolvers<ServerResponse>();
  const server = createServer((_, response) => {
    streamRequests(response, { journal, filter: {}, after: 0, heartbeat });
    opened.resolve(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { journal, record, opened: opened.promise, port: (server.address() as AddressInfo).port };
}

it('says now and then that it is alive', async () => {
  const { port } = await serveStream({ heartbeat: 5 });
  const stream = await openStream(`http://127.0.0.1:${port}`);
  expect([await stream.next(), await stream.next(), await stream.next()]).toEqual([
    { comment: 'requests as they come' },
    { comment: '' },
    { comment: '' },
  ]);
});

it('tells a client that ids begin anew, and goes on from the first', async () => {
  const { port, record, journal } = await serveStream();
  const stream = await openStream(`http://127.0.0.1:${port}`);
  record('x');
  record('x');
  expect([await stream.nextExchange(), await stream.nextExchange()]).toEqual(['1 /', '2 /']);
  journal.restart();
  record('x', 1);
  expect([await stream.nextExchange(), await stream.nextExchange()]).toEqual(['gap', '1 /']);
});

it('buffers at most one request for a client that does not read, and continues when it does', async () => {
  const { port, opened, record } = await serveStream();
  const client = connect(port, '127.0.0.1').pause();
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const response = await opened;
  const text = 'x'.repeat(60_000);
  let max = 0;
  for (let sent = 0; sent < 400; sent++) {
    record(text);
    await new Promise((resolve) => setImmediate(resolve));
    max = Math.max(max, response.writableLength);
  }
  expect(max).toBeGreaterThan(60_000);
  expect(max).toBeLessThan(2 * response.writableHighWaterMark + 60_000);
  let received = '';
  client
    .setEncoding('latin1')
    .on('data', (chunk) => (received += chunk))
    .resume();
  while (!received.includes('id: 400\n')) await once(client, 'data');
  expect(received).toContain('event: gap\n');
  client.destroy();
  await once(response, 'close');
});

it('cuts a client that does not read when the journal closes', async () => {
  const { port, opened, record, journal } = await serveStream();
  const client = connect(port, '127.0.0.1').pause();
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const response = await opened;
  while (response.writableNeedDrain === false) {
    record('x'.repeat(60_000));
    await new Promise((resolve) => setImmediate(resolve));
  }
  journal.close();
  await once(response, 'close');
  expect(response.destroyed).toBe(true);
  client.destroy();
});
