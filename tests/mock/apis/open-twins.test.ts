import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openTwins } from '../../../mock/apis/open-twins.ts';
import { createLog } from '../../../mock/log.ts';
import { parseConfig } from '../../../mock/settings/config.ts';
import { createSend } from '../../support/create-send.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { describeWithRedis, startRedis } from '../../support/redis-server.ts';
import { runMock, serveMock } from '../../support/run-mock.ts';
import { startServer } from '../../support/start-server.ts';
import { projectFile } from '../../support/twin.ts';
import { editFile } from '../../support/watching.ts';
import { writeText } from '../../support/write-json.ts';

const example = (name: string) => projectFile(`examples/many/${name}`);
const specs = [
  '--spec',
  `users=${example('users.yaml')}`,
  '--spec',
  `orders=${example('orders.yaml')}`,
];

async function start(args: string[]) {
  const lines: string[] = [];
  const { config, apis } = parseConfig(['--port', '0', ...args], {});
  if (!config || !apis) throw new Error('There are no APIs');
  const log = createLog('info', (line) => lines.push(line));
  const twins = await openTwins({ config, apis }, { log, timeouts: { idle: 1 } });
  onTestFinished(() => twins.close());
  const call = async (path: string, method = 'GET', body?: object) => {
    return (await createSend(twins.origin)(method, path, body)).json;
  };
  return { ...twins, lines, call };
}

it('answers before all are compiled, and is ready once all are', async () => {
  const { call, openAll } = await start(specs);
  expect(await call('/users/v1/accounts')).toHaveLength(5);
  expect(await call('/__admin/health')).toMatchObject({ code: 'starting_or_stopping' });
  await openAll();
  expect(await call('/__admin/health')).toEqual({ status: 'ready' });
});

it('reads each document once', async () => {
  const asked: string[] = [];
  const origin = await startServer(async ({ path }) => {
    asked.push(path);
    return { status: 200, body: await readFile(example(path.slice(1))) };
  });
  const { openAll } = await start(['--spec', `users=${origin}/users.yaml`, ...specs.slice(2)]);
  await openAll();
  expect(asked).toEqual(['/users.yaml']);
});

it('gives an API that is compiled late the clock of the others', async () => {
  const { call } = await start(specs);
  const clock = { action: 'freeze', instant: '2030-01-01T00:00:00Z' };
  await call('/users/sandboxes/w1/__admin/clock', 'PUT', clock);
  const { currentInstant } = await call('/orders/sandboxes/w1/__admin/clock');
  expect(currentInstant).toBe('2030-01-01T00:00:00.000Z');
});

it('has one clock after changes by several APIs at the same time', async () => {
  const { call, openAll } = await start(specs);
  await openAll();
  await Promise.all(
    ['users', 'orders', 'users', 'orders'].map((api, at) =>
      call(`/${api}/__admin/clock`, 'PUT', {
        action: 'freeze',
        instant: `203${at}-01-01T00:00:00Z`,
      }),
    ),
  );
  const { currentInstant } = await call('/users/__admin/clock');
  expect((await call('/orders/__admin/clock')).currentInstant).toBe(currentInstant);
});

it('reloads the document of one API', async () => {
  const folder = makeFolder();
  const file = join(folder, 'users.yaml');
  await cp(example('users.yaml'), file);
  const { call, lines, openAll } = await start([
    ...['--watch', '--spec', `users=${file}`, '--spec', `orders=${example('orders.yaml')}`],
  ]);
  await openAll();
  const edit = (text: string) => text.replaceAll('/accounts', '/people').replace('/v1', '/v2');
  await editFile(file, edit);
  await expect
    .poll(() => lines.join(''), { timeout: 20_000 })
    .toContain('users: Reloaded the document');
  expect(await call('/users/v2/people')).toEqual([]);
  expect(await call('/')).toMatchObject({ apis: [{ path: '/users/v2' }, { path: '/orders' }] });
  expect(await call('/orders/orders')).toHaveLength(5);
});

it('keeps the items of each API in a file of its own', async () => {
  const store = `sqlite:${join(makeFolder(), 'twin.db')}`;
  const first = await start([...specs, '--store', store]);
  await first.call('/users/v1/accounts', 'POST', { name: 'Ada' });
  await first.call('/orders/customers', 'POST', { name: 'Bob' });
  await first.call('/__admin/clock', 'PUT', { action: 'freeze', instant: '2030-01-01T00:00:00Z' });
  await first.close();
  const second = await start([...specs, '--store', store]);
  expect(await second.call('/users/v1/accounts')).toHaveLength(6);
  expect(await second.call('/orders/customers')).toHaveLength(6);
  expect(await second.call('/orders/orders')).toHaveLength(5);
  const { currentInstant } = await second.call('/orders/__admin/clock');
  expect(currentInstant).toBe('2030-01-01T00:00:00.000Z');
});

describeWithRedis('on Redis', () => {
  it('shares the state of each API under a prefix of its own', async () => {
    const { url } = await startRedis();
    const one = await start([...specs, '--store', url]);
    const two = await start([...specs, '--store', url]);
    await one.call('/users/v1/accounts', 'POST', { name: 'Ada' });
    expect(await two.call('/users/v1/accounts')).toHaveLength(6);
    expect(await two.call('/orders/customers')).toHaveLength(5);
    const { requests } = await two.call('/__admin/requests');
    expect(requests.map(({ api }: { api: string }) => api)).toEqual(['orders', 'users', 'users']);
  });
});

it('runs as a process, and says where each API is', async () => {
  const users = { spec: example('users.yaml'), port: 0 };
  const config = await writeText(JSON.stringify({ apis: { users } }));
  const { stdout, child } = await serveMock([...specs.slice(2), '--config', config]);
  expect(stdout).toContain('serves 2 APIs');
  const [own = ''] = /(?<=, also )\S+/.exec(stdout) ?? [];
  expect((await fetch(`${own}/accounts`)).status).toBe(200);
  const [url = ''] = /http:\S+\/users\/v1/.exec(stdout) ?? [];
  expect((await fetch(`${url}/accounts`)).status).toBe(200);
  const origin = new URL(url).origin;
  expect((await fetch(`${origin}/__admin/shutdown`, { method: 'POST' })).status).toBe(202);
  await expect.poll(() => child.exitCode).toBe(0);
});

it('ends with a sentence about a document that is none, and about one that is found wrong later', async () => {
  const none = await writeText('{"openapi": "4.0.0"}');
  const early = await runMock(['--port', '0', ...specs, '--spec', `more=${none}`]);
  expect(early).toMatchObject({ code: 2, stdout: '' });
  expect(early.stderr).toMatch(/^petstore-twin: .* is 4\.0\.0; it must be/);
  const taken = await writeText('{"openapi": "3.1.0", "paths": {"/__admin/x": {"get": {}}}}');
  const late = await runMock(['--port', '0', ...specs, '--spec', `more=${taken}`]);
  expect(late.code).toBe(2);
  expect(late.stderr).toContain('which the mock answers itself');
});
