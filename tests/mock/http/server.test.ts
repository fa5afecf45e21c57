import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { animal, get, post } from '../../support/bad-input.ts';
import { openRaw, type RawConnection, sendRaw } from '../../support/raw-socket.ts';
import { bearer, openTestTwin, projectFile, startTwin, type TestTwin } from '../../support/twin.ts';

const keepAlive = { Connection: undefined };
const megabyte = Buffer.alloc(1024 * 1024, ' ');
const chunkedMegabyte = Buffer.concat([Buffer.from('100000\r\n'), megabyte, Buffer.from('\r\n')]);

/** Runs the mock as a process of its own, and gives its origin. */
async function startProcess() {
  const args = ['mock/start.js', '--port', '0', '--disable-banner', '--rate-limits', 'off'];
  const child = spawn(process.execPath, args, {
    ...{ cwd: projectFile(''), stdio: ['ignore', 'pipe', 'pipe'] },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [address] = await once(child.stdout as NodeJS.ReadableStream, 'data');
  const { origin } = new URL(String(address).trim());
  return { child, origin, stopping: once(child.stderr as NodeJS.ReadableStream, 'data') };
}

type Outcome = number | 'dropped';

/**
 * Calls again and again on one connection until an answer closes it; tells of each call whether it
 * had its answer. A busy machine may call so late that the connection was idle.
 */
async function keepCalling(connection: RawConnection, bytes: Buffer, outcomes: Outcome[]) {
  for (;;) {
    const begun = performance.now();
    await connection.send(bytes);
    const answer = await connection.next();
    const isLate = performance.now() - begun > 200;
    if (answer || !isLate) outcomes.push(answer?.status ?? 'dropped');
    if (!answer || answer.headers.connection === 'close') break;
  }
  await connection.finish();
}

it('answers every request that reached it before SIGTERM under load, takes no new connection and exits with 0', async () => {
  const { child, origin, stopping } = await startProcess();
  const exited = once(child, 'exit');
  const connections = await Promise.all(Array.from({ length: 12 }, () => openRaw(origin)));
  const slow = await openRaw(origin);
  const bytes = post(animal, keepAlive);
  await slow.send(bytes.subarray(0, -5));
  const outcomes: Outcome[][] = connections.map(() => []);
  const [list, create] = [get('/v1/pets?limit=5', keepAlive), post(animal, keepAlive)];
  const calls = connections.map((connection, index) =>
    keepCalling(connection, index % 2 ? create : list, outcomes[index] ?? []),
  );
  // Under load however slow the machine is.
  await vi.waitUntil(() => outcomes.every(({ length }) => length > 5), { timeout: 20_000 });
  child.kill('SIGTERM');
  await stopping;
  await expect(openRaw(origin)).rejects.toThrow('ECONNREFUSED');
  await pause(600);
  await slow.send(bytes.subarray(-5));
  expect(await slow.next()).toMatchObject({ status: 201, headers: { connection: 'close' } });

  await Promise.all(calls);
  for (const [index, statuses] of outcomes.entries()) {
    expect(statuses.length).toBeGreaterThan(5);
    expect(new Set(statuses)).toEqual(new Set([index % 2 ? 201 : 200]));
  }
  await slow.finish();
  expect(await exited).toEqual([0, null]);
});

it('exits at once on a second signal', async () => {
  const { child, origin, stopping } = await startProcess();
  const exited = once(child, 'exit');
  const waiting = await openRaw(origin);
  await waiting.send(post(animal).subarray(0, -5));
  await pause(100);
  child.kill('SIGTERM');
  await stopping;
  const begun = performance.now();
  child.kill('SIGTERM');
  expect(await exited).toEqual([143, null]);
  expect(performance.now() - begun).toBeLessThan(1000);
  await waiting.finish();
});

it('stops within bounds while a client never finishes its request', async () => {
  const twin = await openTestTwin({ timeouts: { stop: 500 } });
  const waiting = await openRaw(twin.origin);
  await waiting.send(post(animal).subarray(0, -5));
  await pause(50);
  const begun = performance.now();
  await twin.close();
  expect(performance.now() - begun).toBeLessThan(2000);
  expect((await waiting.finish()).answers).toEqual([]);
});

it('says on open connections that it stops, and refuses new ones', async () => {
  const twin = await openTestTwin();
  const connection = await openRaw(twin.origin);
  const health = get('/__admin/health', keepAlive);
  await connection.send(health);
  expect(await connection.next()).toMatchObject({ status: 200 });
  const closed = twin.close();
  await connection.send(health);
  const answer = await connection.next();
  const headers = { connection: 'close', 'retry-after': '1' };
  expect(answer).toMatchObject({ status: 503, headers });
  const stopping = { code: 'starting_or_stopping', status: 503 };
  expect(JSON.parse(answer?.text ?? '')).toMatchObject(stopping);
  await expect(openRaw(twin.origin)).rejects.toThrow('ECONNREFUSED');
  expect((await connection.finish()).end).toBe('closed');
  await closed;
});

it('cuts a client that is slow with its headers with 408', async () => {
  const { origin } = await startTwin({ timeouts: { headers: 300, request: 5000 } });
  const connection = await openRaw(origin);
  const trickle = pauseBetween(connection, get('/v1/pets').toString().slice(0, 15));
  const { answers, end } = await connection.finish();
  await trickle;
  const [answer, ...others] = answers;
  expect(answer).toMatchObject({ status: 408, headers: { connection: 'close' } });
  expect(JSON.parse(answer?.text ?? '').code).toBe('request_timeout');
  expect(answer?.headers).toHaveProperty('x-ratelimit-reset');
  expect(others).toEqual([]);
  expect(end).toBe('closed');
});

it('cuts a client that is slow with its body with 408, and stores nothing when the rest comes too late', async () => {
  const { origin, app } = await startTwin({ timeouts: { headers: 300, request: 300 } });
  const before = await app.store.count('pets');
  const connection = await openRaw(origin);
  const bytes = post(animal);
  await connection.send(bytes.subarray(0, -5));
  expect(await connection.next()).toMatchObject({ status: 408 });
  await connection.send(bytes.subarray(-5));
  const { answers, end } = await connection.finish();
  expect(answers).toHaveLength(1);
  expect(end).not.toBe('open');
  await pause(100);
  expect(await app.store.count('pets')).toBe(before);
});

it('closes an idle connection without a word', async () => {
  const { origin } = await startTwin({ timeouts: { keepAlive: 100 } });
  const connection = await openRaw(origin);
  await connection.send(get('/v1/pets', keepAlive));
  expect(await connection.next()).toMatchObject({ status: 200 });
  const { answers, end, rest } = await connection.finish();
  expect([answers.length, rest, end]).toEqual([1, '', 'closed']);
});

async function pauseBetween(connection: RawConnection, text: string): Promise<void> {
  for (const character of text) {
    await connection.send(character);
    await pause(50);
  }
}

const refusals = [
  { status: 401, fields: { Authorization: 'Bearer nobody' } },
  { status: 413, fields: {} },
  { status: 415, fields: { 'Content-Type': 'text/plain' } },
  { status: 429, fields: { Authorization: 'Bearer demo-free' } },
];

let shared: TestTwin;
beforeAll(async () => {
  shared = await openTestTwin();
  shared.app.clock.freeze(Date.UTC(2026, 0, 1));
  const list = () => fetch(`${shared.api}/pets?limit=1`, { headers: bearer('demo-free') });
  await Promise.all(Array.from({ length: 60 }, list));
});
afterAll(() => shared.close());

it.each(refusals)(
  'answers $status while 8 MB are on their way, and goes on with the connection',
  async ({ status, fields }) => {
    const { origin } = shared;
    const chunked = { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' };
    const framings = [
      [{ 'Content-Length': String(8 * megabyte.length) }, megabyte, ''],
      [chunked, chunkedMegabyte, '0\r\n\r\n'],
    ] as const;
    for (const [framing, piece, last] of framings) {
      const connection = await openRaw(origin);
      await connection.send(post('', { ...keepAlive, ...framing, ...fields }));
      await connection.send(piece);
      await connection.send(piece);
      expect(await connection.next()).toMatchObject({ status });
      for (let sent = 2; sent < 8; sent++) await connection.send(piece);
      await connection.send(last + get('/v1/pets'));
      expect(await connection.next()).toMatchObject({ status: 200 });
      expect(await connection.finish()).toMatchObject({ end: 'closed', rest: '' });
    }
  },
);

it.each(refusals.slice(0, 2))(
  'answers $status to an endless body at once, and cuts it',
  async ({ status, fields }) => {
    const { origin } = shared;
    const connection = await openRaw(origin);
    const chunked = { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' };
    let open = true;
    const endless = (async () => {
      await connection.send(post('', { ...keepAlive, ...chunked, ...fields }));
      while (open) {
        await connection.send(chunkedMegabyte);
        await pause(20);
      }
    })();
    const begun = performance.now();
    expect(await connection.next()).toMatchObject({ status });
    expect(performance.now() - begun).toBeLessThan(1000);
    const { answers, end } = await connection.finish();
    open = false;
    await endless;
    expect(answers).toHaveLength(1);
    expect(end).not.toBe('open');
  },
);

it('asks for the body of a client that waits to be asked', async () => {
  const { origin } = shared;
  const connection = await openRaw(origin);
  const bytes = post(animal, { Expect: '100-continue' });
  await connection.send(bytes.subarray(0, -animal.length));
  expect(await connection.next()).toMatchObject({ status: 100, text: '' });
  await connection.send(animal);
  expect(await connection.next()).toMatchObject({ status: 201 });
  expect((await connection.finish()).end).toBe('closed');
});

it.each(refusals)(
  'answers $status to a client that waits to be asked, without asking',
  async ({ status, fields }) => {
    const { origin } = shared;
    const connection = await openRaw(origin);
    const waiting = { Expect: '100-continue', 'Content-Length': '8000000' };
    await connection.send(post('', { ...keepAlive, ...waiting, ...fields }));
    const { answers, end } = await connection.finish();
    expect(answers).toMatchObject([{ status, headers: { connection: 'close' } }]);
    expect(end).toBe('closed');
  },
);

it('answers pipelined requests in order before it refuses the garbage behind them', async () => {
  const { origin } = shared;
  const paths = ['/v1/pets/2', '/v1/pets/1', '/v1/pets?limit=1'];
  const requests = paths.map((path) => get(path, keepAlive));
  const bytes = Buffer.concat([...requests, Buffer.from('\0\0garbage\r\n\r\n')]);
  const { answers, end, rest } = await sendRaw(origin, bytes);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 400]);
  expect(answers.slice(0, 2).map(({ text }) => JSON.parse(text).id)).toEqual([2, 1]);
  expect([rest, end]).toEqual(['', 'closed']);
});

it.each([
  ['GET', get('/v1/pets/1', { Connection: 'Upgrade', Upgrade: 'h2c' })],
  ['POST', post(animal, { Connection: 'keep-alive, upgrade', Upgrade: 'h2c' })],
])(
  'closes the connection of a %s that asks for another protocol, as what follows it is lost',
  async (_, first) => {
    const bytes = Buffer.concat([first, get('/v1/pets/2')]);
    const { answers, end } = await sendRaw(shared.origin, bytes);
    expect(answers.map(({ headers }) => headers.connection)).toEqual(['close']);
    expect(answers[0]?.status).toBeLessThan(300);
    expect(end).toBe('closed');
  },
);

it('makes requests and responses as Express wants them, and changes the prototype of none', async () => {
  const twin = await startTwin();
  // Makes the router of its path.
  await fetch(`${twin.api}/pets`);
  const changed: unknown[] = [];
  const set = vi.spyOn(Object, 'setPrototypeOf').mockImplementation((object, prototype) => {
    if (Reflect.getPrototypeOf(object) !== prototype) changed.push(object.constructor.name);
    Reflect.setPrototypeOf(object, prototype);
    return object;
  });
  try {
    expect((await fetch(`${twin.api}/pets`, { headers: bearer('demo-pro') })).status).toBe(200);
    expect(set).toHaveBeenCalledTimes(2);
    expect(changed).toEqual([]);
  } finally {
    set.mockRestore();
  }
});
