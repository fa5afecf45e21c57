import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '../../../support/make-folder.ts';
import { createSnapshotClient } from '../../../support/snapshot-client.ts';
import { startStoredTwin } from '../../../support/stored-twin.ts';
import { projectFile } from '../../../support/twin.ts';
import { waitForLine } from '../../../support/watching.ts';

type Stored = Awaited<ReturnType<typeof startStoredTwin>>;

const clientOf = (stored: Stored) => createSnapshotClient(stored.twin());

const totalOf = async (stored: Stored, prefix = '') =>
  (await clientOf(stored).call(`${prefix}/__admin/data/pets`)).json.meta.total;

/** Files of its own that a twin serves, and what gives its pets a collar. */
async function makeFiles() {
  const folder = makeFolder();
  const [spec, plans] = [join(folder, 'api.yaml'), join(folder, 'plans.json')];
  copyFileSync(projectFile('contracts/openapi.yaml'), spec);
  writeFileSync(plans, '{"plans": {"gold": {"perMinute": 9, "perDay": 90}}}');
  const before = readFileSync(spec, 'utf8');
  const giveCollars = () =>
    writeFileSync(
      spec,
      before
        .replace('required: [name, categoryId]', 'required: [name, categoryId, collar]')
        .replace(
          '        categoryId:\n',
          '        collar: { type: string }\n        categoryId:\n',
        ),
    );
  return { spec, plans, giveCollars };
}

it('refuses the file of a twin with other items in one line, and leaves it as it is', async () => {
  const stored = await startStoredTwin();
  const { spec, giveCollars } = await makeFiles();
  giveCollars();
  await clientOf(stored).create('Rex');
  await stored.twin().close();
  const watch = ', let a mock that runs follow the change with --watch';
  for (const [settings, what, way] of [
    [{ seed: 2 }, 'of a mock with other --seed', ''],
    [{ pets: 30, seed: 2 }, 'of a mock with other --seed and --items', ''],
    [{ spec, pets: 120 }, 'of a mock with other --spec', watch],
  ] as const)
    await expect(stored.restart(settings)).rejects.toThrow(
      `--store: ${stored.file} holds the state ${what}. Start as that one${way}, or discard the state with --reset-store.`,
    );
  await stored.restart();
  expect(await totalOf(stored)).toBe(121);
});

it('begins anew with --reset-store where the items are others, and only there', async () => {
  const stored = await startStoredTwin();
  await clientOf(stored).create('Rex');
  await clientOf(stored).save('early', '/sandboxes/own');
  await stored.restart({ resetStore: true });
  expect(await totalOf(stored)).toBe(121);
  await stored.restart({ resetStore: true, pets: 30 });
  expect(await totalOf(stored)).toBe(30);
  const { sandboxes } = (await clientOf(stored).call('/__admin/sandboxes')).json;
  expect(sandboxes.map(({ name }: { name: string }) => name)).toEqual(['default']);
  await clientOf(stored).create('Rex');
  await stored.restart({ pets: 30 });
  expect(await totalOf(stored)).toBe(31);
});

it('refuses sandboxes whose plans are gone, unless it is to begin anew', async () => {
  const { plans } = await makeFiles();
  const stored = await startStoredTwin({ plans });
  await clientOf(stored).call('/__admin/sandboxes/rich', {
    method: 'PUT',
    body: { plans: { gold: { perMinute: 5, perDay: 50 } } },
  });
  writeFileSync(plans, '{}');
  await stored.twin().close();
  await expect(stored.restart()).rejects.toThrow(/^Sandbox "rich" .*gold.* --reset-store\.$/);
  await stored.restart({ resetStore: true });
  expect((await clientOf(stored).call('/__admin/sandboxes/rich')).status).toBe(404);
});

it('follows the document that it watches, with all that sandboxes and snapshots hold', async () => {
  const { spec, giveCollars } = await makeFiles();
  const stored = await startStoredTwin({ watch: true, spec });
  for (const prefix of ['', '/sandboxes/own']) {
    await clientOf(stored).create('Rex', prefix);
    await clientOf(stored).call(`${prefix}/__admin/data/pets/2`, { method: 'DELETE' });
    await clientOf(stored).save('early', prefix);
    await clientOf(stored).create('Rex', prefix);
  }
  const look = async () => {
    const texts: string[] = [];
    for (const prefix of ['', '/sandboxes/own'])
      texts.push(
        (await clientOf(stored).call(`${prefix}/__admin/data/pets`)).text,
        await clientOf(stored).exported('early', prefix),
      );
    return texts;
  };
  const before = await look();
  giveCollars();
  await waitForLine(stored.twin(), 'Stored items stay');
  expect(await look()).toEqual(before);
  await stored.crash();
  expect(await look()).toEqual(before);
  await clientOf(stored).restore('early');
  await clientOf(stored).call('/sandboxes/own/__admin/reset', { method: 'POST' });
  await stored.restart();
  expect([await totalOf(stored), await totalOf(stored, '/sandboxes/own')]).toEqual([120, 120]);
  const first = await clientOf(stored).call('/sandboxes/own/__admin/data/pets/1');
  expect(first.json).toHaveProperty('collar');
  expect((await clientOf(stored).call('/__admin/data/pets/1')).json).not.toHaveProperty('collar');
});

it('goes on after a kill before it followed the document, watched again', async () => {
  const { spec, giveCollars } = await makeFiles();
  const stored = await startStoredTwin({ spec });
  await clientOf(stored).create('Rex');
  await clientOf(stored).call('/__admin/data/pets/2', { method: 'DELETE' });
  await clientOf(stored).save('early');
  await stored.restart({ watch: true });
  const look = async () => [
    (await clientOf(stored).call('/__admin/data/pets')).text,
    await clientOf(stored).exported('early'),
  ];
  const before = await look();
  giveCollars();
  // Its files are looked at a moment later.
  await stored.crash({ watch: true });
  expect(stored.twin().lines.join('')).toContain('was used with other items. Stored items stay');
  expect(await look()).toEqual(before);
  const pet = { name: 'Rex', categoryId: 1, collar: 'red' };
  expect((await clientOf(stored).call('/v1/pets', { method: 'POST', body: pet })).json.id).toBe(
    122,
  );
  await clientOf(stored).call('/__admin/reset', { method: 'POST' });
  await stored.crash({ watch: true });
  expect((await clientOf(stored).call('/__admin/data/pets/1')).json).toHaveProperty('collar');
});

it('refuses another document once it is no longer watched', async () => {
  const { spec, giveCollars } = await makeFiles();
  const stored = await startStoredTwin({ spec, watch: true });
  await clientOf(stored).create('Rex');
  await stored.restart({ watch: false });
  await stored.twin().close();
  giveCollars();
  await expect(stored.restart({ watch: false })).rejects.toThrow('with other --spec');
});
