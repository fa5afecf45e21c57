import { once } from 'node:events';
import { request as sendRequest } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDomainsClient } from '../../../support/domains-client.ts';
import { describeWithRedis, openRedis, type RedisServer } from '../../../support/redis-server.ts';
import { type Replica, startReplicas } from '../../../support/replicas.ts';

let server: RedisServer;
let opened = 0;

const start = async (count: number, settings: Parameters<typeof startReplicas>[1] = {}) =>
  (await startReplicas(count, {
    store: `${server.url}?prefix=replicas-${++opened}`,
    ...settings,
  })) as [Replica, Replica, Replica];

const idsOf = async (replica: Replica, sandbox?: string): Promise<number[]> => {
  const { body } = await replica.admin('GET', 'data/pets', undefined, sandbox);
  return body.items.map(({ id }: { id: number }) => id);
};

/** The status of a GET with these headers, which `fetch` would not all send. */
async function statusAt(origin: string, headers: Record<string, string>): Promise<number> {
  const { port } = new URL(origin);
  const [response] = await once(
    sendRequest({ host: '127.0.0.1', port, headers, agent: false }).end(),
    'response',
  );
  response.resume();
  return response.statusCode;
}

describeWithRedis('replicas on one Redis', () => {
  beforeAll(async () => {
    server = await openRedis();
  });
  afterAll(() => server?.close());

  it('give no id twice and lose none, and list the same in the same order', async () => {
    const replicas = await start(3);
    const made = await Promise.all(
      Array.from({ length: 150 }, (_, at) => (replicas[at % 3] as Replica).create(`Rex ${at}`)),
    );
    expect(made.toSorted((left, right) => left - right)).toEqual(
      Array.from({ length: 150 }, (_, at) => 121 + at),
    );
    const lists = await Promise.all(replicas.map((replica) => idsOf(replica)));
    expect(lists[0]).toHaveLength(270);
    expect(lists[1]).toEqual(lists[0]);
    expect(lists[2]).toEqual(lists[0]);
  });

  it('let exactly as many calls through together as the plan of a key says', async () => {
    const replicas = await start(3);
    const instant = '2030-01-01T10:00:00Z';
    await replicas[0].admin('PUT', 'clock', { action: 'freeze', instant });
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, at) =>
        (replicas[at % 3] as Replica).send('GET', '/pets?limit=1', { key: 'demo-free' }),
      ),
    );
    const allowed = answers.filter(({ status }) => status === 200);
    expect(allowed).toHaveLength(60);
    const left = allowed.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
    expect(left.toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 60 }, (_, at) => at),
    );
    expect(new Set(allowed.map(({ headers }) => headers.get('x-ratelimit-reset')))).toEqual(
      new Set([String(Date.parse('2030-01-01T10:01:00Z') / 1000)]),
    );
    const [, , third] = replicas;
    const { body } = await third.admin('GET', 'limits/demo-free');
    expect([body.minute.used, body.ban]).toEqual([
      60,
      { seconds: 3600, until: expect.any(Number) },
    ]);
  });

  it('share sandboxes, their settings and their end', async () => {
    const [one, two] = await start(2);
    const made = await one.admin('PUT', 'sandboxes/qa', { pets: 7, seed: 3 });
    expect([made.status, made.body.items?.pets]).toEqual([201, 7]);
    expect((await two.admin('GET', 'sandboxes')).body.sandboxes).toMatchObject([
      { name: 'default' },
      { name: 'qa', items: { pets: 7 } },
    ]);
    expect(await idsOf(two, 'qa')).toHaveLength(7);
    expect(await two.create('Rex', 'qa')).toBe(8);
    const again = await two.admin('PUT', 'sandboxes/qa', { pets: 3 });
    expect(again.status).toBe(200);
    expect(await idsOf(one, 'qa')).toHaveLength(3);
    expect((await one.admin('DELETE', 'sandboxes/qa')).status).toBe(204);
    expect((await two.admin('GET', 'sandboxes/qa')).status).toBe(404);
    expect((await two.admin('DELETE', 'sandboxes/qa')).status).toBe(404);
    expect(await idsOf(two, 'qa')).toHaveLength(120);
    expect((await one.admin('DELETE', 'sandboxes')).status).toBe(204);
    expect((await two.admin('GET', 'sandboxes')).body.sandboxes).toHaveLength(1);
  });

  it('serve a domain, and stop, as soon as any of them added or removed it', async () => {
    const [one, two] = await start(2);
    const name = 'docs.example.com';
    const client = createDomainsClient(one, '/sandboxes/a');
    const visit = ({ origin }: Replica, sandbox?: string) =>
      statusAt(origin, { Host: name, ...(sandbox && { 'X-Sandbox': sandbox }) });
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

  it('keep one journal, whose ids none gives twice', async () => {
    const replicas = await start(3);
    for (let call = 0; call < 9; call++)
      await (replicas[call % 3] as Replica).send('GET', `/pets?limit=${call + 1}`);
    const list = async (replica: Replica) =>
      (await replica.admin('GET', 'requests')).body.requests as { id: number; url: string }[];
    await expect.poll(async () => (await list(replicas[1])).length).toBe(9);
    const [first, second] = await Promise.all([list(replicas[0]), list(replicas[2])]);
    expect(first).toEqual(second);
    expect(first.map(({ id }) => id)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(new Set(first.map(({ url }) => url)).size).toBe(9);
    await replicas[2].admin('DELETE', 'requests');
    expect(await list(replicas[0])).toEqual([]);
  });
});
