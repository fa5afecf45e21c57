import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { adminOf } from '../../support/admin-requests.ts';
import { createSend } from '../../support/create-send.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { bearer, projectFile } from '../../support/twin.ts';
import { editFile, startWatching, waitForLine } from '../../support/watching.ts';

type Pet = { categoryId: number };

/** The figures of the minute that a key is shown. */
async function limitOf(url: string, key = 'one'): Promise<string | null> {
  return (await fetch(url, { headers: bearer(key) })).headers.get('X-RateLimit-Limit');
}

it('lets sandboxes follow new plans, but for what they were given, and their snapshots too', async () => {
  const { twin, edit } = await startWatching();
  const plain = adminOf(twin, '/sandboxes/plain');
  await plain.send('PUT', 'sandboxes/own', { plans: { free: { perMinute: 7, perDay: 70 } } });
  await plain.send('PUT', 'snapshots/early');
  await edit('plans.json', () => '{"plans": {"free": {"perMinute": 10, "perDay": 100}}}');
  await waitForLine(twin, 'Reloaded plans');
  expect(await limitOf(`${twin.origin}/sandboxes/own/v1/pets`)).toBe('7');
  expect(await limitOf(`${twin.origin}/sandboxes/plain/v1/pets`)).toBe('10');
  expect(await limitOf(`${twin.origin}/sandboxes/later/v1/pets`)).toBe('10');
  expect((await plain.send('POST', 'snapshots/early/restore')).status).toBe(200);
  expect(await limitOf(`${twin.origin}/sandboxes/plain/v1/pets`)).toBe('10');
});

it('reports a sandbox whose plan no longer exists, and keeps it running', async () => {
  const { twin, edit } = await startWatching();
  await edit('plans.json', () => '{"plans": {"gold": {"perMinute": 9, "perDay": 90}}}');
  await waitForLine(twin, 'Reloaded plans.');
  const rich = { plans: { gold: { perMinute: 5, perDay: 50 } } };
  await adminOf(twin).send('PUT', 'sandboxes/rich', rich);
  await edit('plans.json', () => '{}');
  await waitForLine(twin, /Sandbox "rich" keeps its settings: .*gold/);
  expect(await limitOf(`${twin.origin}/sandboxes/rich/v1/pets`)).toBe('60');
});

it('keeps items as they are, and begins with others at the next reset and in new sandboxes', async () => {
  const { twin, edit } = await startWatching();
  const firstOf = async (base: string) =>
    (await createSend(base, bearer('one'))('GET', '/pets?limit=1')).json[0];
  const before = await firstOf(twin.api);
  await edit('api.yaml', (text) =>
    text
      .replace('required: [name, categoryId]', 'required: [name, categoryId, collar]')
      .replace('        categoryId:\n', '        collar: { type: string }\n        categoryId:\n'),
  );
  const seeds = 'new seeds of pets apply after the next reset, and in new sandboxes.';
  await waitForLine(twin, `Stored items stay; ${seeds}`);
  expect(await firstOf(twin.api)).toEqual(before);
  expect(await firstOf(`${twin.origin}/sandboxes/new/v1`)).toHaveProperty('collar');
  await fetch(`${twin.origin}/__admin/reset`, { method: 'POST' });
  expect(await firstOf(twin.api)).toHaveProperty('collar');
});

it('finds what is stored by a filter that the document gains, in the store and in a snapshot', async () => {
  const { twin, edit } = await startWatching();
  const send = createSend(twin.api, bearer('one'));
  const find = async (query: string): Promise<Pet[]> => (await send('GET', `/pets?${query}`)).json;
  const all = await find('limit=100');
  const [{ categoryId } = { categoryId: 0 }] = all;
  const { send: admin, ask } = adminOf(twin);
  await admin('PUT', 'snapshots/early');
  const filter = '- { name: categoryId, in: query, schema: { type: integer } }';
  await edit('api.yaml', (text) =>
    text.replace('        - name: status\n', `        ${filter}\n        - name: status\n`),
  );
  await waitForLine(twin, 'Reloaded the document.');
  await send('POST', '/pets', { name: 'new', categoryId, status: 'sold' });
  const ofCategory = all.filter((pet) => pet.categoryId === categoryId);
  expect(ofCategory.length).toBeGreaterThan(1);
  const firstOnes = async () =>
    (await find(`limit=100&categoryId=${categoryId}`)).slice(0, ofCategory.length);
  expect(await firstOnes()).toEqual(ofCategory);
  const sold = await find(`limit=100&categoryId=${categoryId}&status=sold`);
  expect(sold.at(-1)).toMatchObject({ name: 'new' });
  expect(await find(`categoryId=${categoryId}&limit=1`)).toEqual(ofCategory.slice(0, 1));
  await admin('POST', 'snapshots/early/restore');
  expect(await firstOnes()).toEqual(ofCategory);
  const { items, meta } = await ask(`data/pets?categoryId=${categoryId}&skip=1&limit=1`);
  expect(items).toEqual(ofCategory.slice(1, 2));
  expect(meta.total).toBeGreaterThanOrEqual(ofCategory.length);
  const removed = await ask(`data/pets?categoryId=${categoryId}`, 'DELETE');
  expect(removed).toEqual({ removed: meta.total });
  expect(await find(`limit=100&categoryId=${categoryId}`)).toEqual([]);
  expect((await find('limit=100')).length).toBeGreaterThan(10);
});

/** Runs a copy of the project whose fixtures can be edited; `lines` is what it logs. */
async function runCopy() {
  const folder = makeFolder();
  const rooms = ['common', 'contracts', 'fixtures', 'mock', 'openapi', 'reference'];
  for (const name of [...rooms, 'package.json'])
    await cp(projectFile(name), join(folder, name), { recursive: true });
  await symlink(projectFile('node_modules'), join(folder, 'node_modules'));
  const args = ['mock/start.js', '--port', '0', '--watch', '--disable-banner'];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text) => lines.push(text));
  const [address] = await once(child.stdout, 'data');
  const { origin } = new URL(String(address).trim());
  return { origin, pets: join(folder, 'fixtures/pets.json'), child, lines };
}

it('takes in named animals, refuses those that do not fit, and ends at once when it is stopped', async () => {
  const { origin, pets, child, lines } = await runCopy();
  const nameOf = async (base: string): Promise<string> =>
    (await createSend(base, bearer('demo-free'))('GET', '/v1/pets/1')).json.name;
  const name = await nameOf(origin);
  await editFile(pets, (text) => text.replace(`"${name}"`, '"Newcomer"'));
  const reloaded = 'Reloaded named items of pets. Stored items stay; new seeds of pets';
  await waitForLine({ lines }, reloaded);
  expect(await nameOf(origin)).toBe(name);
  expect(await nameOf(`${origin}/sandboxes/new`)).toBe('Newcomer');
  await editFile(pets, (text) => text.replace('"Newcomer"', '7'));
  const unfit = /Not reloaded; [^\n]*named items of pets do not match the document\. [^\n]*name/;
  await waitForLine({ lines }, unfit);
  await editFile(pets, (text) => text.replace('[', '[,'));
  await waitForLine({ lines }, /Not reloaded; [^\n]*pets\.json is not valid JSON/);
  await adminOf({ origin }).send('POST', 'reset');
  for (const base of [origin, `${origin}/sandboxes/newer`])
    expect(await nameOf(base)).toBe('Newcomer');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});
