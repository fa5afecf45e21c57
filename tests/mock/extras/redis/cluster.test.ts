import { expect, it } from 'vitest';
import { findFreePort } from '../../../support/free-port.ts';
import { describeWithRedis, type RedisServer, startRedis } from '../../../support/redis-server.ts';
import { type Replica, startReplicas } from '../../../support/replicas.ts';

/** Starts a cluster of three nodes, each with a third of the slots. */
async function startCluster(): Promise<[RedisServer, RedisServer, RedisServer]> {
  const nodes = await Promise.all(
    [0, 1, 2].map(async () => {
      const busPort = await findFreePort();
      return await startRedis([
        ...['--cluster-enabled', 'yes', '--cluster-port', String(busPort)],
        ...['--cluster-node-timeout', '2000'],
      ]);
    }),
  );
  const [first] = nodes as [RedisServer];
  const ranges = ['0 5460', '5461 10922', '10923 16383'];
  for (const [at, node] of nodes.entries()) {
    node.command('CLUSTER', 'ADDSLOTSRANGE', ...(ranges[at] as string).split(' '));
    node.command('CLUSTER', 'SET-CONFIG-EPOCH', String(at + 1));
  }
  for (const node of nodes.slice(1)) {
    const bus = /@(\d+)/.exec(node.command('CLUSTER', 'NODES'))?.[1] ?? '';
    first.command('CLUSTER', 'MEET', '127.0.0.1', String(node.port), bus);
  }
  for (const node of nodes)
    await expect
      .poll(() => node.command('CLUSTER', 'INFO'))
      .toMatch(/cluster_state:ok[\s\S]*cluster_known_nodes:3/);
  return nodes as [RedisServer, RedisServer, RedisServer];
}

describeWithRedis('replicas on a cluster', () => {
  it('share items, limits, sandboxes, snapshots and the journal, whichever node holds them', async () => {
    const nodes = await startCluster();
    const replicas = [
      ...(await startReplicas(1, { store: nodes[0].url })),
      ...(await startReplicas(1, { store: nodes[2].url })),
    ] as [Replica, Replica];
    const [one, two] = replicas;
    const names = ['default', 'a', 'b', 'c', 'd', 'e', 'f'];
    for (const name of names) {
      expect(await one.create('Rex', name)).toBe(121);
      expect(await two.create('Tom', name)).toBe(122);
    }
    const slots = names.map((name) =>
      Number(nodes[0].command('CLUSTER', 'KEYSLOT', `petstore-twin:{${name}}:head`)),
    );
    expect(new Set(slots.map((slot) => Math.floor(slot / 5461))).size).toBeGreaterThan(1);
    await one.admin('PUT', 'snapshots/s', undefined, 'b');
    const noon = { action: 'freeze', instant: '2026-01-15T12:00:00Z' };
    await one.admin('PUT', 'clock', noon, 'b');
    await one.admin('POST', 'faults', { every: 2, status: 500 }, 'b');
    await two.admin('POST', 'limits/demo-free', { exhaust: 'minute' }, 'b');
    const refused = await one.send('GET', '/pets', { key: 'demo-free', sandbox: 'b' });
    expect(refused.status).toBe(429);
    expect((await one.send('GET', '/pets', { sandbox: 'b' })).status).toBe(200);
    expect((await two.send('GET', '/pets', { sandbox: 'b' })).status).toBe(500);
    await two.admin('POST', 'reset', undefined, 'b');
    expect(await one.create('Rex', 'b')).toBe(121);
    expect((await two.admin('POST', 'snapshots/s/restore', undefined, 'b')).status).toBe(200);
    expect(await one.create('Rex', 'b')).toBe(123);
    const { body } = await two.admin('GET', 'sandboxes');
    expect(body.sandboxes).toHaveLength(names.length);
    const total = async () => (await two.admin('GET', 'requests')).body.meta.total;
    await expect.poll(total).toBe(2);
    expect((await one.admin('GET', 'health')).status).toBe(200);
    for (const replica of replicas) expect(replica.lines.join('')).not.toContain('failed');
  });

  it('answer 503 for what a lost node held, and come back with it', async () => {
    const nodes = await startCluster();
    const [one] = (await startReplicas(1, { store: nodes[0].url })) as [Replica];
    await one.create();
    const slot = Number(nodes[0].command('CLUSTER', 'KEYSLOT', 'petstore-twin:{default}:head'));
    const holder = nodes[Math.floor(slot / 5461)] as RedisServer;
    await holder.kill();
    await expect.poll(async () => (await one.send('GET', '/pets')).status).toBe(503);
    expect((await one.send('GET', '/pets')).body.code).toBe('store_unavailable');
    await holder.restart();
    await expect
      .poll(async () => (await one.send('GET', '/pets')).status, { timeout: 30_000 })
      .toBe(200);
  });
});
