import { expect, it } from 'vitest';
import { startProxy } from '../../../support/holding-proxy.ts';
import { describeWithRedis, startRedis } from '../../../support/redis-server.ts';
import { type Replica, startReplica, startReplicas } from '../../../support/replicas.ts';

const limitHeaders = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

/** Sees that a twin says that its store is unavailable, in time and for this reason, and nothing else. */
async function expectUnavailable(replica: Replica, reason: RegExp): Promise<void> {
  const start = performance.now();
  const answers = [
    await replica.send('GET', '/pets'),
    await replica.send('POST', '/pets', { body: { name: 'Rex', categoryId: 1 } }),
  ];
  expect(performance.now() - start).toBeLessThan(3000);
  for (const { status, headers, body } of answers) {
    expect(body).toEqual({
      code: 'store_unavailable',
      message: expect.stringMatching(reason),
      status: 503,
    });
    expect([status, headers.get('content-type')]).toEqual([503, 'application/json']);
    for (const name of limitHeaders) expect(headers.get(name), name).toMatch(/^\d+$/);
  }
  const health = await replica.admin('GET', 'health');
  expect([health.status, health.body.message]).toEqual([503, expect.stringMatching(reason)]);
  const changed = await replica.admin('POST', 'reset');
  expect([changed.status, changed.body.code]).toEqual([503, 'store_unavailable']);
}

/** Sees that a twin works again by itself. */
async function expectBack(replica: Replica): Promise<void> {
  await expect.poll(async () => (await replica.admin('GET', 'health')).status).toBe(200);
  expect((await replica.send('GET', '/pets')).status).toBe(200);
}

const idsOf = async (replica: Replica): Promise<number[]> =>
  (await replica.admin('GET', 'data/pets')).body.items.map(({ id }: { id: number }) => id);

describeWithRedis('a twin whose Redis', () => {
  it('is gone answers 503, and begins anew with one that lost its data', async () => {
    const server = await startRedis();
    const [one, two] = (await startReplicas(2, { store: server.url })) as [Replica, Replica];
    await one.create();
    await two.admin('PUT', 'clock', { action: 'freeze', instant: '2030-12-05T00:00:00Z' });
    await server.kill();
    await expect.poll(async () => (await one.send('GET', '/pets')).status).toBe(503);
    await expectUnavailable(one, /cannot be reached/);
    await server.restart();
    await expectBack(one);
    await expectBack(two);
    expect((await two.send('GET', '/pets/1')).status).toBe(200);
    expect(await one.create()).toBe(121);
    expect(await two.create()).toBe(122);
    expect(await idsOf(one)).toEqual(await idsOf(two));
  });

  it('is gone and comes back with its data goes on', async () => {
    const server = await startRedis(['--appendonly', 'yes', '--appendfsync', 'always']);
    const replica = await startReplica({ store: server.url });
    const made = [await replica.create(), await replica.create()];
    await replica.send('GET', '/pets', { key: 'demo-free' });
    await replica.admin('POST', 'limits/demo-pro', { ban: 600 });
    const clock = { action: 'freeze', instant: '2030-12-04T00:00:00Z' };
    await replica.admin('PUT', 'clock', clock);
    await server.kill();
    await expect.poll(async () => (await replica.send('GET', '/pets')).status).toBe(503);
    await server.restart();
    await expectBack(replica);
    const another = await startReplica({ store: server.url });
    expect((await idsOf(another)).slice(-2)).toEqual(made);
    expect(await another.create()).toBe(123);
    expect(await idsOf(replica)).toHaveLength(123);
    expect((await another.admin('GET', 'clock')).body.currentInstant).toBe(
      '2030-12-04T00:00:00.000Z',
    );
  });

  it('fails while a snapshot is restored keeps all items as they were', async () => {
    const server = await startRedis();
    const [one, two] = (await startReplicas(2, { store: server.url })) as [Replica, Replica];
    await one.create();
    await one.admin('PUT', 'snapshots/before');
    await one.create();
    const before = await idsOf(one);
    server.command('ACL', 'SETUSER', 'default', '-rename');
    const restored = await one.admin('POST', 'snapshots/before/restore');
    expect(restored.status).toBeGreaterThanOrEqual(500);
    server.command('ACL', 'SETUSER', 'default', '+rename');
    const another = await startReplica({ store: server.url });
    for (const replica of [one, two, another]) expect(await idsOf(replica)).toEqual(before);
  });

  it('loses nothing acknowledged under load where it syncs always, though it is killed', async () => {
    const server = await startRedis(['--appendonly', 'yes', '--appendfsync', 'always']);
    const [one, two] = (await startReplicas(2, { store: server.url })) as [Replica, Replica];
    const acknowledged: number[] = [];
    let isOver = false;
    const work = async (replica: Replica) => {
      while (!isOver) {
        const body = { name: 'Rex', categoryId: 1 };
        const { status, body: pet } = await replica.send('POST', '/pets', { body });
        if (status === 201) acknowledged.push(pet.id);
      }
    };
    const working = [one, two, one, two].map(work);
    for (let turn = 0; turn < 2; turn++) {
      const before = acknowledged.length;
      await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 20);
      await server.kill();
      await server.restart();
    }
    isOver = true;
    await Promise.all(working);
    await expectBack(one);
    await expectBack(two);
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
    const [left, right] = await Promise.all([idsOf(one), idsOf(two)]);
    expect(left).toEqual(right);
    expect(acknowledged.filter((id) => !left.includes(id))).toEqual([]);
  });

  it('is slow answers 503 in a second, then at once', async () => {
    const server = await startRedis();
    const proxy = await startProxy(server.port);
    const replica = await startReplica({ store: `redis://127.0.0.1:${proxy.port}/0` });
    await replica.create();
    proxy.isHolding = true;
    await replica.send('GET', '/pets');
    const { sends } = proxy;
    await expectUnavailable(replica, /has not answered within 1 s/);
    expect(proxy.sends).toBe(sends);
    proxy.release();
    await expectBack(replica);
    expect(await idsOf(replica)).toHaveLength(121);
  });

  it('is full answers 503 as long as it is, in every sandbox, and counts nothing', async () => {
    const server = await startRedis();
    const replica = await startReplica({ store: server.url });
    await replica.create();
    await replica.create('Rex', 'qa');
    const clock = { action: 'freeze', instant: '2030-12-04T00:00:00Z' };
    for (const sandbox of [undefined, 'qa']) await replica.admin('PUT', 'clock', clock, sandbox);
    const count = async (sandbox?: string) =>
      (await replica.admin('GET', 'limits/demo-free', undefined, sandbox)).body.minute.used;
    await replica.send('GET', '/pets', { key: 'demo-free', sandbox: 'qa' });
    server.command('CONFIG', 'SET', 'maxmemory', '1');
    await expectUnavailable(replica, /answers "OOM/);
    for (const sandbox of [{}, { sandbox: 'qa' }, { sandbox: 'new' }]) {
      const refused = await replica.send('GET', '/pets', { key: 'demo-free', ...sandbox });
      expect([refused.status, refused.body.code]).toEqual([503, 'store_unavailable']);
    }
    expect([await count(), await count('qa')]).toEqual([0, 1]);
    server.command('CONFIG', 'SET', 'maxmemory', '0');
    await expectBack(replica);
    expect([await count(), await count('qa')]).toEqual([0, 1]);
    expect(await replica.create()).toBe(122);
  });

  it('is refused with another seed, unless it is to begin anew', async () => {
    const server = await startRedis();
    const one = await startReplica({ store: server.url, seed: 1 });
    await one.create();
    await expect(startReplica({ store: server.url, seed: 2 })).rejects.toThrow(
      /seed.*--reset-store/,
    );
    const two = await startReplica({ store: server.url, seed: 2, resetStore: true });
    expect(await idsOf(two)).toHaveLength(120);
    const health = await one.admin('GET', 'health');
    expect([health.status, JSON.stringify(health.body)]).toEqual([
      503,
      expect.stringContaining('seed'),
    ]);
  });

  it('needs a password is shown without it, in whatever is said', async () => {
    const server = await startRedis(['--requirepass', 'hunter2']);
    const url = `redis://:hunter2@127.0.0.1:${server.port}/0`;
    const replica = await startReplica({ store: url });
    await replica.create();
    const journal = JSON.stringify((await replica.admin('GET', 'requests')).body);
    await server.kill();
    await expect.poll(async () => (await replica.send('GET', '/pets')).status).toBe(503);
    const said = [
      journal,
      JSON.stringify((await replica.send('GET', '/pets')).body),
      JSON.stringify((await replica.admin('GET', 'health')).body),
      JSON.stringify((await replica.admin('GET', 'version')).body),
      ...replica.lines,
    ].join('\n');
    expect(said).toContain(`redis://127.0.0.1:${server.port}/0`);
    expect(said).not.toContain('hunter2');
    const wrong = startReplica({ store: url.replace('hunter2', 'hunter3') });
    const message = await wrong.then(
      () => '',
      ({ message, stack }) => `${message} ${stack}`,
    );
    expect(message).toContain('127.0.0.1');
    expect(message).not.toContain('hunter');
  });
});
