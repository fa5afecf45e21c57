import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createItemCollector, maxListed } from '../../../contracts/data/collect-items.ts';
import { readDocument } from '../../../contracts/document/read-document.ts';
import { type Replay, replay } from '../../../contracts/fidelity/replay.ts';
import type { RecordedExchange } from '../../../contracts/traffic/read-outcome.ts';
import { projectFile } from '../../support/twin.ts';

const baseUrl = 'https://orders.example.com/v1';
const spec = { spec: projectFile('examples/learn/orders.yaml') };

function exchange(method: string, path: string, json: unknown): RecordedExchange {
  const body = { bytes: Buffer.from(JSON.stringify(json)), isDecoded: true };
  const headers = [['Content-Type', 'application/json']] as const;
  return {
    request: { method, url: `${baseUrl}${path}`, headers: [] },
    response: { status: 200, headers, body },
    ...{ sentAt: 0, endedAt: 1 },
  };
}

it('asks the mock once for what a recording reads again before anything is changed', async () => {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`);
    response.setHeader('Content-Type', 'application/json').end('{"id":"ord_1"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const twinUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const read = (status: string) => exchange('GET', '/orders/ord_1', { id: 'ord_1', status });
  const replayed: Replay[] = [];
  await replay(
    [read('a'), read('a'), read('b'), exchange('POST', '/orders/ord_1/finalize', {}), read('b')],
    {
      ...{ document: await readDocument(spec, { isStated: false }), baseUrl, twinUrl },
      ...{ key: 'k', timeout: 5000, onReplayed: (one) => replayed.push(one) },
    },
  ).finally(() => server.close());
  const path = '/orders/ord_1';
  expect(calls).toEqual([`GET ${path}`, `POST ${path}/finalize`, `GET ${path}`]);
  expect(replayed.map(({ differences: [one] }) => one?.recorded)).toEqual([
    ...['a', 'a', 'b'],
    ...[undefined, 'b'],
  ]);
});

it('compares no headers that depend on the page that calls', async () => {
  const document = await readDocument(spec, { isStated: false });
  const [operation] = document.operations.filter(({ path }) => path === '/orders/{order}');
  for (const one of operation?.responses ?? [])
    Object.assign(one.headers, { 'Access-Control-Expose-Headers': {}, 'X-Kind': {} });
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'application/json').end('{"id":"ord_1"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const twinUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const read = exchange('GET', '/orders/ord_1', { id: 'ord_1' });
  const extra = [
    ['Access-Control-Expose-Headers', 'X-Kind'],
    ['X-Kind', 'a'],
  ] as const;
  Object.assign(read.response ?? {}, { headers: [['Content-Type', 'application/json'], ...extra] });
  const replayed: Replay[] = [];
  await replay([read], {
    ...{ document, baseUrl, twinUrl, key: 'k', timeout: 5000 },
    onReplayed: (one) => replayed.push(one),
  }).finally(() => server.close());
  expect(replayed[0]?.differences.map(({ at }) => at)).toEqual(['x-kind']);
});

it('takes no text that a client chose, in a form either, for a name that the service gave', async () => {
  const document = await readDocument(spec, { isStated: false });
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'application/json').end('{"name":"other"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const twinUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const create = exchange('POST', '/customers', { name: 'bolts' });
  const headers = [['Content-Type', 'application/x-www-form-urlencoded']] as const;
  Object.assign(create.request, { headers, body: { bytes: Buffer.from('name=bolts') } });
  const replayed: Replay[] = [];
  await replay([create, exchange('GET', '/customers/bolts', { name: 'bolts' })], {
    ...{ document, baseUrl, twinUrl, key: 'k', timeout: 5000 },
    onReplayed: (one) => replayed.push(one),
  }).finally(() => server.close());
  const kinds = replayed.map(({ differences }) => differences.map(({ kind }) => kind));
  expect(kinds).toEqual([['value'], ['value']]);
});

it('begins with the items that paths alone name, unless an answer showed their ids before', async () => {
  const document = await readDocument(spec, { isStated: false });
  const collector = createItemCollector({ document, baseUrl, isInitial: true });
  await collector.add(exchange('POST', '/customers', { id: 'cus_2', name: 'A', email: 'a@b.co' }));
  for (const id of ['cus_1', 'cus_2'])
    await collector.add(exchange('POST', `/customers/${id}/orders`, { id: `ord_${id}` }));
  const ids = collector
    .items()
    .get('customers')
    ?.map((one) => JSON.parse(one).id);
  expect(ids).toEqual(['cus_1']);
});

it('begins with a bounded number of the items that lists show, and with those that calls name', async () => {
  const document = await readDocument(spec, { isStated: false });
  const collector = createItemCollector({ document, baseUrl, isInitial: true });
  const customer = (number: number) => ({ id: `cus_${number}`, name: 'A', email: 'a@mail.test' });
  await collector.add(
    exchange(
      'GET',
      '/customers',
      Array.from({ length: 1100 }, (_, at) => customer(at)),
    ),
  );
  await collector.add(exchange('GET', '/customers/cus_1099', customer(1099)));
  expect([...collector.items().values()].map(({ length }) => length)).toEqual([maxListed + 1]);
});

it('begins with the items of several pages in the order of their creation', async () => {
  const document = await readDocument(spec, { isStated: false });
  const list = document.operations.find(
    ({ kind, path }) => kind === 'list' && path === '/customers',
  );
  Object.assign(list ?? {}, { rules: { order: { isDescending: true } } });
  const collector = createItemCollector({ document, baseUrl, isInitial: true });
  const toCustomer = (number: number) => ({ id: `cus_${number}`, name: 'A', email: 'a@mail.test' });
  await collector.add(exchange('GET', '/customers?page=1', [4, 3].map(toCustomer)));
  await collector.add(exchange('GET', '/customers?page=2', [2, 1].map(toCustomer)));
  const ids = [...collector.items().values()].flat().map((json) => JSON.parse(json).id);
  expect(ids).toEqual(['cus_1', 'cus_2', 'cus_3', 'cus_4']);
});
