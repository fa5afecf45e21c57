import { expect, it } from 'vitest';
import { toByteText } from '../mock/byte-text.ts';
import { createRoom } from '../mock/sandboxes/room.ts';
import type { ItemList } from '../mock/state/store.ts';
import { serveMock } from './support/run-mock.ts';

/** Items that take 1,000 bytes each. */
function list(count: number): ItemList {
  return Array.from({ length: count }, (_, index) => ({ id: String(index), json: toByteText('x'.repeat(744)), filters: {} }));
}

it('holds as much as it may, and refuses more', () => {
  const room = createRoom({ most: 10_000_000, free: () => [] });
  const held = [list(4000), list(4000)];
  expect(() => room.hold([list(2000)], held)).not.toThrow();
  expect(() => room.hold([list(1000), list(1001)], held)).toThrow(
    /^Sandboxes and snapshots may take 10 MB for items of their own, of which 8 MB are taken, and this needs 3 MB\. Delete/,
  );
});

it('counts a list once however often it is there, as long as it has become, and one that is free never', () => {
  const usual = list(100);
  const room = createRoom({ most: 10_000, free: () => [usual] });
  const growing = [...list(5)];
  expect(() => room.hold([list(4), usual], [growing, growing, usual])).not.toThrow();
  growing.push(...list(5));
  expect(() => room.hold([list(1)], [growing])).toThrow('no longer used');
  expect(() => room.hold([growing, usual], [growing])).not.toThrow();
});

it('refuses what the memory of the process has no room for, and goes on', async () => {
  const { stdout } = await serveMock(['--disable-banner'], { nodeArgs: ['--max-old-space-size=256'] });
  const admin = `${new URL(stdout.trim()).origin}/__admin`;
  const send = async (method: string, path: string, body?: string) => {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(`${admin}/${path}`, { method, headers, ...(body !== undefined && { body }) });
    return { status: response.status, text: await response.text() };
  };
  const statuses: number[] = [];
  for (let seed = 2; seed < 10; seed++)
    statuses.push((await send('PUT', `sandboxes/s${seed}`, JSON.stringify({ seed, pets: 30_000 }))).status);
  const made = statuses.filter((status) => status === 201).length;
  expect(made).toBeLessThan(8);
  expect(made).toBeGreaterThan(1);
  expect(statuses).toEqual([...Array(made).fill(201), ...Array(8 - made).fill(409)]);
  const refused = await send('PUT', 'sandboxes/more', '{"seed":22,"pets":30000}');
  expect(JSON.parse(refused.text)).toMatchObject({ code: 'out_of_room' });
  const listed = JSON.parse((await send('GET', 'sandboxes')).text) as { sandboxes: { name: string }[] };
  expect(listed.sandboxes).toHaveLength(made + 1);

  // What is shared needs no room: the twin's own items, those of a sandbox that are saved, and the same seed again.
  const free = [
    await send('PUT', 'sandboxes/usual', '{"rateLimits":"off"}'),
    await send('PUT', 'sandboxes/s2', '{"seed":2,"pets":30000}'),
    await send('PUT', 'snapshots/a'),
  ];
  expect(free.map(({ status }) => status)).toEqual([201, 200, 201]);
  const items = Array.from({ length: 30_000 }, (_, index) => ({ id: index + 1, name: 'x', categoryId: 1 }));
  const snapshot = JSON.stringify({ version: 1, collections: { pets: { next: 30_001, items } } });
  expect(JSON.parse((await send('PUT', 'snapshots/b', snapshot)).text)).toMatchObject({ code: 'out_of_room' });
  expect((await send('DELETE', 'sandboxes/s2')).status).toBe(204);
  expect((await send('PUT', 'snapshots/b', snapshot)).status).toBe(201);
  expect((await send('PUT', 'sandboxes/more', '{"seed":22,"pets":30000}')).status).toBe(409);
  expect((await send('POST', 'snapshots/b/restore')).status).toBe(200);
  expect((await send('DELETE', 'snapshots/b')).status).toBe(204);
  expect((await send('PUT', 'sandboxes/more', '{"seed":22,"pets":30000}')).status).toBe(409);
  await send('POST', 'reset');
  expect((await send('PUT', 'sandboxes/more', '{"seed":22,"pets":30000}')).status).toBe(201);
});
