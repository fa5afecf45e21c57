import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '../../../support/make-folder.ts';
import { describeWithRedis, startRedis } from '../../../support/redis-server.ts';
import { type Replica, startReplica, startReplicas } from '../../../support/replicas.ts';
import { editFile, waitForLine } from '../../../support/watching.ts';

const text = `pets:
  - {name: Rex, categoryId: 1}
  - {name: Mia, categoryId: 2}
store/orders:
  - {id: first, status: placed}
`;

async function start() {
  const server = await startRedis();
  const data = join(makeFolder(), 'data.yaml');
  writeFileSync(data, text);
  return { data, settings: { store: server.url, data } };
}

async function petsOf(replica: Replica, sandbox?: string): Promise<string[]> {
  const { body } = await replica.admin('GET', 'data/pets', undefined, sandbox);
  return body.items.map(({ name }: { name: string }) => name);
}

async function ordersOf(replica: Replica): Promise<string[]> {
  const { status, body } = await replica.send('GET', '/store/orders');
  expect(status).toBe(200);
  return body.map((order: { id: string; status: string }) => `${order.id} ${order.status}`);
}

describeWithRedis('data of your own in Redis', () => {
  it('is what all replicas begin with and return to, and what they change survives them', async () => {
    const { settings } = await start();
    const [one, two] = (await startReplicas(2, settings)) as [Replica, Replica];
    for (const replica of [one, two]) {
      expect(await petsOf(replica)).toEqual(['Rex', 'Mia']);
      expect(await ordersOf(replica)).toEqual(['first placed']);
    }
    expect(await one.create('Tom')).toBe(3);
    await two.admin('PATCH', 'data/pets/1', { name: 'Max' });
    await one.admin('DELETE', 'data/store%2Forders/first');
    await two.admin('PUT', 'data/store%2Forders/second', { status: 'sent' });
    await one.create('Ann', 'qa');
    await one.close();
    await two.close();
    const [third, fourth] = (await startReplicas(2, settings)) as [Replica, Replica];
    for (const replica of [third, fourth]) {
      expect(await petsOf(replica)).toEqual(['Max', 'Mia', 'Tom']);
      expect(await petsOf(replica, 'qa')).toEqual(['Rex', 'Mia', 'Ann']);
      expect(await ordersOf(replica)).toEqual(['second sent']);
    }
    await third.admin('POST', 'reset');
    expect(await petsOf(fourth)).toEqual(['Rex', 'Mia']);
    expect(await ordersOf(fourth)).toEqual(['first placed']);
  });

  it('is refused where the store holds the state of other data, unless it is to begin anew', async () => {
    const { data, settings } = await start();
    const one = await startReplica(settings);
    await one.create('Tom');
    await editFile(data, (before) => `${before}# a comment\n`);
    expect(await petsOf(await startReplica(settings))).toEqual(['Rex', 'Mia', 'Tom']);
    await editFile(data, (before) => before.replace('Mia', 'Ann'));
    await expect(startReplica(settings)).rejects.toThrow(
      /holds the state of a mock with other --data\. Start as that one, or discard the state with --reset-store\.$/,
    );
    await expect(startReplica({ store: settings.store })).rejects.toThrow(/ and --data\. /);
    expect(await petsOf(one)).toEqual(['Rex', 'Mia', 'Tom']);
    const anew = await startReplica({ ...settings, resetStore: true });
    expect(await petsOf(anew)).toEqual(['Rex', 'Ann']);
  });

  it('is followed by all replicas that watch it, with what they hold', async () => {
    const { data, settings } = await start();
    const watching = { ...settings, watch: true };
    const replicas = (await startReplicas(2, watching)) as [Replica, Replica];
    const [one, two] = replicas;
    await one.create('Tom');
    await two.admin('DELETE', 'data/pets/2');
    await two.create('Ann', 'qa');
    await editFile(data, (before) =>
      before.replace('Mia', 'Zoe').replace('status: placed', 'status: sent'),
    );
    for (const replica of replicas) await waitForLine(replica, 'Reloaded the data.');
    for (const replica of replicas) {
      expect(await petsOf(replica)).toEqual(['Rex', 'Tom']);
      expect(await petsOf(replica, 'qa')).toEqual(['Rex', 'Mia', 'Ann']);
      expect(await ordersOf(replica)).toEqual(['first placed']);
      expect((await replica.admin('GET', 'health')).status).toBe(200);
    }
    await one.admin('POST', 'reset');
    expect(await petsOf(two)).toEqual(['Rex', 'Zoe']);
    expect(await ordersOf(two)).toEqual(['first sent']);
    const third = await startReplica(settings);
    expect(await petsOf(third)).toEqual(['Rex', 'Zoe']);
    expect(await petsOf(third, 'qa')).toEqual(['Rex', 'Mia', 'Ann']);
  });
});
