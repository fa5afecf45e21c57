import { expect, it } from 'vitest';
import { connectTwin, createTwin, type Sandbox, TwinError } from '../../package/twin.ts';

const list = (of: Sandbox, init: RequestInit = {}) =>
  of.fetch(`${of.url}/pets?limit=100`, {
    headers: { Authorization: `Bearer ${of.key()}` },
    ...init,
  });

it('answers and is controlled without a port', async () => {
  await using twin = await createTwin({ listen: false, items: 3 });
  expect([twin.url, twin.origin]).toEqual(['http://twin.localhost/v1', 'http://twin.localhost']);
  await twin.clock.freeze('2030-12-04T12:00:00Z');
  expect(await (await list(twin)).json()).toHaveLength(3);
  await twin.data.create('pets', { name: 'Rex', categoryId: 9_007_199_254_740_993n });
  expect(await (await list(twin)).text()).toContain('9007199254740993');
  await using sandbox = await twin.sandbox('one', { items: 7 });
  expect(sandbox.url).toBe('http://twin.localhost/sandboxes/one/v1');
  expect(await (await list(sandbox)).json()).toHaveLength(7);
  await sandbox.limits.exhaust(sandbox.key());
  expect([(await list(sandbox)).status, (await list(twin)).status]).toEqual([429, 200]);
  expect(
    (await sandbox.requests()).map(({ status, absoluteUrl }) => [status, absoluteUrl]),
  ).toEqual([
    [429, `${sandbox.url}/pets?limit=100`],
    [200, `${sandbox.url}/pets?limit=100`],
  ]);
  await expect(twin.sandbox('no name')).rejects.toThrow(TwinError);
  await expect(twin.limits.get('nobody')).rejects.toThrow(TwinError);
});

it.each(['CONNECTION_RESET_BY_PEER', 'EMPTY_RESPONSE', 'RANDOM_DATA_THEN_CLOSE'] as const)(
  'rejects with a TypeError for the fault %s',
  async (fault) => {
    await using twin = await createTwin({ listen: false });
    await twin.faults.add({ fault });
    await expect(list(twin)).rejects.toThrow(TypeError);
    await twin.faults.clear();
    expect((await list(twin)).status).toBe(200);
  },
);

it('rejects while the content is read for the fault MALFORMED_RESPONSE_CHUNK', async () => {
  await using twin = await createTwin({ listen: false });
  await twin.faults.add({ fault: 'MALFORMED_RESPONSE_CHUNK' });
  const response = await list(twin);
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow(TypeError);
});

it('waits as long as the twin delays its answers, or until it is aborted', async () => {
  await using twin = await createTwin({ listen: false });
  await twin.settings({ fixedDelay: 60_000 });
  const pending = list(twin, { signal: AbortSignal.timeout(1) });
  await expect(pending).rejects.toMatchObject({ name: 'TimeoutError' });
});

it('answers in process beside its port, and as the global fetch where it runs elsewhere', async () => {
  await using twin = await createTwin();
  const connected = await connectTwin(twin.url);
  const [here, there] = await Promise.all([twin, connected].map((one) => list(one)));
  expect(await here?.text()).toBe(await there?.text());
  const agents = await twin.requests();
  expect(agents).toHaveLength(2);
});

it('is closed once, and then rejects', async () => {
  const twin = await createTwin({ listen: false });
  await twin.close();
  await expect(list(twin)).rejects.toThrow(TypeError);
  await expect(twin.clock.now()).rejects.toThrow('There is no twin: the mock is closed.');
});

it.each([
  [{ port: 4010 }, 'port has no effect, as the mock does not listen.'],
  [{ tls: true }, 'tls has no effect, as the mock does not listen.'],
])('refuses what only a server has: %o', async (settings, message) => {
  await expect(createTwin({ listen: false, ...settings })).rejects.toThrow(message);
});

it('takes true and false alone', async () => {
  await expect(createTwin({ listen: 0 as never })).rejects.toThrow('listen must be true or false.');
});
