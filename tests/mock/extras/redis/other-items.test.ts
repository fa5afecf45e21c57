import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '../../../support/make-folder.ts';
import { describeWithRedis, startRedis } from '../../../support/redis-server.ts';
import { type Replica, startReplica, startReplicas } from '../../../support/replicas.ts';
import { projectFile } from '../../../support/twin.ts';
import { waitForLine } from '../../../support/watching.ts';

describeWithRedis('replicas that watch their document', () => {
  it('follow it with all that sandboxes and snapshots hold', async () => {
    const server = await startRedis();
    const spec = join(makeFolder(), 'api.yaml');
    copyFileSync(projectFile('contracts/openapi.yaml'), spec);
    const settings = { store: server.url, watch: true, spec, pets: 120 };
    const replicas = (await startReplicas(2, settings)) as [Replica, Replica];
    const [one, two] = replicas;
    await one.create('early');
    await two.admin('DELETE', 'data/pets/2');
    await one.admin('PUT', 'snapshots/s');
    await two.create('late');
    const look = async (replica: Replica) => [
      (await replica.admin('GET', 'data/pets')).body,
      (await replica.admin('GET', 'snapshots/s')).body.collections,
    ];
    const before = await look(one);
    expect(await look(two)).toEqual(before);
    writeFileSync(spec, withCollar(readFileSync(spec, 'utf8')));
    for (const replica of replicas) await waitForLine(replica, 'Stored items stay');
    for (const replica of replicas) expect(await look(replica)).toEqual(before);
    const third = await startReplica(settings);
    expect(await look(third)).toEqual(before);
    expect((await third.admin('POST', 'snapshots/s/restore')).status).toBe(200);
    expect((await one.admin('GET', 'data/pets')).body.meta.total).toBe(120);
    expect((await one.admin('POST', 'reset')).status).toBe(200);
    expect((await two.admin('GET', 'data/pets/1')).body).toHaveProperty('collar');
    for (const replica of [...replicas, third])
      expect((await replica.admin('GET', 'health')).status).toBe(200);
  });
});

/** Lets the document have one more property, so that the twin begins with other animals. */
function withCollar(text: string): string {
  return text
    .replace('required: [name, categoryId]', 'required: [name, categoryId, collar]')
    .replace('        categoryId:\n', '        collar: { type: string }\n        categoryId:\n');
}
