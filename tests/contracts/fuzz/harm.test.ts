import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { toDocument } from '../../support/serve-document.ts';
import { collection, Deployment } from '../../support/shared-deployment.ts';
import { type AskedRequest, type Reply, startServer } from '../../support/start-server.ts';
import { verifyWrites } from '../../support/verify-writes.ts';

const lines = `listTickets: GET /tickets -> [Ticket]
  createTicket: POST /tickets?all:bool&parent:int Ticket! -> 201 Ticket, 400
  getTicket: GET /tickets/{id} -> Ticket, 404
  replaceTicket: PUT /tickets/{id}?force:bool Ticket! -> Ticket, 400, 404
  deleteTicket: DELETE /tickets/{id} -> 204, 404
  cancelTicket: GET /tickets/{id}/cancel -> object, 404`;
const schemas = {
  Ticket: `{
    readonly id: int, title!, agent: int, owner, reply: Reply, hook: Hook,
    notify: { agent!: int(example=7), to!: text(example="bob@corp.test"), mode }
  }`,
  Reply: { type: 'string', pattern: '^[a-z]{2,8}@[a-z]{2,8}\\.[a-z]{2,3}$' },
  Hook: { type: 'string', pattern: '^https?://[a-z]{3,9}\\.[a-z]{2,3}/$' },
};

/** Starts a desk that takes anything, fuzzes it, and gives the changes that it was asked for. */
async function fuzzDesk(fault: (asked: AskedRequest) => Reply | undefined = () => undefined) {
  const tickets = new Map<string, object>();
  const changes: AskedRequest[] = [];
  let last = 1000;
  const url = await startServer((asked) => {
    const { method, segments, sent = {} } = asked;
    const [, id = '', word] = segments;
    if (['POST', 'PUT', 'DELETE'].includes(method) || word) changes.push(asked);
    if (word) return { status: 200, body: {} };
    if (method === 'POST' && typeof sent.title !== 'string') return { status: 400, body: {} };
    const failed = fault(asked);
    if (failed) return failed;
    const key = method === 'POST' ? String(++last) : id;
    if (method !== 'POST' && id !== '' && !tickets.has(id)) return { status: 404, body: {} };
    if (method === 'DELETE') tickets.delete(key);
    if (method === 'DELETE') return { status: 204 };
    if (method === 'GET') return { status: 200, body: tickets.get(id) ?? [...tickets.values()] };
    if (!['POST', 'PUT'].includes(method)) return { status: 405 };
    tickets.set(key, { ...tickets.get(key), ...sent, id: Number(key) });
    return { status: method === 'POST' ? 201 : 200, body: tickets.get(key) };
  });
  const settings = { fuzz: true, fuzzTime: 300_000, maxRequests: 900 };
  const report = await verifyWrites(url, documentOf(lines, schemas), settings);
  return { changes, report, tickets };
}

/** The values of members of bodies, by their names, at any depth. */
function valuesOf(value: unknown, name = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[name, value]];
  return Object.entries(value).flatMap(([key, one]) => valuesOf(one, key));
}

const isSmallNumber = (value: unknown) =>
  typeof value !== 'boolean' && Number(value) > 0 && Number(value) < 100_000;

it('sends no id and no address of others, however it makes and shortens values', async () => {
  const { changes, tickets } = await fuzzDesk(({ sent = {} }) =>
    Number(sent.agent) > 3 && Number(sent.agent) % 10 !== 7 ? { status: 500 } : undefined,
  );
  const sent = changes.flatMap(({ sent = {} }) => valuesOf(sent));
  const ids = sent.filter(([name, value]) => /agent|owner/.test(name) && isSmallNumber(value));
  expect.soft([...new Set(ids.map((one) => one.join()))]).toEqual([]);
  const addresses = sent.filter(
    ([, value]) => /.@.|:\/\//.test(String(value)) && !String(value).includes('example.com'),
  );
  expect.soft([...new Set(addresses.map((one) => one.join()))]).toEqual([]);
  expect(tickets.size).toBe(0);
});

it('sets no flag of a call that changes something, and calls no action', async () => {
  const { changes } = await fuzzDesk();
  expect
    .soft(
      changes
        .filter(({ path }) => /cancel/.test(path) && !/\/1\d{3}\//.test(path))
        .map(({ method, path }) => `${method} ${path}`),
    )
    .toEqual([]);
  const queries = changes.flatMap(({ query }) => [...query]);
  const set = queries.filter(([name, value]) =>
    name === 'parent' ? isSmallNumber(value) : !['', '0', 'false'].includes(value),
  );
  expect(set).toEqual([]);
});

it('fuzzes a create whose plain body has a name that items of others have', async () => {
  const lastName = { type: 'string', pattern: '^[A-Z][a-z]{1,9}$', example: 'Davis' };
  const note = { type: 'string', maxLength: 80 };
  const deployment = new Deployment('/clients');
  for (const one of deployment.items.values()) one.lastName = 'Davis';
  const url = await deployment.start(({ method, path, sent }) => {
    if (path.includes('%')) return { status: 404 };
    return method === 'POST' && String(sent?.note).length > 80 ? { status: 500 } : undefined;
  });
  const spec = toDocument(
    collection('/clients', { lastName, note }, { required: ['name', 'lastName'] }),
  );
  const settings = { fuzz: true, fuzzTime: 300_000, maxRequests: 800 };
  const report = await verifyWrites(url, spec, settings);
  const crashes = report.findings.filter(({ check }) => check === 'no-crash');
  expect(crashes.map(({ operation }) => operation)).toEqual(['POST /clients']);
});

const shop = `listWatches: GET /watches?recheck_all:text&limit:int&state:text&fields:text -> [Watch]
  createWatch: POST /watches Watch! -> 201 Watch
  getWatch: GET /watches/{id}?paused:text&fields:text -> Watch, 404
  showLog: GET /log?clear:bool&q:text -> [object]
  Watch: { readonly id!: int, name!, state!, paused }`;

it('varies only such parameters of reads as select, order, page or shape, and names the others', async () => {
  const deployment = new Deployment('/watches');
  for (const one of deployment.items.values()) one.state = 'open';
  const url = await deployment.start(({ method, path, query }) => {
    if (path.includes('%')) return { status: 404 };
    if (path === '/log') return { status: 200, body: [] };
    const isCut = method === 'GET' && query.has('fields');
    return isCut ? { status: 200, body: path === '/watches' ? [{ id: 1 }] : { id: 1 } } : undefined;
  });
  const options = { fuzz: true, fuzzTime: 300_000, maxRequests: 900, allowWrites: false };
  const report = await verifyWrites(url, documentOf(shop), options);
  const names = new Set(deployment.asked.flatMap(({ query }) => [...query.keys()]));
  names.delete('no-such-parameter');
  expect.soft([...names].toSorted()).toEqual(['fields', 'limit', 'q', 'state']);
  expect
    .soft(report.notFuzzed)
    .toEqual(['target: listWatches (recheck_all), getWatch (paused), showLog (clear)']);
  expect(report.findings.filter(({ check }) => check === 'body-schema')).toEqual([]);
});

it('writes nothing into an item that its own holds and that it cannot have made', async () => {
  const holders: unknown[] = [];
  const owner = { id: 1, login: 'anna' };
  const deployment = new Deployment('/tickets');
  const url = await deployment.start(({ method, path, sent }) => {
    if (path.includes('%')) return { status: 404 };
    if (path === '/users') return { status: 200, body: [owner] };
    const held = method === 'PUT' ? sent?.owner : undefined;
    if (typeof held === 'object' && held !== null && !('id' in held)) holders.push(held);
    return undefined;
  });
  const held = `GET /users -> [User]
    GET /tickets -> [Ticket]
    POST /tickets {name!} -> 201 Ticket, 400
    GET /tickets/{id} -> Ticket, 404
    PUT /tickets/{id} Ticket! -> Ticket, 400, 404
    DELETE /tickets/{id} -> 204, 404
    User: { readonly id: int, login! }
    Ticket: { readonly id!: int, name!, owner: User }`;
  const options = { fuzz: true, fuzzTime: 300_000, maxRequests: 1200 };
  await verifyWrites(url, documentOf(held), options);
  const texts = deployment.asked.filter(({ method }) => method === 'PUT').map(({ text }) => text);
  expect(texts.length).toBeGreaterThan(20);
  expect(holders).toEqual([]);
});
