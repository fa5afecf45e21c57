import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { projectFile } from '../../../support/twin.ts';
import { serveShop, writeFiles } from './serve-shop.ts';

const page = await readFile(projectFile('docs/behaviours.md'), 'utf8');
const blocks = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, block = '']) => block);
const files = blocks.filter((block) => block.includes('export default'));

const load = async (block: string) => {
  const define = projectFile('mock/extras/behaviours/define.ts');
  const file = await writeFiles({
    'behaviours.ts': block.replace("'petstore-twin'", `'${define}'`),
  });
  return serveShop(file);
};

it('begins with an example that runs: a check, a change of another item, and one a day later', async () => {
  const { twin, call } = await load(files[0] ?? '');
  expect(await call('POST /orders', { petId: 2 })).toMatchObject({
    status: 409,
    body: { code: 'pet_not_available', message: 'This pet is not for sale.' },
  });
  const { status, body } = await call('POST /orders', { petId: 1 });
  expect([status, body.status]).toEqual([201, 'placed']);
  expect((await call('GET /pets/1')).body.status).toBe('pending');
  await twin.clock.advance(24 * 60 * 60 * 1000);
  expect((await call(`GET /orders/${body.id}`)).body.status).toBe('delivered');
});

it.each(files.map((block) => [block]))('has an example that loads: %s', async (block) => {
  const { call } = await load(block);
  expect((await call('GET /orders')).status).toBe(200);
});

it('has examples of replies as it says', async () => {
  const { call } = await load(files.find((block) => block.includes('X-Own')) ?? '');
  expect((await call('POST /pets', { name: 'a', status: 'sold' })).headers.get('X-Own')).toBe(
    'yes',
  );
  expect((await call('GET /pets/1')).body.code).toBe('not_here');
});
