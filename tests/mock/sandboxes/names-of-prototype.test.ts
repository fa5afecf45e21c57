import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { describeWithRedis, startRedis } from '../../support/redis-server.ts';
import { startReplica } from '../../support/replicas.ts';
import { makeFolder } from '../../support/watching.ts';

/** Members that each object has. */
const names = ['constructor', 'hasOwnProperty', 'toString', 'valueOf'];

/** Names snapshots, faults and sandboxes so, and sees that they come and go as any others. */
async function expectOrdinary(store: string): Promise<void> {
  let replica = await startReplica({ store });
  const namesOf = async (path: string, list: string, id: string) =>
    (await replica.admin('GET', path)).body[list]
      .map((one: Record<string, string>) => one[id])
      .toSorted();
  const lists = async () => [
    await namesOf('snapshots', 'snapshots', 'name'),
    await namesOf('faults', 'rules', 'id'),
    await namesOf('sandboxes', 'sandboxes', 'name'),
  ];
  const statusesOf = async (name: string, method: string, bodies: Record<string, unknown>) => {
    const statuses: number[] = [];
    for (const [path, body] of Object.entries(bodies))
      statuses.push((await replica.admin(method, `${path}/${name}`, body)).status);
    return statuses;
  };
  const restart = async () => {
    if (store === 'memory') return;
    await replica.close();
    replica = await startReplica({ store });
  };
  const fault = { every: 2, status: 500 };
  const nothing = { snapshots: undefined, faults: undefined, sandboxes: undefined };
  for (let time = 0; time < 2; time++) {
    expect(await lists()).toEqual([[], [], ['default']]);
    for (const name of names) {
      expect(await statusesOf(name, 'GET', nothing)).toEqual([404, 404, 404]);
      const bodies = { ...nothing, faults: fault, sandboxes: {} };
      expect(await statusesOf(name, 'PUT', bodies)).toEqual([201, 201, 201]);
    }
    await restart();
    expect(await lists()).toEqual([names, names, ['constructor', 'default', ...names.slice(1)]]);
    for (const name of names) {
      expect((await replica.admin('POST', `snapshots/${name}/restore`)).status).toBe(200);
      expect(await statusesOf(name, 'DELETE', nothing)).toEqual([204, 204, 204]);
    }
    await restart();
  }
  expect(await lists()).toEqual([[], [], ['default']]);
}

it('names that each object has are as any others in memory', async () => {
  await expectOrdinary('memory');
});

it('names that each object has are as any others in a file', async () => {
  const folder = await makeFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await expectOrdinary(`sqlite:${join(folder, 'twin.db')}`);
});

describeWithRedis('names that each object has', () => {
  it('are as any others in Redis, and leave nothing there', async () => {
    const server = await startRedis();
    await expectOrdinary(server.url);
    const left = server.command('KEYS', '*').split('\n');
    const isTheirs = (key: string) =>
      /:(?:snapshots|faults)$/.test(key) || names.some((name) => key.includes(name));
    expect(left.filter(isTheirs)).toEqual([]);
  });
});
