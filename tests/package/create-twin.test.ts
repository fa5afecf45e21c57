import { createServer } from 'node:http';
import { afterAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { connectTwin, createTwin, type Sandbox, TwinError } from '../../package/twin.ts';
import { closeServer, listen } from '../../tools/lab/deployment.ts';
import { createSend } from '../support/create-send.ts';
import { bearer } from '../support/twin.ts';

const twin = await createTwin({ seed: 7 });

afterAll(() => twin.close());
beforeEach(async () => {
  await twin.reset();
  // A minute that ended meanwhile would begin the counts anew.
  await twin.clock.freeze();
});

const list = (of: Sandbox, query = '', key = of.key()) =>
  fetch(`${of.url}/pets${query}`, { headers: bearer(key) });
const create = (of: Sandbox, body: string) =>
  createSend(of.url, bearer(of.key('pro')))('POST', '/pets', body);

it('answers at its address with its keys', async () => {
  expect(twin.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  expect(twin.keys[0]).toEqual({ key: 'demo-free', name: 'demo-free', plan: 'free' });
  expect((await list(twin)).status).toBe(200);
  expect((await list(twin, '', twin.key('enterprise'))).headers.get('X-RateLimit-Limit')).toBe(
    '10000',
  );
});

it('says which keys there are where one is asked for that is not', () => {
  expect(() => twin.key('gold')).toThrow(
    'There is no key of a plan or name "gold". Known are free, demo-free, demo-free-2, pro',
  );
});

it('reads and changes items, to the digit', async () => {
  const { data } = twin;
  const sold = await data.list('pets', { status: 'sold' });
  expect(sold.length).toBeGreaterThan(20);
  expect(await data.list('pets', { status: 'sold' }, { skip: 1, limit: 2 })).toEqual(
    sold.slice(1, 3),
  );
  const rex = await data.create('pets', { name: 'Rex', categoryId: 9007199254740993n });
  expect(rex).toEqual({ id: 121, name: 'Rex', categoryId: 9007199254740993n });
  const far = 9223372036854775807n;
  await data.replace('pets', far, { name: 'Far', categoryId: 1, status: 'sold' });
  expect(await data.get('pets', String(far))).toMatchObject({ id: far, name: 'Far' });
  expect(await data.patch('pets', 121, { status: 'pending', categoryId: 2 })).toEqual({
    id: 121,
    name: 'Rex',
    categoryId: 2,
    status: 'pending',
  });
  expect(await data.patch('pets', 121, { status: null })).not.toHaveProperty('status');
  expect(await data.remove('pets', far)).toBeUndefined();
  await expect(data.get('pets', far)).rejects.toMatchObject({ code: 'not_found' });
  await expect(data.create('toys', { name: 'Ball' })).rejects.toThrow(
    'The mock refused POST /__admin/data/toys: There is no collection "toys".',
  );
  await expect(data.clear('pets', { status: undefined } as object)).rejects.toThrow(
    'The filter "status" is undefined. Leave it out to remove all.',
  );
  await expect(data.clear('pets', { limit: 5 } as object)).rejects.toThrow(
    'There is no query parameter "limit". Use status.',
  );
  expect(await data.clear('pets', { status: 'sold' })).toBe(sold.length);
  expect(await (await list(twin, '?status=sold')).json()).toEqual([]);
  expect(await data.clear('pets')).toBe(121 - sold.length);
  expect((await twin.requests()).map(({ method }) => method)).toEqual(['GET']);
  expect(await twin.requests({ admin: true })).toHaveLength(10);
});

it('moves its clock', async () => {
  const noon = new Date('2030-12-04T12:00:00Z');
  expect(await twin.clock.freeze(noon)).toEqual(noon);
  expect(await twin.clock.advance(1000)).toEqual(new Date('2030-12-04T12:00:01Z'));
  expect(await twin.clock.now()).toEqual(new Date('2030-12-04T12:00:01Z'));
  await expect(twin.clock.freeze('soon')).rejects.toThrow('"soon" is not an instant.');
  await expect(twin.clock.advance(-1)).rejects.toThrow(
    'A duration is a number of milliseconds, or an object of days, hours',
  );
  expect(Math.abs((await twin.clock.reset()).getTime() - Date.now())).toBeLessThan(60_000);
});

it('lists tasks, runs one, removes them, and does what falls due while its clock moves', async () => {
  const done: string[] = [];
  await using own = await createTwin({
    behaviours: {
      async listPets({ next, after }) {
        after({ days: 1 }, 'deliver', { order: done.length });
        after({ days: 2 }, 'fail');
        return next();
      },
      tasks: {
        deliver: async (_, { clock }) => {
          done.push(clock.now().toISOString().slice(0, 10));
        },
        fail: async () => {
          throw new Error('no stock');
        },
      },
    },
  });
  await own.clock.freeze('2030-01-01');
  await list(own);
  await list(own);
  const due = ['2030-01-02T00:00:00.000Z', '2030-01-03T00:00:00.000Z'];
  expect((await own.tasks.list()).map((task) => task.due)).toEqual([...due, ...due].toSorted());
  await own.tasks.run('task-1');
  expect(done).toEqual(['2030-01-01']);
  await expect(own.tasks.run('task-2')).rejects.toThrow('The task task-2 failed: ');
  await own.tasks.remove('task-4');
  expect(await own.clock.advance({ days: 1 })).toEqual(new Date('2030-01-02'));
  expect(done).toEqual(['2030-01-01', '2030-01-02']);
  await list(own);
  await own.tasks.clear();
  expect(await own.tasks.list()).toEqual([]);
});

it('uses up, bans and lifts a key, and puts it on another plan', async () => {
  await twin.limits.exhaust('demo-free');
  expect((await list(twin)).status).toBe(429);
  await twin.limits.lift('demo-free');
  expect((await list(twin)).status).toBe(200);
  await twin.limits.ban('demo-free', 60);
  expect(await (await list(twin)).json()).toMatchObject({ code: 'key_banned' });
  expect(await twin.limits.setPlan('demo-pro', 'business')).toMatchObject({
    plan: 'business',
    minute: { limit: 1000 },
  });
  expect((await twin.limits.list()).mode).toBe('enforce');
  await expect(twin.limits.get('nobody')).rejects.toThrow(TwinError);
});

it('goes wrong on purpose, and stops it', async () => {
  const rule = await twin.faults.add({ operation: 'listPets', status: 503, times: 2 });
  expect([(await list(twin)).status, rule.id]).toEqual([503, 'fault-1']);
  expect(await twin.faults.list()).toMatchObject([{ id: 'fault-1', calls: 1, hits: 1 }]);
  await twin.faults.remove(rule.id);
  expect((await list(twin)).status).toBe(200);
  await twin.faults.add({ fault: 'CONNECTION_RESET_BY_PEER' });
  await expect(list(twin)).rejects.toThrow();
  await twin.faults.clear();
  expect((await list(twin)).status).toBe(200);
  await expect(twin.faults.add({ status: 99 })).rejects.toThrow('"status"');
  await expect(twin.faults.remove('none')).rejects.toThrow(TwinError);
});

it('keeps its answers back', async () => {
  expect(await twin.settings({ fixedDelay: 1 })).toEqual({
    fixedDelay: 1,
    delayDistribution: null,
  });
  expect((await list(twin)).status).toBe(200);
  expect(await twin.settings()).toMatchObject({ fixedDelay: 1 });
  await twin.reset();
  expect(await twin.settings()).toEqual({ fixedDelay: null, delayDistribution: null });
});

it('has sandboxes that keep to themselves', async () => {
  await using one = await twin.sandbox('one');
  await using other = await twin.sandbox(undefined, {
    pets: 3,
    plans: { free: { perMinute: 2, perDay: 10 } },
  });
  expect([one.url, one.origin]).toEqual([`${twin.origin}/sandboxes/one/v1`, twin.origin]);
  await other.clock.freeze();
  expect([await count(one, '?limit=100'), await count(other)]).toEqual([100, 3]);
  expect((await list(other)).headers.get('X-RateLimit-Remaining')).toBe('0');
  await other.limits.exhaust('demo-free');
  expect([(await list(other)).status, (await list(one)).status]).toEqual([429, 200]);
  await other.reset();
  expect((await list(other)).status).toBe(200);
  await expect(twin.sandbox('no name')).rejects.toThrow('The name of a sandbox must be');
  await expect(twin.sandbox('x', { pets: -1 })).rejects.toThrow('"pets"');
});

it('deletes a sandbox that goes out of use', async () => {
  {
    await using gone = await twin.sandbox('gone');
    await create(gone, '{"name":"x","categoryId":1}');
  }
  await using again = await twin.sandbox('gone');
  expect((await create(again, '{"name":"x","categoryId":1}')).json).toMatchObject({
    id: 121,
  });
});

it('comes back to a snapshot, here and elsewhere, integers exact', async () => {
  await create(twin, '{"name":"stored","categoryId":9007199254740993}');
  const snapshot = await twin.snapshot();
  await create(twin, '{"name":"lost","categoryId":1}');
  await snapshot.restore();
  expect((await create(twin, '{"name":"next","categoryId":1}')).json).toMatchObject({
    id: 122,
  });
  const exported = await snapshot.export();
  expect(exported).toContain('9007199254740993');
  await using elsewhere = await twin.sandbox();
  await (await elsewhere.snapshot(exported)).restore();
  const read = await list(elsewhere, '/121');
  expect(await read.text()).toContain('9007199254740993');
  await snapshot.delete();
  await expect(snapshot.restore()).rejects.toThrow('There is no snapshot');
});

it('is closed at the end of its block, and once however often it is asked to', async () => {
  let origin: string;
  {
    await using short = await createTwin();
    origin = short.origin;
    await short.close();
  }
  await expect(fetch(origin)).rejects.toThrow();
});

it('is there for another process that knows its address', async () => {
  const connected = await connectTwin(twin.url);
  await connected.limits.exhaust('demo-free');
  expect((await list(twin)).status).toBe(429);
  expect((await list(connected)).status).toBe(429);
  await connected.close();
  expect((await list(twin, '', twin.key('pro'))).status).toBe(200);
  await expect(connectTwin(twin.origin)).rejects.toThrow(
    `is not the address of its API, which is at ${twin.url}.`,
  );
  await expect(connectTwin('nowhere')).rejects.toThrow('"nowhere" is not the address of a twin.');
  await expect(connectTwin('http://127.0.0.1:1/v1')).rejects.toThrow(
    /^There is no twin at http:\/\/127\.0\.0\.1:1: /,
  );
});

async function count(of: Sandbox, query = ''): Promise<number> {
  return ((await (await list(of, query)).json()) as unknown[]).length;
}

it.each(['..', '.', 'a/b', 'x?y', '%61', 'default', ''])(
  'has no sandbox that is named %j',
  async (name) => {
    await create(twin, '{"name":"stored","categoryId":1}');
    await expect(twin.sandbox(name)).rejects.toThrow(TwinError);
    expect((await list(twin, '/121')).status).toBe(200);
  },
);

it('takes the sandbox of an address for its own', async () => {
  const one = await connectTwin(`${twin.origin}/sandboxes/w1/v1/`);
  expect([one.name, one.url]).toEqual(['w1', `${twin.origin}/sandboxes/w1/v1`]);
  await one.clock.freeze();
  await one.limits.exhaust('demo-free');
  expect([(await list(one)).status, (await list(twin)).status]).toEqual([429, 200]);
  await using other = await one.sandbox('w2');
  expect(other.url).toBe(`${twin.origin}/sandboxes/w2/v1`);
});

it('may leave a sandbox that is gone already, on its own or with the twin', async () => {
  {
    await using gone = await twin.sandbox('d1');
    await gone.delete();
    await expect(gone.delete()).rejects.toMatchObject({ code: 'not_found' });
  }
  const short = await createTwin();
  {
    await using _left = await short.sandbox();
    await short.close();
  }
});

it.each([
  [302, 'application/json', ''],
  [200, 'text/html', '<html>'],
  [404, 'text/html', '<html>'],
])('says that a server which answers %i %s is no twin', async (status, type, body) => {
  const server = createServer((_, response) =>
    response.writeHead(status, { 'Content-Type': type }).end(body),
  );
  const port = await listen(server);
  onTestFinished(() => closeServer(server));
  await expect(connectTwin(`http://127.0.0.1:${port}/v1`)).rejects.toThrow(
    `The server at http://127.0.0.1:${port} is not a twin: `,
  );
});
