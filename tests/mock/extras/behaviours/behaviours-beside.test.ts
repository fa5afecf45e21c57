import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Behaviours } from '../../../../package/twin.ts';
import { post, startPinned } from '../../../support/pinned-twin.ts';
import { describeWithRedis, openRedis, type RedisServer } from '../../../support/redis-server.ts';
import { copyExample, serveShop } from './serve-shop.ts';

it('does what pins say in next, and answers in their forms', async () => {
  const behaviours: Behaviours = {
    listPets: ({ next }) => next(),
    createPet: ({ body, next, reply }) =>
      body.name === 'Tom' ? reply.error(422, 'invalid_body', 'No Tom here.') : next(),
    getPet: ({ next }) => next(),
  };
  const call = await startPinned(
    {
      'list-order': 'newest-first',
      'default-status': { status: 'sold' },
      'new-id': 'random',
      'error-codes': { not_found: { status: 404, json: { problem: 'none' } } },
    },
    { behaviours, items: 2 },
  );
  const { status, body } = await call('/pets', post({ name: 'Rex', categoryId: 1 }));
  const { id } = body as { id: number };
  expect([status, id > 1000]).toEqual([201, true]);
  const read = await call(`/pets/${id}`);
  expect(read.body).toMatchObject({ name: 'Rex', status: 'sold' });
  const listed = (await call('/pets')).body as { id: number }[];
  expect(listed.map((one) => one.id)).toEqual([id, 2, 1]);
  expect(await call('/pets/77')).toMatchObject({ status: 404, body: { problem: 'none' } });
  expect(await call('/pets', post({ name: 'Tom', categoryId: 1 }))).toMatchObject({
    status: 422,
    body: { code: 'invalid_body', message: 'No Tom here.' },
  });
});

let server: RedisServer;

describeWithRedis('two replicas on one Redis', () => {
  beforeAll(async () => {
    server = await openRedis();
  });
  afterAll(() => server?.close());

  it('sell a pet once, and each does once what is due later', async () => {
    const behaviours = await copyExample();
    const settings = { store: `${server.url}?prefix=behaviours` };
    const one = await serveShop(behaviours, settings);
    const other = await serveShop(behaviours, settings);
    await one.twin.clock.freeze('2030-01-01T00:00:00Z');
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        (at % 2 === 0 ? one : other).call('POST /orders', { petId: 1 }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(11).fill(409)]);
    expect((await other.call('GET /orders')).body).toHaveLength(2);
    const placed = answers.find(({ status }) => status === 201)?.body.id;
    expect((await other.twin.tasks.list()).map(({ args }) => args)).toEqual([{ orderId: placed }]);
    await other.twin.clock.advance({ days: 1 });
    for (const { call } of [one, other]) {
      expect((await call(`GET /orders/${placed}`)).body.status).toBe('delivered');
      expect((await call('GET /pets/1')).body.status).toBe('sold');
    }
    expect(await one.twin.tasks.list()).toEqual([]);
  });

  it('do a function where it was given, by the clock of both', async () => {
    let runs = 0;
    const behaviours: Behaviours = {
      async createOrder({ next, after }) {
        const order = await next();
        after({ hours: 1 }, () => {
          runs += 1;
        });
        return order;
      },
    };
    const settings = { store: `${server.url}?prefix=functions` };
    const one = await serveShop(behaviours, settings);
    const other = await serveShop({}, settings);
    await one.twin.clock.freeze('2030-01-01T00:00:00Z');
    expect((await one.call('POST /orders', { petId: 1 })).status).toBe(201);
    await other.twin.clock.advance({ minutes: 59 });
    expect([runs, (await other.twin.tasks.list()).length]).toEqual([0, 1]);
    await one.twin.clock.advance({ minutes: 1 });
    expect([runs, await other.twin.tasks.list()]).toEqual([1, []]);
  });
});
