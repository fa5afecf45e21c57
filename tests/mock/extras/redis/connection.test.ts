import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { parseRedisUrl, type RedisAddress } from '../../../../mock/extras/redis/address.ts';
import {
  type Connection,
  type ConnectionOptions,
  openConnection,
} from '../../../../mock/extras/redis/connection.ts';
import { StoreError } from '../../../../mock/sandboxes/backend.ts';
import { StoreUnavailableError } from '../../../../mock/state/store.ts';
import { findFreePort } from '../../../support/free-port.ts';
import { startProxy } from '../../../support/holding-proxy.ts';
import { describeWithRedis, startRedis } from '../../../support/redis-server.ts';

function toAddress(url: string): RedisAddress {
  return parseRedisUrl(url) as RedisAddress;
}

async function connect(url: string, options: ConnectionOptions = {}): Promise<Connection> {
  const connection = await openConnection(toAddress(url), options);
  onTestFinished(() => connection.close());
  return connection;
}

async function problemOf(promise: Promise<unknown>): Promise<Error> {
  return await promise.then(
    () => expect.unreachable('it did not fail'),
    (error) => error,
  );
}

/** How it fails without waiting for anything, however long this process is kept from running. */
async function problemAtOnce(promise: Promise<unknown>): Promise<unknown> {
  const turns = async () => {
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    return 'it waits';
  };
  return await Promise.race([problemOf(promise), turns()]);
}

describeWithRedis('a connection to Redis', () => {
  it('runs commands on the database of its URL', async () => {
    const server = await startRedis();
    const connection = await connect(`redis://127.0.0.1:${server.port}/3`);
    await connection.send('SET', 'name', 'Rex');
    expect(server.command('-n', '3', 'GET', 'name')).toBe('Rex');
  });

  it('says at the start that nothing answers, and where', async () => {
    const port = await findFreePort();
    const error = await problemOf(connect(`redis://127.0.0.1:${port}/0`, { patience: 200 }));
    expect(error).toBeInstanceOf(StoreError);
    expect(error.message).toBe(
      `The store at redis://127.0.0.1:${port}/0 cannot be reached (ECONNREFUSED).`,
    );
  });

  it('waits at the start for a server that is not there yet', async () => {
    const server = await startRedis();
    await server.kill();
    const opening = connect(server.url);
    await server.restart();
    expect(await (await opening).send('PING')).toBe('PONG');
  });

  it('signs in, and says at once that a password is wrong without showing it', async () => {
    const server = await startRedis(['--requirepass', 'corr3ct']);
    const url = (user: string) => `redis://${user}@127.0.0.1:${server.port}/0`;
    expect(await (await connect(url(':corr3ct'))).send('PING')).toBe('PONG');
    expect(await (await connect(url('default:corr3ct'))).send('PING')).toBe('PONG');
    for (const user of [':hunter2', 'qa:hunter2']) {
      const error = await problemOf(connect(url(user)));
      expect(error.message).toContain('answers "WRONGPASS');
      expect(error.message).not.toContain('hunter2');
    }
    const error = await problemOf(connect(server.url));
    expect(error.message).toContain('answers "NOAUTH');
    const { port } = await startRedis();
    const unwanted = await problemOf(connect(`redis://:hunter2@127.0.0.1:${port}/0`));
    expect(unwanted.message).toMatch(/without any password configured/);
  });

  it('says that the server has no such database', async () => {
    const server = await startRedis();
    const error = await problemOf(connect(`redis://127.0.0.1:${server.port}/99`));
    expect(error.message).toContain('DB index is out of range');
  });

  it('is refused by a server that evicts what it holds', async () => {
    const server = await startRedis(['--maxmemory', '50mb', '--maxmemory-policy', 'allkeys-lru']);
    const error = await problemOf(connect(server.url));
    expect(error.message).toContain('Set maxmemory-policy to noeviction.');
  });

  it('fails at once while the server is gone, and comes back by itself', async () => {
    const server = await startRedis();
    const connection = await connect(server.url);
    await server.kill();
    await expect.poll(() => problemOf(connection.send('PING'))).toBeInstanceOf(Error);
    const error = await problemAtOnce(connection.send('PING'));
    expect(error).toBeInstanceOf(StoreUnavailableError);
    expect((error as Error).message).toContain('cannot be reached');
    await server.restart();
    await expect.poll(() => connection.send('PING').catch(() => undefined)).toBe('PONG');
  });

  it('gives up on an answer in time, then refuses at once until the server answers', async () => {
    const server = await startRedis();
    const proxy = await startProxy(server.port);
    const connection = await connect(`redis://127.0.0.1:${proxy.port}/0`, { timeLimit: 300 });
    proxy.isHolding = true;
    const error = await problemOf(connection.send('SET', 'name', 'Rex'));
    expect(error).toBeInstanceOf(StoreUnavailableError);
    expect(error.message).toContain('has not answered within 0.3 s');
    expect(await problemAtOnce(connection.send('PING'))).toBeInstanceOf(StoreUnavailableError);
    proxy.release();
    await expect.poll(() => connection.send('PING').catch(() => undefined)).toBe('PONG');
    expect(proxy.connections).toBe(1);
  });

  it('connects anew where a connection is silent for good', async () => {
    const server = await startRedis();
    const proxy = await startProxy(server.port);
    const connection = await connect(`redis://127.0.0.1:${proxy.port}/0`, { timeLimit: 100 });
    proxy.isHolding = true;
    await problemOf(connection.send('PING'));
    await expect.poll(() => proxy.connections).toBe(2);
    proxy.release();
    await expect.poll(() => connection.send('PING').catch(() => undefined)).toBe('PONG');
  });

  it('waits for the answer to a script that may take longer, though others give up', async () => {
    const server = await startRedis();
    const connection = await connect(server.url, { timeLimit: 100 });
    // Makes the server busy for a second.
    const text = `local t = redis.call('TIME') local from = t[1] * 1e6 + t[2]
      repeat t = redis.call('TIME') until t[1] * 1e6 + t[2] > from + 1e6 return 'done'`;
    const hash = server.command('SCRIPT', 'LOAD', text);
    const running = connection.run({ text, hash }, ['p', 'n'], 60_000);
    expect((await problemOf(connection.send('PING'))).message).toContain('within 0.1 s');
    expect(await running).toBe('done');
    expect(await connection.send('PING')).toBe('PONG');
  });

  it('refuses a cluster', async () => {
    const server = await startRedis(['--cluster-enabled', 'yes']);
    expect((await problemOf(connect(server.url))).message).toContain('is a cluster. Use a server');
  });

  it.each([
    [
      'full',
      'answers "OOM',
      ['CONFIG', 'SET', 'maxmemory', '1'],
      ['CONFIG', 'SET', 'maxmemory', '0'],
    ],
    ['a replica', 'answers "READONLY', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE']],
  ])('says that the server is %s, as long as it is', async (_, reason, begin, end) => {
    const server = await startRedis();
    const connection = await connect(server.url);
    server.command(...begin);
    const error = await problemOf(connection.send('SET', 'name', 'Rex'));
    expect(error).toBeInstanceOf(StoreUnavailableError);
    expect(error.message).toContain(reason);
    server.command(...end);
    expect(await connection.send('SET', 'name', 'Rex')).toBe('OK');
  });

  it('passes on what is wrong with a command, as that is no state of the server', async () => {
    const server = await startRedis();
    const connection = await connect(server.url);
    const error = await problemOf(connection.send('HGET', 'name'));
    expect(error).not.toBeInstanceOf(StoreUnavailableError);
  });
});
