import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { toByteText } from '../../../mock/json/byte-text.ts';
import { createRoom, RoomError } from '../../../mock/sandboxes/room.ts';
import type { ItemList, StoredItem } from '../../../mock/state/store.ts';
import { get } from '../../support/bad-input.ts';
import { serveMock } from '../../support/run-mock.ts';
import { bearer } from '../../support/twin.ts';

/** Items that take 1,000 bytes each. */
function list(count: number): ItemList {
  return Array.from({ length: count }, (_, index) => ({
    id: String(index),
    json: toByteText('x'.repeat(744)),
    filters: {},
  }));
}

it('holds as much as it may, and refuses more', () => {
  const room = createRoom({ most: 10_000_000, free: () => [], held: () => [] });
  const held = [list(4000), list(4000)];
  expect(() => room.hold([list(2000)], held)).not.toThrow();
  expect(() => room.hold([list(1000), list(1001)], held)).toThrow(
    /^Sandboxes and snapshots may take 10 MB for items of their own, of which 8 MB are taken, and this needs 3 MB\. Delete/,
  );
});

it('counts a list once however often it is there, as long as it has become, and one that is free never', () => {
  const usual = list(100);
  const room = createRoom({ most: 10_000, free: () => [usual], held: () => [] });
  const growing = [...list(5)];
  expect(() => room.hold([list(4), usual], [growing, growing, usual])).not.toThrow();
  growing.push(...list(5));
  expect(() => room.hold([list(1)], [growing])).toThrow('no longer used');
  expect(() => room.hold([growing, usual], [growing])).not.toThrow();
});

it('admits items as long as there is room, and again once some was made', () => {
  const usual = list(1000);
  const [item] = list(1) as [StoredItem];
  const added: StoredItem[] = [];
  let held: ItemList[] = [usual, added];
  const room = createRoom({ most: 10_000, free: () => [usual], held: () => held });
  const add = (one: StoredItem) => {
    room.admit(one);
    added.push(one);
  };
  for (let count = 0; count < 10; count++) add(item);
  expect(() => add(item)).toThrow(
    /^Sandboxes and snapshots may take 1 MB .* Delete what is no longer used \(POST \/__admin\/reset, .*--max-old-space-size\.$/,
  );
  expect(added).toHaveLength(10);
  held = [usual];
  expect(() => room.admit(item)).not.toThrow();
  held = [usual, added];
  expect(() => room.admit(item)).toThrow(RoomError);
});

it('notices what came to be held otherwise', () => {
  const [item] = list(1) as [StoredItem];
  const held: ItemList[] = [];
  const room = createRoom({ most: 1_000_000, free: () => [], held: () => held });
  room.admit(item);
  held.push(list(1000));
  for (let count = 0; count < 9; count++) room.admit(item);
  expect(() => room.admit(item)).toThrow(RoomError);
});

it('counts the values that lists find an item by, which are texts of their own', () => {
  const room = createRoom({ most: 10_000, free: () => [], held: () => [] });
  expect(() =>
    room.admit({ id: '1', json: toByteText('{}'), filters: { name: 'x'.repeat(5000) } }),
  ).toThrow(RoomError);
});

it('creates as much as the process has memory for, and answers 409 then, in each sandbox', async () => {
  const { stdout } = await serveMock(['--disable-banner', '--rate-limits', 'off'], {
    nodeArgs: ['--max-old-space-size=256'],
  });
  const api = stdout.trim();
  const { origin } = new URL(api);
  const headers = { 'Content-Type': 'application/json', ...bearer('demo-pro') };
  const create = async (path: string, name: string) => {
    const response = await fetch(path, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name, categoryId: 1 }),
    });
    return { status: response.status, body: await response.json() };
  };
  const long = 'x'.repeat(1_000_000);
  let created = 0;
  // Without a bound, the process ends after about 200.
  while (created < 300 && (await create(`${api}/pets`, long)).status === 201) created += 1;
  expect(created).toBeGreaterThan(10);
  expect(created).toBeLessThan(100);

  const other = `${origin}/sandboxes/other/v1/pets`;
  for (const path of [`${api}/pets`, other])
    expect(await create(path, long)).toMatchObject({
      status: 409,
      body: {
        code: 'out_of_room',
        status: 409,
        message: expect.stringContaining('POST /__admin/reset'),
      },
    });
  expect((await fetch(`${api}/pets?limit=100`, { headers })).status).toBe(200);
  await fetch(`${origin}/__admin/reset`, { method: 'POST' });
  expect((await create(other, long)).status).toBe(201);

  const large = gzipSync(Buffer.alloc(18 * 1024 * 1024, ' '));
  const coded = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
  const imported = await fetch(`${origin}/__admin/snapshots/large`, {
    method: 'PUT',
    headers: coded,
    body: large,
  });
  expect(await imported.json()).toMatchObject({ code: 'payload_too_large' });
});

it('sends no more large answers while clients leave those unread that take the room for it', async () => {
  const options = ['--disable-banner', '--rate-limits', 'off', '--pets', '0'];
  const { stdout } = await serveMock(options, { nodeArgs: ['--max-old-space-size=256'] });
  const api = stdout.trim();
  const headers = { 'Content-Type': 'application/json', ...bearer('demo-pro') };
  const body = JSON.stringify({ name: 'x'.repeat(1_000_000), categoryId: 1 });
  for (let count = 0; count < 35; count++)
    await fetch(`${api}/pets`, { method: 'POST', headers, body });
  const list = async (limit: number) => {
    const response = await fetch(`${api}/pets?limit=${limit}`, { headers });
    return {
      status: response.status,
      length: (await response.text()).length,
      again: response.headers.get('retry-after'),
    };
  };
  expect(await list(100)).toMatchObject({ status: 200, length: expect.closeTo(35_000_000, -5) });

  // One answer of 35 MB and, as clients may, four of 10 MB that were asked for at once.
  for (const requests of [
    [get('/v1/pets?limit=100')],
    Array.from({ length: 4 }, () => get('/v1/pets?limit=10', { Connection: undefined })),
  ]) {
    const reader = connect(Number(new URL(api).port), '127.0.0.1');
    reader.write(Buffer.concat(requests));
    await once(reader, 'readable');
    expect(await list(100)).toMatchObject({ status: 503, again: '1' });
    expect(await list(1)).toMatchObject({ status: 200 });
    reader.destroy();
    await expect.poll(() => list(100), { timeout: 15_000 }).toMatchObject({ status: 200 });
  }
});

it('refuses what the memory of the process has no room for, and goes on', async () => {
  const { stdout } = await serveMock(['--disable-banner'], {
    nodeArgs: ['--max-old-space-size=256'],
  });
  const admin = `${new URL(stdout.trim()).origin}/__admin`;
  const send = async (method: string, path: string, body?: string) => {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(`${admin}/${path}`, {
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    return { status: response.status, text: await response.text() };
  };
  const statuses: number[] = [];
  for (let seed = 2; seed < 10; seed++)
    statuses.push(
      (await send('PUT', `sandboxes/s${seed}`, JSON.stringify({ seed, pets: 30_000 }))).status,
    );
  const made = statuses.filter((status) => status === 201).length;
  expect(made).toBeLessThan(8);
  expect(made).toBeGreaterThan(1);
  expect(statuses).toEqual([...Array(made).fill(201), ...Array(8 - made).fill(409)]);
  const refused = await send('PUT', 'sandboxes/more', '{"seed":22,"pets":30000}');
  expect(JSON.parse(refused.text)).toMatchObject({ code: 'out_of_room' });
  const listed = JSON.parse((await send('GET', 'sandboxes')).text) as {
    sandboxes: { name: string }[];
  };
  expect(listed.sandboxes).toHaveLength(made + 1);

  // What is shared needs no room: the twin's own items, those of a sandbox that are saved, and the
  // same seed again.
  const free = [
    await send('PUT', 'sandboxes/usual', '{"rateLimits":"off"}'),
    await send('PUT', 'sandboxes/s2', '{"seed":2,"pets":30000}'),
    await send('PUT', 'snapshots/a'),
  ];
  expect(free.map(({ status }) => status)).toEqual([201, 200, 201]);
  const items = Array.from({ length: 30_000 }, (_, index) => ({
    id: index + 1,
    name: 'x',
    categoryId: 1,
  }));
  const snapshot = JSON.stringify({ version: 1, collections: { pets: { next: 30_001, items } } });
  expect(JSON.parse((await send('PUT', 'snapshots/b', snapshot)).text)).toMatchObject({
    code: 'out_of_room',
  });
  expect((await send('DELETE', 'sandboxes/s2')).status).toBe(204);
  expect((await send('PUT', 'snapshots/b', snapshot)).status).toBe(201);
  expect((await send('PUT', 'sandboxes/more', '{"seed":22,"pets":30000}')).status).toBe(409);
  expect((await send('POST', 'snapshots/b/restore')).status).toBe(200);
  expect((await send('DELETE', 'snapshots/b')).status).toBe(204);
  expect((await send('PUT', 'sandboxes/more', '{"seed":22,"pets":30000}')).status).toBe(409);
  await send('POST', 'reset');
  expect((await send('PUT', 'sandboxes/more', '{"seed":22,"pets":30000}')).status).toBe(201);
});
