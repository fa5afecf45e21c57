import { afterAll, beforeEach, expect, it } from 'vitest';
import { connectTwin, createTwin, createTwins, defineBehaviours } from '../../package/twin.ts';
import { createSend } from '../support/create-send.ts';
import { sendAs } from '../support/send-as.ts';
import { projectFile } from '../support/twin.ts';
import { writeText } from '../support/write-json.ts';

const example = (name: string) => projectFile(`examples/many/${name}`);

const behaviours = defineBehaviours({
  async createOrder({ body, items, reply, next }) {
    const account = await items('users.accounts').get(body.account);
    if (!account) return reply.error(422, 'unknown_account', 'There is no such account.');
    const order = await next();
    return items('orders').patch(order.id, { name: account.name });
  },
});

const twins = await createTwins({
  items: 2,
  apis: {
    users: { spec: example('users.yaml'), webhookUrl: '/orders/customers', seed: 5 },
    orders: { spec: example('orders.yaml'), behaviours, port: 0 },
    books: projectFile('examples/bookshop.yaml'),
  },
});
const { users, orders, books } = twins.apis;

afterAll(() => twins.close());
beforeEach(() => twins.reset());

const send = async (url: string, body?: object, headers: Record<string, string> = {}) => {
  const answer = await createSend(url)(body ? 'POST' : 'GET', '', body, headers);
  return { answer, status: answer.status, body: answer.json };
};
// biome-ignore lint/suspicious/noExplicitAny: each path has another.
const admin = async (path: string, init?: RequestInit): Promise<any> =>
  (await fetch(`${twins.origin}/__admin/${path}`, init)).json();

const getAt = (host: string, path: string) =>
  sendAs(twins.origin, { path, headers: { Host: `${host}:${new URL(twins.origin).port}` } });

it('answers for each API below its name, and at hosts that begin with it', async () => {
  expect(users.url).toBe(`${twins.origin}/users/v1`);
  const { body } = await send(`${users.url}/accounts`);
  expect(body).toHaveLength(2);
  expect(await getAt('users.localhost', '/v1/accounts')).toMatchObject({ status: 200 });
  expect(await getAt('orders', '/orders')).toMatchObject({ status: 200 });
  expect((await getAt('users.evil.test', '/v1/accounts')).status).toBe(403);
  const nowhere = await send(`${twins.origin}/usersx/v1/accounts`);
  expect(nowhere).toMatchObject({ status: 404, body: { code: 'unknown_path' } });
  expect(nowhere.body.message).toContain('There are /users, /orders, /books.');
});

it('answers at a port of its own without the name', async () => {
  const { body } = await send(`${twins.origin}/`);
  const { origin } = body.apis.find(({ name }: { name: string }) => name === 'orders');
  expect(origin).not.toBe(twins.origin);
  expect((await send(`${origin}/orders`)).body).toHaveLength(2);
  expect((await send(`${origin}/users/v1/accounts`)).status).toBe(404);
});

it('shows the name in links, and in no link where the host has it', async () => {
  const made = await send(`${users.url}/accounts`, { name: 'Ada' });
  const own = `${users.url}/accounts/${made.body.id}`;
  expect(made.body.url).toBe(own);
  expect(new URL(made.answer.headers.get('location') ?? '', own).href).toBe(own);
  expect((await send(own)).body).toEqual(made.body);
  const { port } = new URL(twins.origin);
  const byHost = await getAt('users.localhost', `/v1/accounts/${made.body.id}`);
  expect(byHost.json.url).toBe(`http://users.localhost:${port}/v1/accounts/${made.body.id}`);
  const inSandbox = await send(`${twins.origin}/users/sandboxes/w1/v1/accounts`, { name: 'Eve' });
  expect(inSandbox.body.url).toMatch(/\/users\/sandboxes\/w1\/v1\/accounts\/\d+$/);
});

it('sends webhooks of one API to another, within the sandbox', async () => {
  await send(`${users.url}/accounts`, { name: 'Ada' });
  await send(`${users.url}/accounts`, { name: 'Eve' }, { 'X-Sandbox': 'w2' });
  const inOther = await orders.sandbox('w2');
  await expect
    .poll(async () => [
      (await orders.data.list('customers')).map(({ name }) => name).includes('Ada'),
      (await inOther.data.list('customers')).map(({ name }) => name).includes('Eve'),
    ])
    .toEqual([true, true]);
});

it('reaches the items of one API in a behaviour of another', async () => {
  const [account] = await users.data.list('accounts');
  const made = await send(`${orders.url}/orders`, { account: account?.id });
  expect(made.body).toMatchObject({ account: account?.id, name: account?.name });
  expect((await send(`${orders.url}/orders`, { account: 99 })).status).toBe(422);
});

it('has one clock, which each API moves for all', async () => {
  await twins.clock.freeze('2030-01-01T00:00:00Z');
  expect(await orders.clock.now()).toEqual(new Date('2030-01-01T00:00:00Z'));
  await orders.clock.advance({ days: 1 });
  expect(await books.clock.now()).toEqual(new Date('2030-01-02T00:00:00Z'));
  const own = await orders.sandbox('w3');
  await own.clock.freeze('2031-01-01T00:00:00Z');
  expect(await (await users.sandbox('w3')).clock.now()).toEqual(new Date('2031-01-01T00:00:00Z'));
  expect(await users.clock.now()).toEqual(new Date('2030-01-02T00:00:00Z'));
  await users.reset();
  expect((await orders.clock.now()).getFullYear()).toBe(new Date().getFullYear());
});

it('has one journal, whose entries name their API', async () => {
  await send(`${users.url}/accounts`);
  await send(`${orders.url}/orders`);
  await send(`${orders.url}/none`);
  const { requests, meta } = await admin('requests');
  expect(requests.map(({ api, url }: Record<string, string>) => [api, url])).toEqual([
    ['orders', '/none'],
    ['orders', '/orders'],
    ['users', '/v1/accounts'],
  ]);
  expect(meta).toEqual({ total: 3, dropped: 0 });
  expect((await admin('requests?limit=1')).requests).toHaveLength(1);
  expect((await admin('requests?operation=listOrders')).requests).toHaveLength(1);
  expect(await admin('requests?operation=none')).toMatchObject({ code: 'invalid_parameter' });
  const [{ id }] = requests;
  expect(await admin(`requests/${id}`)).toMatchObject({ id, api: 'orders' });
  expect(await admin('requests/latest')).toMatchObject({ id });
  const curl = await fetch(`${twins.origin}/__admin/requests/${id}/curl`);
  expect(await curl.text()).toContain(`${orders.url}/none`);
  const head = await fetch(`${twins.origin}/__admin/requests`, { method: 'HEAD' });
  expect(head.status).toBe(200);
  const find = { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } };
  expect(await admin('requests/count', find)).toEqual({ count: 3, dropped: 0 });
  expect((await admin('requests/find', find)).requests).toHaveLength(3);
  expect((await admin('requests.har')).log.entries).toHaveLength(3);
  expect((await orders.requests()).map(({ api }) => api)).toEqual(['orders', 'orders']);
});

it('does at the admin of all what it is asked for each API', async () => {
  const put = { method: 'PUT' };
  expect(await admin('health')).toEqual({ status: 'ready' });
  expect(Object.keys(await admin('version'))).toEqual(['users', 'orders', 'books']);
  await admin('snapshots/before', put);
  await send(`${users.url}/accounts`, { name: 'Ada' });
  await send(`${orders.url}/customers`, { name: 'Bob' });
  const snapshot = await admin('snapshots/before');
  await admin('snapshots/before/restore', { method: 'POST' });
  expect(await users.data.list('accounts')).toHaveLength(2);
  expect(await orders.data.list('customers')).toHaveLength(2);
  const content = { ...put, body: JSON.stringify(snapshot) };
  const headers = { 'Content-Type': 'application/json' };
  const stored = await admin('snapshots/copy', { ...content, headers });
  expect(stored).toMatchObject({ users: { name: 'copy' }, orders: { name: 'copy' } });
  expect((await admin('')).operations.length).toBeGreaterThan(10);
  expect((await admin('none')).code).toBe('unknown_path');
  expect(Object.keys(await admin('operations'))).toHaveLength(3);
  const refused = await fetch(`${twins.origin}/__admin/none`);
  expect(refused.status).toBe(404);
});

it('has pages of each API, and a page with all', async () => {
  const page = async (path: string) => {
    const answer = await fetch(twins.origin + path, { headers: { Accept: 'text/html' } });
    return { status: answer.status, url: answer.url, text: await answer.text() };
  };
  const index = await page('/');
  expect(index.text).toContain('<a href="users/">users</a>');
  expect((await page('/__pages/common/look/look.css')).status).toBe(200);
  expect((await page('/users')).text).toContain(`${twins.origin}/users/v1`);
  expect((await page('/orders/__docs/')).text).toContain('Orders');
  const opened = await page('/__admin/console');
  expect(opened.url).toBe(`${twins.origin}/users/__admin/console`);
  expect(opened.text).toContain('"names":["users","orders","books"]'.replaceAll('"', '&quot;'));
});

it('connects to one of the APIs by its URL', async () => {
  await using connected = await connectTwin(users.url);
  await connected.clock.freeze('2032-01-01T00:00:00Z');
  expect(await orders.clock.now()).toEqual(new Date('2032-01-01T00:00:00Z'));
  await using inSandbox = await connectTwin(`${twins.origin}/users/sandboxes/w4/v1`);
  expect((await inSandbox.fetch(`${inSandbox.url}/accounts`)).status).toBe(200);
  expect((await (await users.sandbox('w4')).requests()).length).toBe(1);
  await expect(connectTwin(`${twins.origin}/v1`)).rejects.toThrow(
    `"${twins.origin}/v1" is not the address of an API. Those of its process are users, orders, books`,
  );
  await expect(connectTwin(`${twins.origin}/users`)).rejects.toThrow(`which is at ${users.url}.`);
});

it('stops all with one', async () => {
  const spec = example('orders.yaml');
  const others = await createTwins({ apis: { one: spec, two: spec }, listen: false });
  const { one, two } = others.apis;
  expect((await one.fetch(`${two.url}/orders`)).status).toBe(200);
  await one.close();
  await expect(two.fetch(`${two.url}/orders`)).rejects.toThrow('fetch failed');
});

it('keeps the token of the admin for all', async () => {
  await using guarded = await createTwins({
    apis: { one: example('orders.yaml') },
    adminToken: 't',
  });
  const url = `${guarded.origin}/__admin/reset`;
  expect((await fetch(url, { method: 'POST' })).status).toBe(401);
  const headers = { Authorization: 'Bearer t' };
  expect((await fetch(url, { method: 'POST', headers })).status).toBe(200);
  expect((await fetch(`${guarded.origin}/__admin/health`)).status).toBe(200);
  await guarded.reset();
});

it('says what is wrong with the settings in one sentence', async () => {
  const spec = example('orders.yaml');
  const broken = await writeText('a: [', 'broken.yaml');
  const start = (apis: object, more = {}) =>
    createTwins({ apis, ...more } as never).then(
      () => 'started',
      ({ message }) => message,
    );
  expect(await start({})).toMatch(/^apis must be an object with the settings of each API/);
  expect(await start({ 'a/b': spec })).toMatch(/^a\/b in apis: the name of an API must be/);
  expect(await start({ sandboxes: spec })).toContain('no API can have the name sandboxes');
  expect(await start({ one: spec }, { spec })).toBe(
    'spec is that of no API. Give each its own in apis, and leave it out.',
  );
  expect(await start({ one: {} })).toBe('The API one has no document. Give it one as spec.');
  expect(await start({ one: { spec, adminToken: 'x' } })).toBe(
    '"adminToken" of one in apis is a setting of the whole process. Set it beside apis.',
  );
  expect(await start({ one: { spec, sed: 3 } })).toContain('Did you mean "seed"?');
  expect(await start({ one: { spec, port: 4999 }, two: { spec, port: 4999 } })).toContain(
    'The API two has the port 4999, which the API one has, too.',
  );
  expect(await start({ one: spec, two: broken })).toContain(
    `${broken} cannot be read as a document`,
  );
  expect(await start({ one: { spec, webhookUrl: '/two/hook' } })).toContain('leads to no API');
  await expect(createTwin({ webhookUrl: '/two/hook' })).rejects.toThrow('Give a whole URL');
});
