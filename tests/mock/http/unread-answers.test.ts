import { once } from 'node:events';
import { Agent, IncomingMessage, request, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import {
  maxStall,
  maxUnread,
  reserveUnread,
  reserveWritten,
  sendAnswer,
} from '../../../mock/http/send-answer.ts';
import { createTwinServer } from '../../../mock/http/server.ts';
import { get } from '../../support/bad-input.ts';
import { serveMock } from '../../support/run-mock.ts';
import { bearer } from '../../support/twin.ts';

const json = { 'Content-Type': 'application/json' };

/** How many pets of 1 MB: more than an eighth of the heap, and less than the room for items. */
const longPets = 60;

/** A mock whose list of all pets takes all that unread answers may take. */
async function serveLongList() {
  const options = ['--disable-banner', '--rate-limits', 'off', '--pets', '0'];
  const { stdout } = await serveMock(options, { nodeArgs: ['--max-old-space-size=256'] });
  const api = stdout.trim();
  const { origin, port } = new URL(api);
  const headers = { ...json, ...bearer('demo-pro') };
  const create = async (text: string) => {
    const response = await fetch(`${api}/pets`, { method: 'POST', headers, body: text });
    const { status } = response;
    return { status, again: response.headers.get('retry-after'), text: await response.text() };
  };
  for (let count = 0; count < longPets; count++)
    await create(JSON.stringify({ name: 'x'.repeat(1_000_000), categoryId: 1 }));
  const list = async () => {
    const response = await fetch(`${api}/pets?limit=100`, { headers });
    await response.arrayBuffer();
    return response.status;
  };
  const ask = (preferences: Record<string, string> = {}) => {
    const reader = connect(Number(port), '127.0.0.1');
    onTestFinished(() => void reader.destroy());
    reader.write(get('/v1/pets?limit=100', preferences));
    return reader;
  };
  return { admin: `${origin}/__admin`, create, list, ask };
}

it('counts an answer that is delayed, and no longer once its client has gone', async () => {
  const { admin, list, ask } = await serveLongList();
  let waiting: Socket | undefined;
  // The list may be asked for first, and then leaves no room for the delayed one.
  const listBeside = async () => {
    waiting?.destroy();
    waiting = ask({ Prefer: 'delay=60000' });
    await once(waiting, 'connect');
    for (let count = 0; count < 3; count++) await fetch(`${admin}/health`);
    return list();
  };
  await expect.poll(listBeside, { timeout: 15_000 }).toBe(503);
  waiting?.destroy();
  await expect.poll(list, { timeout: 15_000 }).toBe(200);
});

it('refuses a write whose answer has no room before it changes anything', async () => {
  const { admin, create, ask } = await serveLongList();
  await once(ask(), 'readable');
  const pets = async () => {
    const { items } = (await (await fetch(`${admin}/sandboxes/default`)).json()) as {
      items: { pets: number };
    };
    return items.pets;
  };
  const large = JSON.stringify({ name: 'x'.repeat(100_000), categoryId: 1 });
  const refused = await create(large);
  expect(refused).toMatchObject({ status: 503, again: '1' });
  expect(JSON.parse(refused.text)).toMatchObject({
    code: 'unread_answers',
    message: expect.stringMatching(
      /^Responses that clients have not read yet may take \d+ MB together, and there is no room left for this one\. Read them/,
    ),
  });
  expect(await pets()).toBe(longPets);

  const rule = JSON.stringify({ id: 'large', status: 500, body: 'x'.repeat(65_500) });
  for (const [method, path, body] of [
    ['POST', 'faults', rule],
    ['PUT', 'faults/large', rule],
    ['PUT', 'faults', `{"rules":[${rule}]}`],
  ])
    expect(
      (await fetch(`${admin}/${path}`, { method, headers: json, body } as RequestInit)).status,
    ).toBe(503);
  expect(await (await fetch(`${admin}/faults`)).json()).toEqual({ rules: [] });
});

it('counts the longer answer of a request that has changed something, room or not', () => {
  const toResponse = () => new ServerResponse(new IncomingMessage(new Socket()));
  const [reader, writer] = [toResponse(), toResponse()];
  expect(reserveUnread(reader, maxUnread - 100_000)).toBe(true);
  expect(reserveUnread(writer, 90_000)).toBe(true);
  expect(reserveUnread(writer, 110_000)).toBe(false);
  reserveWritten(writer, 110_000);
  expect(reserveUnread(writer, 110_000)).toBe(true);
  expect(reserveUnread(toResponse(), 70_000)).toBe(false);
  writer.emit('close');
  expect(reserveUnread(toResponse(), 100_001)).toBe(false);
  expect(reserveUnread(toResponse(), 100_000)).toBe(true);
  reader.emit('close');
});

it('closes the connection of a client that stops reading a large answer, and leaves the others open', async () => {
  const large = { status: 200, text: 'x'.repeat(20_000_000), mediaType: 'text/plain' };
  const responses: ServerResponse[] = [];
  const server = createTwinServer(
    (_, response) => {
      responses.push(response);
      sendAnswer(response, large, []);
    },
    { headers: () => [], record: () => {} },
  );
  onTestFinished(() => server.close());
  const port = await server.listen(0, '127.0.0.1');

  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const [whole] = await once(request({ port, agent }).end(), 'response');
  const { socket } = (responses[0] as ServerResponse).req;
  await once(whole.resume(), 'end');
  await expect.poll(() => [socket.destroyed, socket.timeout]).toEqual([false, 66_000]);

  const reader = connect(port, '127.0.0.1');
  reader.on('error', () => {}).write(get('/'));
  await once(reader, 'readable');
  const stalled = responses[1] as ServerResponse;
  expect(stalled.req.socket.timeout).toBe(maxStall);
  // What Node emits where nothing was read for so long.
  stalled.req.socket.emit('timeout');
  if (!stalled.closed) await once(stalled, 'close');
  expect([stalled.writableFinished, stalled.req.socket.destroyed]).toEqual([false, true]);
});
