import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TaskView } from '../../../../mock/extras/tasks/task-handlers.ts';
import type { Behaviour, Behaviours, Call, Context, Task, Twin } from '../../../../package/twin.ts';
import { adminOf } from '../../../support/admin-requests.ts';
import { createSend } from '../../../support/create-send.ts';
import { makeFolder } from '../../../support/make-folder.ts';
import { bearer, projectFile, startTwin } from '../../../support/twin.ts';
import { startReceiver } from '../../../support/webhook-receiver.ts';
import { callerOf, copyExample, serveShop, writeFiles } from './serve-shop.ts';

const hour = 3_600_000;
const day = 24 * hour;

const tasksOf = async (twin: Twin): Promise<TaskView[]> => (await adminOf(twin).ask('tasks')).tasks;

const statusOf = async (twin: Twin, id = 1) =>
  ((await twin.data.get('orders', id)) as { status?: string } | undefined)?.status;

/** Behaviours of the shop in which an order is followed by what `act` does later. */
const later = (act: (call: Call) => void, tasks: Record<string, Task> = {}): Behaviours => ({
  async createOrder(call: Call) {
    const order = await call.next();
    act(call);
    return order;
  },
  tasks,
});

it('delivers an order a day later, which is listed until then', async () => {
  const { twin, call } = await serveShop(await copyExample());
  const start = await twin.clock.freeze('2030-01-01T00:00:00Z');
  const { body } = await call('POST /orders', { petId: 1 });
  const due = new Date(start.getTime() + day).toISOString();
  const task = { id: 'task-1', name: 'behaviour:deliver', args: { orderId: body.id }, due };
  expect(await tasksOf(twin)).toEqual([task]);
  await twin.clock.advance(day - 1);
  expect(await statusOf(twin, body.id)).toBe('placed');
  await twin.clock.advance(1);
  expect(await statusOf(twin, body.id)).toBe('delivered');
  expect((await call('GET /pets/1')).body.status).toBe('sold');
  expect(await tasksOf(twin)).toEqual([]);
  expect((await call(`POST /orders/${body.id}/cancel`)).body.code).toBe('order_delivered');
});

it('runs functions in order of their instants, each at its own, with items and what follows', async () => {
  const seen: [string, string][] = [];
  const { twin, call } = await serveShop(
    later(({ after, items, clock, log }) => {
      const note = (name: string) => seen.push([name, clock.now().toISOString().slice(11, 16)]);
      after({ hours: 2 }, () => note('two'));
      after({ hours: 1, minutes: 30 }, async () => {
        note('one and a half');
        await items('orders').patch(1, { status: 'delivered' });
        after({ minutes: 10 }, () => note('ten later'));
        log('done');
      });
    }),
  );
  await twin.clock.freeze('2030-01-01T00:00:00Z');
  await call('POST /orders', { petId: 1 });
  await twin.clock.advance(3 * hour);
  expect(seen).toEqual([
    ['one and a half', '01:30'],
    ['ten later', '01:40'],
    ['two', '02:00'],
  ]);
  expect(await statusOf(twin)).toBe('delivered');
});

it('repeats work until it gives false', async () => {
  let [runs, counts] = [0, 0];
  const behaviours = later(
    ({ every }) => {
      every({ hours: 1 }, () => ++runs < 3);
      every({ hours: 2 }, 'count');
    },
    { count: () => void (counts += 1) },
  );
  const { twin, call } = await serveShop(behaviours);
  await twin.clock.freeze();
  await call('POST /orders', { petId: 1 });
  expect((await tasksOf(twin)).map(({ every }) => every)).toEqual([hour, 2 * hour]);
  await twin.clock.advance(4 * hour);
  expect([runs, counts]).toEqual([3, 2]);
  expect((await tasksOf(twin)).map(({ name }) => name)).toEqual(['behaviour:count']);
});

it('adds no task of a call that fails, or that acts again', async () => {
  const fail = ({ after }: Call) => {
    after(hour, 'count');
    throw new Error('no');
  };
  const { twin, call } = await serveShop(later(fail, { count: () => {} }));
  expect((await call('POST /orders', { petId: 1 })).status).toBe(500);
  expect(await tasksOf(twin)).toEqual([]);
});

const circular: { self?: unknown } = {};
circular.self = circular;

it.each<[string, (call: Call) => void, string]>([
  [
    'a bigint as an argument',
    ({ after }) => after({ days: 1 }, 'count', { order: { id: 2n ** 60n } }),
    'behaviour:count must be JSON, but "id" is the bigint 1152921504606846976. Give it as text',
  ],
  ['circular arguments', ({ after }) => after(1, 'count', circular), 'must be JSON'],
  ['long arguments', ({ after }) => after(1, 'count', { text: 'x'.repeat(65_536) }), '65536'],
  ['no time between', ({ every }) => every(0, 'count'), 'at least 1'],
  ['no time between functions', ({ every }) => every(0, () => {}), 'at least 1'],
  ['an instant after the last', ({ after }) => after({ days: 1e9 }, () => {}), 'last instant'],
  ['a circular payload', ({ emit }) => emit('zzz', circular), 'payload of zzz must be JSON'],
  ['an event without a name', ({ emit }) => emit(7 as never), 'name'],
])('stores nothing of a call that gives later work %s', async (_, act, problem) => {
  const { twin, call } = await serveShop(later(act, { count: () => {} }));
  const { status, body } = await call('POST /orders', { petId: 1 });
  expect([status, body.code]).toEqual([500, 'behaviour_failed']);
  expect(body.message).toContain(problem);
  expect(await twin.data.list('orders')).toHaveLength(1);
  expect(await tasksOf(twin)).toEqual([]);
});

it('takes arguments and payloads as they are when they are given', async () => {
  const { url, received } = await startReceiver();
  const seen: unknown[] = [];
  const give = ({ after, emit }: Call) => {
    const given = { id: 1 };
    after(hour, 'note', given);
    emit('order.placed', given);
    emit('order.big', { id: 2n ** 60n });
    given.id = 2;
  };
  const behaviours = later(give, { note: (args) => void seen.push(args) });
  const { twin, call } = await serveShop(behaviours, { webhookUrl: url });
  await twin.clock.freeze();
  await call('POST /orders', { petId: 1 });
  await twin.clock.advance(hour);
  expect(seen).toEqual([{ id: 1 }]);
  await twin.webhooks.next('order.placed');
  await twin.webhooks.next('order.big');
  const [first, second] = received.map(({ body }) => body);
  expect(first).toMatch(/"id":1\b/);
  expect(second).toBe('{"id":1152921504606846976}');
});

it('does the task that a sandbox uses in that sandbox alone', async () => {
  const done: string[] = [];
  const deliver = (by: string) => (_: unknown, context: Context) =>
    void done.push(`${by} in ${context.sandbox}`);
  const { twin, call } = await serveShop(
    later(({ after }) => after(hour, 'deliver'), { deliver: deliver('first') }),
  );
  const other = await twin.sandbox('other');
  const act = later(({ after }) => after(hour, 'own'), {}).createOrder as Behaviour;
  await other.behaviours.use({ tasks: { deliver: deliver('used'), own: deliver('own') } });
  for (const one of [twin, other]) {
    await one.clock.freeze();
    await callerOf(one)('POST /orders', { petId: 1 });
    await one.clock.advance(hour);
  }
  expect(done).toEqual(['first in default', 'used in other']);
  await twin.behaviours.use({ createOrder: act });
  expect((await call('POST /orders', { petId: 1 })).body.message).toContain('no task "own"');
  await other.behaviours.use({ createOrder: act });
  await callerOf(other)('POST /orders', { petId: 1 });
  await other.clock.advance(hour);
  expect(done.at(-1)).toBe('own in other');
});

it('stores nothing of a task that throws, and goes on with others', async () => {
  const both = ({ after }: Call) => {
    after(hour, 'fail');
    after(2 * hour, 'deliver');
  };
  const { twin, call } = await serveShop(
    later(both, {
      async fail(_, { items }) {
        await items('orders').patch(1, { status: 'cancelled' });
        throw new Error('not today');
      },
      deliver: (_, { items }) => items('orders').patch(1, { status: 'delivered' }),
    }),
  );
  await twin.clock.freeze();
  await call('POST /orders', { petId: 1 });
  await twin.clock.advance(hour);
  expect(await statusOf(twin)).toBe('placed');
  await twin.clock.advance(hour);
  expect(await statusOf(twin)).toBe('delivered');
});

it('forgets tasks at a reset, and keeps named ones in snapshots', async () => {
  const { twin, call } = await serveShop(await copyExample());
  await twin.clock.freeze();
  const { body } = await call('POST /orders', { petId: 1 });
  const snapshot = await twin.snapshot();
  await twin.reset();
  expect(await tasksOf(twin)).toEqual([]);
  await snapshot.restore();
  expect(await tasksOf(twin)).toHaveLength(1);
  await twin.clock.advance(day);
  expect(await statusOf(twin, body.id)).toBe('delivered');
});

it('does a named task after a restart with a store', async () => {
  const folder = makeFolder();
  const settings = { store: `sqlite:${join(folder, 'twin.db')}` };
  const behaviours = await copyExample();
  const first = await serveShop(behaviours, settings);
  await first.twin.clock.freeze();
  const { body } = await first.call('POST /orders', { petId: 1 });
  await first.twin.close();
  const second = await serveShop(behaviours, settings);
  expect(await statusOf(second.twin, body.id)).toBe('placed');
  await second.twin.clock.advance(day);
  expect(await statusOf(second.twin, body.id)).toBe('delivered');
});

it('says in the log which task failed, and where', async () => {
  const file = await writeFiles({
    'failing.ts': `export default {
  createOrder({ next, after }: { next: any; after: any }) {
    after(1000, () => {
      throw new Error('not today');
    });
    return next();
  },
};`,
  });
  const spec = projectFile('examples/shop/openapi.yaml');
  const twin = await startTwin({ spec, behaviours: file });
  const send = createSend(twin.api, bearer('demo-free'));
  expect((await send('POST', '/orders', { petId: 1 })).status).toBe(201);
  await adminOf(twin).send('PUT', 'clock', { action: 'advance', durationMillis: 1000 });
  expect(twin.lines.join('')).toMatch(/behaviour:closure.*not today \(\S*failing\.ts:4\)\.?\n/);
});

it('sends nothing after the tasks that a call of a mock plans, nor after theirs', async () => {
  const { twin, call } = await serveShop(
    later(({ after }) => after({ hours: 1 }, 'ship'), {
      async ship(_, { after, emit, items }) {
        await items('orders').patch(1, { status: 'delivered' });
        emit('order.shipped', { id: 1 });
        after({ hours: 1 }, 'ship');
      },
    }),
  );
  await twin.clock.freeze('2030-01-01T00:00:00Z');
  await call('POST /orders', { petId: 1 }, { 'X-Twin-Hops': '1' });
  const exported = await (await twin.snapshot()).export();
  await (await twin.snapshot(exported)).restore();
  await twin.clock.advance(3 * hour);
  expect(await statusOf(twin)).toBe('delivered');
  expect((await twin.webhooks.list()).deliveries).toEqual([]);
  expect(await tasksOf(twin)).toMatchObject([{ name: 'behaviour:ship', isQuiet: true }]);
  await call('POST /orders', { petId: 1 });
  await twin.clock.advance(hour);
  expect((await twin.webhooks.list()).deliveries).toMatchObject([{ event: 'order.shipped' }]);
});
