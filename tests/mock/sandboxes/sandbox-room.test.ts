import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { toByteText } from '../../../mock/json/exact-json.ts';
import { createRoom } from '../../../mock/state/budget.ts';
import {
  addCounted,
  type Collections,
  OutOfRoomError,
  type StoredItem,
} from '../../../mock/state/store.ts';
import { openMemoryStore } from '../../../mock/state/store-of-tables.ts';
import type { MemoryHolder } from '../../../mock/state/tables.ts';
import { adminOf } from '../../support/admin-requests.ts';
import { createSend } from '../../support/create-send.ts';
import { expectError } from '../../support/expect-answer.ts';
import { serveMock } from '../../support/run-mock.ts';
import { bearer } from '../../support/twin.ts';

const open = openMemoryStore;

/** An item that takes 1,000 bytes. */
function toItem(n: number): StoredItem {
  return { id: String(n), json: toByteText('x'.repeat(744)), filters: {} };
}

/** So many items that take 1,000 bytes each. */
function items(count: number): Collections {
  return { pets: { items: Array.from({ length: count }, (_, index) => toItem(index)), next: 1 } };
}

it('holds as much as it may, and refuses more', () => {
  const room = createRoom({ max: 10_000_000, free: () => [], held: () => [] });
  const held = [items(4000), items(4000)];
  expect(() => room.ensure([items(2000)], held)).not.toThrow();
  expect(() => room.ensure([items(1000), items(1001)], held)).toThrow(
    /^Sandboxes and snapshots may take 10 MB for their own items, of which 8 MB are used, and this needs 3 MB\. Delete/,
  );
});

it('counts what is held once however often it is there, as much as it has become, and never what is free', async () => {
  const seeds = items(100);
  const room = createRoom({ max: 10_000, free: () => [seeds], held: () => [] });
  const growing = open(items(5));
  expect(() => room.ensure([items(4), seeds], [growing, growing, seeds])).not.toThrow();
  for (let count = 0; count < 5; count++) await addCounted(growing, 'pets', toItem);
  expect(() => room.ensure([items(1)], [growing])).toThrow('no longer used');
  expect(() => room.ensure([growing, seeds], [growing])).not.toThrow();
});

it('admits items as long as there is room, and again once some was made', async () => {
  const seeds = { pets: { items: items(10).pets?.items ?? [], next: 11 } };
  let held: MemoryHolder[] = [];
  // The places of a copy of the seeds take room too.
  const room = createRoom({ max: 10_640, free: () => [seeds], held: () => held });
  const store = open(seeds, room.admit);
  held = [seeds, store];
  for (let count = 0; count < 10; count++) await addCounted(store, 'pets', toItem);
  await expect(addCounted(store, 'pets', toItem)).rejects.toThrow(
    /^Sandboxes and snapshots may take 1 MB .* Delete what is no longer used \(POST \/__admin\/reset, .*--max-old-space-size\.$/,
  );
  expect(await store.count('pets')).toBe(20);
  held = [seeds];
  expect(() => room.admit(1000)).not.toThrow();
  held = [seeds, store];
  expect(() => room.admit(1000)).toThrow(OutOfRoomError);
});

it('creates as much as the process has memory for, and answers 409 then, in each sandbox', async () => {
  const nodeArgs = ['--max-old-space-size=256'];
  const flags = ['--disable-banner', '--rate-limits', 'off'];
  const { stdout } = await serveMock(flags, { nodeArgs });
  const api = stdout.trim();
  const { origin } = new URL(api);
  const headers = bearer('demo-pro');
  const create = (path: string, name: string) =>
    createSend(path, headers)('POST', '', { name, categoryId: 1 });
  const long = 'x'.repeat(1_000_000);
  let created = 0;
  // Without a bound, the process ends after about 200.
  while (created < 300 && (await create(`${api}/pets`, long)).status === 201) created += 1;
  expect(created).toBeGreaterThan(10);
  expect(created).toBeLessThan(100);

  const other = `${origin}/sandboxes/other/v1/pets`;
  for (const path of [`${api}/pets`, other])
    expectError(await create(path, long), 409, 'out_of_room', 'POST /__admin/reset');
  expect((await fetch(`${api}/pets?limit=100`, { headers })).status).toBe(200);
  await fetch(`${origin}/__admin/reset`, { method: 'POST' });
  expect((await create(other, long)).status).toBe(201);

  const body = gzipSync(Buffer.alloc(18 * 1024 * 1024, ' '));
  const coded = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
  const put = { method: 'PUT', headers: coded, body };
  const imported = await fetch(`${origin}/__admin/snapshots/large`, put);
  expect(await imported.json()).toMatchObject({ code: 'payload_too_large' });
});

it('refuses what the memory of the process has no room for, and goes on', async () => {
  const nodeArgs = ['--max-old-space-size=256'];
  const { stdout } = await serveMock(['--disable-banner'], { nodeArgs });
  const { send } = adminOf(new URL(stdout.trim()));
  const statuses: number[] = [];
  for (let seed = 2; seed < 10; seed++)
    statuses.push((await send('PUT', `sandboxes/s${seed}`, { seed, pets: 30_000 })).status);
  const made = statuses.filter((status) => status === 201).length;
  expect(made).toBeLessThan(8);
  expect(made).toBeGreaterThan(1);
  expect(statuses).toEqual([...Array(made).fill(201), ...Array(8 - made).fill(409)]);
  const more = async () => (await send('PUT', 'sandboxes/more', { seed: 22, pets: 30_000 })).status;
  const refused = await send('PUT', 'sandboxes/more', { seed: 22, pets: 30_000 });
  expectError(refused, 409, 'out_of_room');
  expect((await send('GET', 'sandboxes')).json.sandboxes).toHaveLength(made + 1);

  // Shared items need no room: the mock's own, those of a saved sandbox, and the same seed again.
  const free = [
    await send('PUT', 'sandboxes/usual', '{"rateLimits":"off"}'),
    await send('PUT', 'sandboxes/s2', '{"seed":2,"pets":30000}'),
    await send('PUT', 'snapshots/a'),
  ];
  expect(free.map(({ status }) => status)).toEqual([201, 200, 201]);
  const pet = { name: 'x', categoryId: 1 };
  const items = Array.from({ length: 30_000 }, (_, index) => ({ id: index + 1, ...pet }));
  const snapshot = { version: 1, collections: { pets: { next: 30_001, items } } };
  expectError(await send('PUT', 'snapshots/b', snapshot), 409, 'out_of_room');
  expect((await send('DELETE', 'sandboxes/s2')).status).toBe(204);
  expect((await send('PUT', 'snapshots/b', snapshot)).status).toBe(201);
  expect(await more()).toBe(409);
  expect((await send('POST', 'snapshots/b/restore')).status).toBe(200);
  expect((await send('DELETE', 'snapshots/b')).status).toBe(204);
  expect(await more()).toBe(409);
  await send('POST', 'reset');
  expect(await more()).toBe(201);
});
