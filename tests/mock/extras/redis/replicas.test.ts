import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDomainsClient } from '../../../support/domains-client.ts';
import { describeWithRedis, openRedis, type RedisServer } from '../../../support/redis-server.ts';
import { type Replica, startReplicas } from '../../../support/replicas.ts';
import { sendAs } from '../../../support/send-as.ts';

let server: RedisServer;
let opened = 0;

const start = async (count: number, settings: Parameters<typeof startReplicas>[1] = {}) =>
  (await startReplicas(count, {
    store: `${server.url}?prefix=replicas-${++opened}`,
    ...settings,
  })) as [Replica, Replica, Replica];

describeWithRedis('replicas on one Redis', () => {
  beforeAll(async () => {
    server = await openRedis();
  });
  afterAll(() => server?.close());

  it('serve a domain, and stop, as soon as any of them added or removed it', async () => {
    const [one, two] = await start(2);
    const name = 'docs.example.com';
    const client = createDomainsClient(one, '/sandboxes/a');
    const visit = async ({ origin }: Replica, sandbox?: string) => {
      const headers = { Host: name, ...(sandbox && { 'X-Sandbox': sandbox }) };
      return (await sendAs(origin, { headers })).status;
    };
    await client.activate(name);
    // The second has never used the sandbox.
    expect([await visit(two, 'a'), await visit(two)]).toEqual([200, 200]);
    await client.call('DELETE', `domains/${name}`);
    expect([await visit(two, 'a'), await visit(two)]).toEqual([404, 404]);
    await client.add(name);
    await client.advance(60_000);
    expect(await visit(two)).toBe(200);
    await one.admin('DELETE', 'sandboxes/a');
    expect([await visit(two, 'a'), await visit(two)]).toEqual([403, 403]);
    expect((await one.admin('GET', 'sandboxes')).body.sandboxes).toHaveLength(1);
  });
});
