import { afterEach, expect, it, vi } from 'vitest';
import type { Behaviours, Call, OwnSandbox, Twin } from '../../../../package/twin.ts';
import { createTwin, TwinError } from '../../../../package/twin.ts';
import { adminOf } from '../../../support/admin-requests.ts';
import { projectFile } from '../../../support/twin.ts';
import { callerOf, copyExample, serveShop } from './serve-shop.ts';

afterEach(() => {
  vi.useRealTimers();
});

const namesIn = (items: { name?: string }[]) => items.map(({ name }) => name);
const own = (act: (call: Call) => unknown): Behaviours => ({ createOrder: act });

it('gives a call its parameters by their types, its headers, body, key, sandbox and clock', async () => {
  let seen: unknown;
  const { twin, call } = await serveShop({
    'POST /orders/{id}/cancel': ({ params, query, headers, key, sandbox, clock, next }) => {
      seen = { params, query, key, sandbox, token: headers['x-own'], now: clock.now() };
      return next();
    },
    'GET /v1/pets/{petId}': ({ body, next }) => {
      seen = body;
      return next();
    },
  });
  const now = await twin.clock.freeze('2030-01-02T03:04:05Z');
  const { body } = await call('POST /orders/1/cancel', undefined, { 'X-Own': 'a' });
  expect(body).toEqual({ id: 1, petId: 2, status: 'cancelled' });
  const key = { name: 'demo-free', plan: 'free' };
  const about = { query: {}, key, sandbox: 'default', token: 'a', now };
  expect(seen).toEqual({ params: { orderId: 1 }, ...about });
  expect((await call('GET /pets/1')).body.name).toBe('Rex');
  expect(seen).toBeUndefined();
});

it('keeps what next gives as it is: status, headers and body', async () => {
  const { call } = await serveShop(own(({ next }) => next()));
  const { call: plain } = await serveShop();
  const [first, second] = await Promise.all(
    [call, plain].map((one) => one('POST /orders', { petId: 1 })),
  );
  expect([first?.status, first?.body]).toEqual([second?.status, second?.body]);
  expect(first?.headers.get('Location')).toBe(second?.headers.get('Location'));
});

it('answers with another body, keeping the status of next, and with replies of its own', async () => {
  const { call } = await serveShop({
    createOrder: async ({ next }) => ({ ...(await next()), status: 'delivered' }),
    createPet: ({ reply }) => reply(201, { id: 9, name: 'Made', status: 'sold' }, { 'X-Own': 'b' }),
    getPet: ({ reply }) => reply.error(404, 'no_pet', 'None here.'),
    listPets: () => [],
  });
  const changed = await call('POST /orders', { petId: 1 });
  expect(changed).toMatchObject({ status: 201, body: { id: 2, status: 'delivered' } });
  const made = await call('POST /pets', { name: 'x', status: 'sold' });
  expect([made.status, made.body.id, made.headers.get('X-Own')]).toEqual([201, 9, 'b']);
  const none = { code: 'no_pet', message: 'None here.', status: 404 };
  expect((await call('GET /pets/1')).body).toEqual(none);
  expect(await call('GET /pets')).toMatchObject({ status: 200, body: [] });
});

it('lets next take a changed body', async () => {
  const { call } = await serveShop(
    own(({ body, next }) => {
      body.petId += 1;
      return next();
    }),
  );
  expect((await call('POST /orders', { petId: 1 })).body.petId).toBe(2);
});

it('answers with the refusal of the twin, unless it is caught', async () => {
  const { twin, call } = await serveShop({
    getPet: async ({ items, next }) => {
      await items('pets').remove(1);
      return next();
    },
    getOrder: ({ next, reply }) =>
      next().catch((error: { status: number; body: { code: string } }) =>
        reply.error(error.status, `own_${error.body.code}`, 'Caught.'),
      ),
  });
  expect(await call('GET /pets/77')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(await twin.data.list('pets')).toHaveLength(2);
  expect((await call('GET /orders/77')).body.code).toBe('own_not_found');
});

it('reads and changes items as the admin does', async () => {
  const seen: unknown[] = [];
  const { twin, call } = await serveShop(
    own(async ({ items, next }) => {
      const pets = items('pets');
      seen.push(await pets.get(1), await pets.get(9), namesIn(await pets.list({ status: 'sold' })));
      seen.push(namesIn(await pets.list({ name: 'Rex', status: undefined })));
      seen.push(await pets.create({ name: 'New', status: 'sold' }));
      seen.push(await pets.patch(3, { name: 'Newer' }));
      seen.push(await pets.replace(7, { name: 'Seven', status: 'sold' }));
      seen.push(await pets.remove('2'), await pets.remove(2));
      return next();
    }),
  );
  expect((await call('POST /orders', { petId: 1 })).status).toBe(201);
  expect(seen).toEqual([
    ...[{ id: 1, name: 'Rex', status: 'available' }, undefined, ['Tom'], ['Rex']],
    { id: 3, name: 'New', status: 'sold' },
    { id: 3, name: 'Newer', status: 'sold' },
    { id: 7, name: 'Seven', status: 'sold' },
    ...[true, false],
  ]);
  expect(namesIn(await twin.data.list('pets'))).toEqual(['Rex', 'Newer', 'Seven']);
});

it('stores all that a call changes at its end, also what it does not wait for', async () => {
  const [held, entered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { twin, call } = await serveShop(
    own(async ({ items, next }) => {
      const order = await next();
      items('pets').patch(1, { status: 'pending' });
      entered.resolve();
      await held.promise;
      return order;
    }),
  );
  const answer = call('POST /orders', { petId: 1 });
  await entered.promise;
  expect(await twin.data.list('orders')).toEqual([{ id: 1, petId: 2, status: 'placed' }]);
  expect((await twin.data.get('pets', 1))?.status).toBe('available');
  held.resolve();
  expect((await answer).status).toBe(201);
  expect(await twin.data.list('orders')).toHaveLength(2);
  expect((await twin.data.get('pets', 1))?.status).toBe('pending');
});

it('stores what a call changes that returns an error, and nothing of one that throws one', async () => {
  const { twin, call } = await serveShop(
    own(async ({ body, items, reply }) => {
      await items('pets').patch(1, { name: `seen ${body.petId}` });
      const error = reply.error(409, 'no', 'No.');
      if (body.petId === 2) throw error;
      return error;
    }),
  );
  const refusal = { status: 409, body: { code: 'no' } };
  for (const petId of [1, 2]) expect(await call('POST /orders', { petId })).toMatchObject(refusal);
  expect((await twin.data.get('pets', 1))?.name).toBe('seen 1');
});

it('sells a pet once, however many calls come at the same time', async () => {
  const behaviours = await copyExample();
  const { twin, call } = await serveShop(behaviours);
  const all = await Promise.all(
    Array.from({ length: 20 }, () => call('POST /orders', { petId: 1 })),
  );
  expect(all.map(({ status }) => status).toSorted()).toEqual([201, ...Array(19).fill(409)]);
  expect(await twin.data.list('orders')).toHaveLength(2);
});

it('makes up the same data for the same calls, by the time of the sandbox', async () => {
  const { twin, call } = await serveShop({
    createPet: ({ faker, next, body }) => {
      body.name = `${faker.person.firstName()} ${faker.date.recent({ days: 1 }).getUTCFullYear()}`;
      return next();
    },
  });
  const namesOf = async () => {
    await twin.clock.freeze('2031-06-01T00:00:00Z');
    const made = [1, 2].map(() => call('POST /pets', { name: 'x', status: 'sold' }));
    return (await Promise.all(made)).map(({ body }) => body.name).toSorted();
  };
  const names = await namesOf();
  expect(names[0]).toMatch(/^\p{L}+ 2031$/u);
  expect(names[0]).not.toBe(names[1]);
  await twin.reset();
  expect(await namesOf()).toEqual(names);
});

it('is in the journal as a behaviour of its own', async () => {
  const { twin, call } = await serveShop(own(() => ({})));
  await call('POST /orders', { petId: 1 });
  const [entry] = await twin.requests();
  const reason = { step: 'behaviour', kind: 'own' };
  expect(entry).toMatchObject({ status: 500, operation: 'createOrder', reason });
  const problem = /createOrder .*behaviours.*forbids its answer.*is required/;
  expect(entry?.response?.body).toMatch(problem);
});

it('answers HEAD as the behaviour of GET does', async () => {
  const { call } = await serveShop({ getPet: ({ reply }) => reply.error(404, 'no', 'No.') });
  expect(await call('HEAD /pets/1')).toMatchObject({ status: 404, body: '' });
});

type Bad = [act: (call: Call) => unknown, problem: string | RegExp];

const bad: Record<string, Bad> = {
  throws: [() => JSON.parse('{'), /^It threw: .*JSON/],
  'throws no error': [() => Promise.reject('why'), 'It threw: why'],
  'answers a wrong body': [
    () => ({ id: 1, petId: 'x' }),
    /^The document forbids its answer: "status" is required\./,
  ],
  'answers an undescribed status': [
    ({ reply }) => reply(418, {}),
    'It answers 418. Documented for createOrder: 201, 409.',
  ],
  'answers nothing': [() => undefined, /^It gives no body, but the document describes one for 201/],
  'answers what JSON cannot have': [() => () => {}, 'It gives what JSON cannot have.'],
  'asks for an unknown example': [
    ({ reply }) => reply.example('x'),
    'createOrder has no example "x". The document has none.',
  ],
  'answers no status': [
    ({ reply }) => reply(99),
    'reply() needs a status from 200 to 599, but got 99.',
  ],
  'answers a header that none can be': [
    ({ reply }) => reply(200, {}, { 'X-A': 'b\r\nX-C: d' }),
    'reply() has the header "X-A", which no response can have so.',
  ],
  'answers no error': [
    ({ reply }) => reply.error(200, 'a', 'b'),
    'reply.error() needs a status from 400 to 599, but got 200.',
  ],
  'names an unknown collection': [
    ({ items }) => items('pet').get(1),
    'It threw: There is no collection "pet". Did you mean "pets"? Collections are pets, orders.',
  ],
  'stores a wrong item': [
    ({ items }) => items('pets').patch(1, { status: 'gone' }),
    /^It threw: This is not a valid item of pets\. "status" must be one of/,
  ],
  'stores what is no object': [
    ({ items }) => items('pets').create([] as never),
    /^It threw: This is not a valid item of pets\. It must be an object/,
  ],
  'stores an item of a taken id': [
    ({ items }) => items('pets').create({ id: 1, name: 'x', status: 'sold' }),
    'It threw: pets has an item with the id "1".',
  ],
  'changes a missing item': [
    ({ items }) => items('pets').patch(9, {}),
    'It threw: pets has no item with the id "9".',
  ],
  'does not wait for what fails': [
    async ({ items, next }) => {
      items('pets').patch(9, {});
      return next();
    },
    'It threw: pets has no item with the id "9".',
  ],
  'uses items without end': [
    async ({ items }) => {
      for (;;) await items('pets').list();
    },
    'It used items more than 10,000 times.',
  ],
  'calls next without end': [
    async ({ next }) => {
      for (;;) await next();
    },
    'It used items more than 10,000 times.',
  ],
  'does something later at no time': [
    ({ after }) => after(Number.NaN, () => {}),
    /^A duration is a number of milliseconds/,
  ],
  'names an unknown unit': [
    ({ after }) => after({ weeks: 1 } as never, () => {}),
    /^A duration is a number of milliseconds/,
  ],
  'names an unknown task': [
    ({ after }) => after(1, 'delivr'),
    'There is no task "delivr". Did you mean "deliver"? Name it in "tasks" of defineBehaviours.',
  ],
  'gives no work': [
    ({ every }) => every(1, 5 as never),
    'after() and every() need a function, or the name of a task.',
  ],
  'adds too many tasks': [
    ({ after, next }) => {
      for (let n = 0; n <= 1000; n++) after(1, 'deliver');
      return next();
    },
    'The sandbox would have more than 1,000 tasks.',
  ],
};

it.each(Object.entries(bad))(
  'answers 500 in one line, and stores nothing, where it %s',
  async (_, [act, problem]) => {
    const { twin, call } = await serveShop({
      createOrder: async (one) => {
        await one.items('pets').remove(2);
        return act(one);
      },
      tasks: { deliver: () => {} },
    });
    const { status, body } = await call('POST /orders', { petId: 1 });
    expect([status, body.code]).toEqual([500, 'behaviour_failed']);
    const [, place = '', sentence = ''] =
      /^The behaviour createOrder \((.*?)\) failed\. (.*)$/.exec(body.message) ?? [];
    expect(sentence).toMatch(problem);
    expect(place).toMatch(/^behaviours$|behaviours\.test\.ts:\d+$/);
    expect(await twin.data.list('pets')).toHaveLength(2);
    expect(await twin.data.list('orders')).toHaveLength(1);
    expect((await call('GET /pets')).status).toBe(200);
  },
);

it('ends a behaviour that never resolves, and takes nothing of it afterwards', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const late = Promise.withResolvers<Call>();
  const { twin, call } = await serveShop(
    own((one) => {
      late.resolve(one);
      return new Promise(() => {});
    }),
  );
  const answer = call('POST /orders', { petId: 1 });
  const { items, after } = await late.promise;
  await vi.advanceTimersByTimeAsync(10_000);
  expect((await answer).body.message).toBe(
    'The behaviour createOrder (behaviours) failed. It did not end within 10 seconds.',
  );
  const problem = 'createOrder is over. Wait for what it does with await.';
  await expect((async () => items('pets').remove(1))()).rejects.toThrow(problem);
  expect(() => after(1, () => {})).toThrow(problem);
  expect(await twin.data.list('pets')).toHaveLength(2);
});

it('ends a behaviour that calls itself over HTTP', async () => {
  let url = '';
  let calls = 0;
  const { twin, call } = await serveShop(
    own(async ({ headers, body, reply }: Call) => {
      calls += 1;
      const { authorization = '' } = headers;
      const sent = {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
      };
      const response = await fetch(url, { ...sent, body: JSON.stringify(body) });
      return reply.error(409, 'inner', ((await response.json()) as { message: string }).message);
    }),
  );
  url = `${twin.url}/orders`;
  const { body } = await call('POST /orders', { petId: 1 });
  expect([calls, body.message]).toEqual([
    200,
    expect.stringContaining('More than 200 calls are under way at once.'),
  ]);
});

it.each([
  [
    { createOrdr: () => {} },
    'behaviours names "createOrdr", which is no operation of the document. Did you mean "createOrder"? Names are operationIds, or such as "POST /orders/{id}/cancel" and "GET /store/*".',
  ],
  [{ 'POST /order': () => {} }, /Did you mean "POST \/orders"\?/],
  [{ createOrder: 5 }, '"createOrder" in behaviours must be a function, but is number.'],
  [{ tasks: { a: 'b' } }, '"tasks.a" in behaviours must be a function, but is string.'],
  [{ tasks: [] }, '"tasks" in behaviours must be an object of functions.'],
  [
    { createOrder: () => {}, 'POST /orders': () => {} },
    'behaviours gives createOrder two behaviours: createOrder and POST /orders.',
  ],
  [[], /^behaviours must give an object of behaviours/],
])('refuses to start with %o', async (behaviours, problem) => {
  const spec = projectFile('examples/shop/openapi.yaml');
  const starting = createTwin({ spec, behaviours: behaviours as never });
  await expect(starting).rejects.toThrow(TwinError);
  await expect(starting).rejects.toThrow(problem);
});

it('does the same for all operations that a name with * means', async () => {
  const { call } = await serveShop({
    'GET /orders*': ({ reply }) => reply.error(404, 'no', 'No.'),
  });
  for (const path of ['/orders', '/orders/1'])
    expect((await call(`GET ${path}`)).body.code).toBe('no');
  expect((await call('GET /pets')).status).toBe(200);
});

it.each<[string, (twin: Twin, sandbox: OwnSandbox) => Promise<unknown>]>([
  ['deleted', (_, sandbox) => sandbox.delete()],
  ['deleted with all', ({ origin }) => fetch(`${origin}/__admin/sandboxes`, { method: 'DELETE' })],
  ['replaced', (twin) => twin.sandbox('one', { items: 2 })],
  ['reset', (_, sandbox) => sandbox.reset()],
  ['reset by the admin', (twin) => adminOf(twin, '/sandboxes/one').send('POST', 'reset')],
])('forgets what a sandbox used once that is %s', async (_, end) => {
  const { twin } = await serveShop();
  const first = await twin.sandbox('one');
  await first.behaviours.use({ listOrders: () => [] });
  const orders = async () => (await callerOf(first)('GET /orders')).body;
  await (await first.snapshot()).restore();
  expect(await orders()).toEqual([]);
  await end(twin, first);
  await twin.sandbox('one');
  expect(await orders()).not.toEqual([]);
  await first.behaviours.use({ listOrders: () => [] });
  expect(await orders()).toEqual([]);
});

it('uses behaviours of a test until reset, in the sandbox alone that uses them', async () => {
  const { twin, call } = await serveShop({ listPets: () => [] });
  const sandbox = await twin.sandbox();
  const inSandbox = callerOf(sandbox);
  const orders = async (one: typeof call) => (await one('GET /orders')).body;
  await twin.behaviours.use({ listOrders: () => [], tasks: {} });
  await twin.behaviours.use({ getOrder: ({ reply }) => reply.error(404, 'gone', 'Gone.') });
  expect([await orders(call), (await orders(inSandbox)).length]).toEqual([[], 1]);
  expect((await call('GET /orders/1')).body.code).toBe('gone');
  expect((await call('GET /pets')).body).toEqual([]);
  await sandbox.behaviours.use({ listPets: ({ next }) => next() });
  expect((await inSandbox('GET /pets')).body).toHaveLength(2);
  const unknown = twin.behaviours.use({ nothing: () => {} });
  await expect(unknown).rejects.toThrow('behaviours.use() names "nothing"');
  await twin.reset();
  expect(await orders(call)).toEqual([{ id: 1, petId: 2, status: 'placed' }]);
  const { body } = await inSandbox('GET /pets');
  expect(body).toEqual([{ id: 1, name: 'Rex', status: 'available' }, expect.anything()]);
});
