import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { type AskedRequest, type Reply, startServer } from '../../support/start-server.ts';
import { foundIn, verifyWrites } from '../../support/verify-writes.ts';

type Order = { id: number; note: string; owner: { login: string } };

const order = { Order: '{id: int, note}' };
const shop = `GET /orders -> [Order]
  POST /orders Order -> 201 Order, 400
  GET /orders/{id} -> Order, 404
  DELETE /orders/{id} -> 204, 404`;

/** Starts a shop with an order of Anna's; `act` answers to what is below an order. */
async function startShop(
  act: (asked: AskedRequest, orders: Map<number, Order>) => Reply,
  more: object = {},
) {
  const anna = { id: 1, note: 'of Anna', owner: { login: 'anna' }, ...more };
  const orders = new Map<number, Order>([[1, anna]]);
  const deleted: string[] = [];
  const url = await startServer((asked) => {
    const { method, path, segments, sent } = asked;
    const id = Number(segments[1]);
    if (path === '/orders' && method === 'GET') return { status: 200, body: [...orders.values()] };
    if (path === '/orders') {
      if (typeof sent?.note !== 'string') return { status: 400, body: {} };
      const made = {
        id: Math.max(...orders.keys()) + 1,
        note: sent.note,
        owner: { login: 'me' },
        ...more,
      };
      orders.set(made.id, made);
      return { status: 201, body: made };
    }
    const found = orders.get(id);
    if (!found) return { status: 404, body: {} };
    if (segments.length > 2) return act(asked, orders);
    if (method !== 'DELETE') return { status: 200, body: found };
    deleted.push(found.note);
    orders.delete(id);
    return { status: 204 };
  });
  return { url, deleted };
}

const name = { type: 'string', pattern: '^[a-z]{3,8}$', example: 'anna' };

it.each<[string, object, unknown]>([
  ['a name that the document shows', { type: 'string', example: 'bert' }, 'bert'],
  ['a name by default', { type: 'string', default: 'bert' }, 'bert'],
  ['a name of a pattern, which an answer showed', name, 'anna'],
  ['a list of such names', { type: 'array', items: name, minItems: 1 }, ['anna']],
  ['an address of mail', { type: 'string', example: 'bert@corp.test' }, 'bert@corp.test'],
  ['an address', { type: 'string', example: 'https://corp.test/in' }, 'https://corp.test/in'],
])(
  'gives nobody an order of its own by %s, even where others are refused',
  async (_, to, named) => {
    const given: unknown[] = [];
    const { url } = await startShop(({ sent }) => {
      if (JSON.stringify(sent?.to) !== JSON.stringify(named))
        return { status: 422, body: { message: 'to: no such value' } };
      given.push(sent?.to);
      return { status: 200, body: {} };
    });
    const lines = `${shop}
    POST /orders/{id}/transfer {to!: To} -> object, 404, 422`;
    await verifyWrites(url, documentOf(lines, { ...order, To: to }));
    expect(given).toEqual([]);
  },
);

it.each(['query', 'header'])('gives nobody an order of its own in a %s', async (place) => {
  const given: unknown[] = [];
  const { url } = await startShop(({ query, headers }) => {
    given.push(query.get('to') ?? headers.to);
    return { status: 204 };
  });
  const to = { name: 'to', in: place, required: true, schema: { type: 'string' }, example: 'bert' };
  const operations = { 'POST /orders/{id}/transfer': { parameters: [to] } };
  const lines = `${shop}
    POST /orders/{id}/transfer -> 204, 404`;
  await verifyWrites(url, documentOf(lines, order, { operations }));
  expect(given).toEqual([expect.not.stringContaining('bert')]);
});

it('makes one order for each action, and deletes it before the next', async () => {
  const counts: number[] = [];
  const { url } = await startShop((_, orders) => {
    counts.push([...orders.values()].filter(({ note }) => note.startsWith('for POST')).length);
    return { status: 204 };
  });
  const actions = ['pack', 'ship', 'bill'].map((word) => `POST /orders/{id}/${word} -> 204, 404`);
  await verifyWrites(url, documentOf([shop, ...actions].join('\n'), order));
  expect(counts).toEqual([1, 1, 1]);
});

it('deletes no order whose id another one has after an action, and lists it', async () => {
  const { url, deleted } = await startShop(({ segments: [, id] }, orders) => {
    orders.set(Number(id), { id: Number(id), note: 'of Bert', owner: { login: 'bert' } });
    return { status: 204 };
  });
  const lines = `${shop}
    POST /orders/{id}/cancel -> 204, 404`;
  const report = await verifyWrites(url, documentOf(lines, order));
  expect(deleted).not.toContain('of Bert');
  expect(report.residue).toHaveLength(1);
});

it('sends no read that does something, and no token that was shown, with values of others', async () => {
  const invitation = { id: 4, accept: '/invitations/i4/accept', open: '/tokens/t4', code: 'c4' };
  const asked = new Set<string>();
  const url = await startServer(({ path }) => {
    asked.add(path);
    if (path === '/invitations') return { status: 200, body: [invitation] };
    return path === '/me' ? { status: 200, body: { orderId: 5 } } : { status: 404, body: {} };
  });
  const lines = `GET /invitations -> [object]
    GET /me -> object
    GET /invitations/{code:text}/accept -> object, 404
    GET /tokens/{token:text} -> object, 404
    GET /unsubscribe/{code:text} -> object, 404
    GET /orders/{orderId}/cancelNow -> object, 404
    GET /orders/{orderId}/lines -> [object], 404`;
  await verifyWrites(url, documentOf(lines));
  const shown = [...asked].filter((path) => !/^\/tokens\/Pw|\/1\//.test(path));
  expect(shown.toSorted()).toEqual(['/invitations', '/me', '/orders/5/lines']);
});

it('replaces no item of others by its title, which the document shows', async () => {
  const labels = [{ id: 1, title: 'bug', note: 'of Anna' }];
  const url = await startServer(({ method, path, sent }) => {
    if (path !== '/labels') return { status: 404, body: {} };
    if (method === 'GET') return { status: 200, body: labels };
    const { title, note } = sent ?? {};
    if (!/^[a-z]+$/.test(`${title}`)) return { status: 422, body: { message: 'title: letters' } };
    const known = labels.find((one) => one.title === title);
    const made = known ?? { id: labels.length + 1, title: `${title}`, note: '' };
    if (!known) labels.push(made);
    return { status: 201, body: Object.assign(made, { note }) };
  });
  const lines = `GET /labels -> [Label]
    POST /labels {title!: Title, note} -> 201 Label, 422`;
  const schemas = { Label: '{id: int, title, note}', Title: { type: 'string', example: 'bug' } };
  await verifyWrites(url, documentOf(lines, schemas));
  expect(labels[0]).toEqual({ id: 1, title: 'bug', note: 'of Anna' });
});

it.each<[string, (id: number) => Reply]>([
  ['it alone', (id) => ({ status: 201, body: { id } })],
  ['its id beside others', (id) => ({ status: 200, body: { requestId: 77, refundId: id } })],
  ['the order that holds it', (id) => ({ status: 200, body: { id: id - 500, refund: { id } } })],
  ['its address', (id) => ({ status: 202, headers: { Location: `/refunds/${id}` } })],
])('blames nobody for what an action makes elsewhere, and lists it: %s', async (_, answer) => {
  const { url } = await startShop(({ segments: [, id] }) => answer(500 + Number(id)));
  const lines = `${shop}
    POST /orders/{id}/refund -> 200 object, 201 object, 202, 404`;
  const skip = ['head-as-get'];
  const report = await verifyWrites(url, documentOf(lines, order), { skip });
  expect(report.findings).toEqual([]);
  const left = report.residue.map(({ id, deletedBy }) => [id, deletedBy]);
  expect(left).toEqual([[expect.stringMatching(/^50\d$/), undefined]]);
});

it('shows no key in what refusals say', async () => {
  const secret = 'sk_live_0123456789abcdef';
  const url = await startServer(({ path, headers }) => ({
    status: path === '/me' ? 200 : 403,
    body: path === '/me' ? {} : { message: `${headers.authorization} may not` },
  }));
  const document = documentOf('GET /me -> object, 401\n GET /teams -> object, 401, 403');
  const components = { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } };
  const report = await verifyWrites(
    url,
    { ...document, security: [{ bearer: [] }], components },
    { target: { url, keys: [secret] } },
  );
  expect(report.refused?.map(({ reason }) => reason)).toEqual([
    '403 {"message":"Bearer $KEY may not"}',
  ]);
  expect(JSON.stringify(report)).not.toContain(secret.slice(0, 10));
});

it.each(['PUT', 'POST'])(
  'makes by %s, reads and deletes what has a name below its own order',
  async (make) => {
    const labels = new Map<string, string>();
    const others: string[] = [];
    const { url } = await startShop(({ method, segments: [, id = '', word = '', name = ''] }) => {
      const at = `${id}/${word}/${name}`;
      if (id === '1' && method !== 'GET') others.push(`${method} ${at}`);
      if (name === '')
        return { status: 200, body: [...labels.values()].map((one) => ({ name: one })) };
      if (method === make) labels.set(at, name);
      if (!labels.has(at)) return { status: 404, body: {} };
      if (method === 'DELETE') labels.delete(at);
      return method === 'DELETE' ? { status: 204 } : { status: 200, body: { name } };
    });
    const lines = `${shop}
    GET /orders/{id}/labels -> [{name: text}], 404
    ${make} /orders/{id}/labels/{name:text} {text} -> object, 404
    GET /orders/{id}/labels/{name:text} -> object, 404
    DELETE /orders/{id}/labels/{name:text} -> 204, 404
    PUT /orders/{id}/lines/{number} -> 204, 404`;
    const report = await verifyWrites(url, documentOf(lines, order));
    expect(report.refused).toEqual([]);
    expect(report.notCalled.map(({ operation }) => operation)).toEqual([
      'PUT /orders/{id}/lines/{number}',
    ]);
    expect(others).toEqual([]);
  },
);

it.each([
  ['by the name of the parameter', 'PUT /orders/{id}/watchers/{uid:text} -> 204, 404'],
  ['by the word before it', 'PUT /orders/{id}/users/{watcher:text} -> 204, 404'],
  ['by its noun', 'PUT /orders/{id}/watchers/{user:text} -> 204, 404'],
  ['by a refusal', 'PUT /orders/{id}/watchers/{friend:text} -> 204, 404'],
])('names a user of its own in paths below its own order, %s', async (_, line) => {
  const users = new Map<string, object>([
    ['user-of-others', { uid: 'user-of-others', name: 'bea' }],
  ]);
  const named: unknown[] = [];
  const orders = await startShop(({ segments }) => {
    const user = users.get(segments[3] ?? '');
    if (user) named.push(user);
    return user ? { status: 204 } : { status: 404, body: { message: `no user ${segments[3]}` } };
  });
  const url = await startServer(async ({ method, path, segments: [word, id = ''], sent }) => {
    if (word !== 'users') {
      const body = sent === undefined ? undefined : JSON.stringify(sent);
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(orders.url + path, { method, headers, ...(body && { body }) });
      const text = await response.text();
      return { status: response.status, ...(text && { body: JSON.parse(text) }) };
    }
    if (method === 'POST' && typeof sent?.name !== 'string') return { status: 400, body: {} };
    const made = { uid: `user-${users.size}-${'x'.repeat(12)}`, name: sent?.name };
    if (method === 'POST') users.set(made.uid, made);
    if (method === 'POST') return { status: 201, body: made };
    if (id === '') return { status: 200, body: [...users.values()] };
    const user = users.get(id);
    if (method === 'DELETE') users.delete(id);
    if (!user) return { status: 404, body: {} };
    return method === 'DELETE' ? { status: 204 } : { status: 200, body: user };
  });
  const lines = `${shop}
    GET /users -> [User]
    POST /users {name!: text} -> 201 User, 400
    GET /users/{uid:text} -> User, 404
    DELETE /users/{uid:text} -> 204, 404
    ${line}`;
  const types = { ...order, User: '{uid: text, name}' };
  const report = await verifyWrites(url, documentOf(lines, types));
  expect(report.refused).toEqual([]);
  expect(named).toEqual([{ uid: expect.any(String), name: expect.stringMatching(/[0-9a-f]{6}/) }]);
});

it('sends a body with a text for an item of its own that is not there as JSON', async () => {
  const bodies: unknown[] = [];
  const { url } = await startShop(({ sent }) => {
    bodies.push(sent);
    return { status: 204 };
  });
  const lines = `${shop}
    GET /repos/{repo:text}/refs -> [{name: text}], 404
    GET /repos/{repo:text}/refs/{ref:text} -> {name: text}, 404
    POST /orders/{id}/dispatch {ref!: text} -> 204, 404`;
  await verifyWrites(url, documentOf(lines, order));
  expect(bodies).toEqual([{ ref: expect.any(String) }]);
});

it('reads, and deletes by its own name, what it made below its own order', async () => {
  const pages = new Map<string, string>();
  const { url } = await startShop(
    ({ method, segments: [, id = '', , what = '', name = ''], sent }) => {
      const at = `${id}/${decodeURIComponent(name)}`;
      if (method === 'POST' && typeof sent?.title !== 'string') return { status: 400, body: {} };
      if (method === 'POST') pages.set(`${id}/${sent?.title}`, String(sent?.title));
      if (method === 'POST') return { status: 201, body: { title: sent?.title } };
      if (what === 'all' && pages.size > 0) return { status: 200, body: { count: pages.size } };
      if (!pages.has(at)) return { status: 404, body: {} };
      return method === 'DELETE' ? { status: 204 } : { status: 200, body: {} };
    },
  );
  const lines = `${shop}
    POST /orders/{id}/wiki/new {title: text} -> 201 object, 400
    GET /orders/{id}/wiki/all -> object, 404
    GET /orders/{id}/wiki/page/{name:text} -> object, 404
    DELETE /orders/{id}/wiki/page/{name:text} -> 204, 404`;
  const report = await verifyWrites(url, documentOf(lines, order));
  expect(report.refused).toEqual([]);
});

it('makes what is below a name after that name, and deletes it before', async () => {
  const made = new Set<string>();
  const { url } = await startShop(({ method, segments: [, ...parts], path }) => {
    const isBelow = parts.length > 3;
    if (isBelow && !made.has(parts.slice(0, 3).join())) return { status: 404, body: {} };
    if (method === 'PUT') made.add(parts.join());
    else if (!made.has(parts.join())) return { status: 404, body: {} };
    if (method === 'DELETE')
      for (const one of made) if (`${one},`.startsWith(`${parts.join()},`)) made.delete(one);
    return method === 'DELETE' ? { status: 204 } : { status: 200, body: { path } };
  });
  const lines = `${shop}
    PUT /orders/{id}/boxes/{box:text}/tags/{tag:text} -> object, 404
    PUT /orders/{id}/boxes/{box:text} -> object
    DELETE /orders/{id}/boxes/{box:text} -> 204, 404
    DELETE /orders/{id}/boxes/{box:text}/tags/{tag:text} -> 204, 404`;
  const report = await verifyWrites(url, documentOf(lines, order));
  expect(report.refused).toEqual([]);
});

it('changes nothing at a path below its own item that shows what others have', async () => {
  const changed: string[] = [];
  const people = [
    { id: 1, login: 'anna' },
    { id: 2, login: 'bert' },
  ];
  const { url } = await startShop(({ method, segments }) => {
    const [, , word] = segments;
    if (method === 'GET') return { status: 200, body: word === 'owner' ? people[0] : people };
    changed.push(`${method} ${word}`);
    return { status: 200, body: {} };
  });
  const withPeople = await startServer(async ({ method, path, text, headers }) => {
    if (path === '/people') return { status: 200, body: people };
    const type = headers['content-type'];
    const sent = {
      method,
      ...(text && { body: text }),
      headers: { ...(type && { 'content-type': type }) },
    };
    const response = await fetch(url + path, sent);
    const body = await response.text();
    return { status: response.status, ...(body && { body: JSON.parse(body) }) };
  });
  const lines = `GET /people -> [Person]
    ${shop}
    GET /orders/{id}/owner -> Person, 404
    PATCH /orders/{id}/owner Person -> Person, 404
    DELETE /orders/{id}/owner -> 204, 404
    GET /orders/{id}/watchers -> [Person], 404
    PUT /orders/{id}/watchers [Person] -> [Person], 404
    DELETE /orders/{id}/watchers -> 204, 404`;
  const spec = documentOf(lines, { ...order, Person: '{readonly id: int, login}' });
  const report = await verifyWrites(withPeople, spec);
  expect(changed).toEqual([]);
  const notCalled = report.notCalled.map(({ operation }) => operation.split('/').at(-1));
  expect(notCalled).toEqual(['owner', 'owner', 'watchers', 'watchers']);
});

it('chooses no value that says all where an action misses one', async () => {
  const scopes: unknown[] = [];
  const { url } = await startShop(({ query, sent }) => {
    const scope = query.get('scope');
    if (!scope) return { status: 400, body: { message: 'scope is missing' } };
    scopes.push(scope, sent?.range);
    return { status: 200, body: {} };
  });
  const scope = { name: 'scope', in: 'query', schema: { type: 'string', enum: ['all', 'this'] } };
  const operations = { 'POST /orders/{id}/purge': { parameters: [scope] } };
  const lines = `${shop}
    POST /orders/{id}/purge {range!: Range} -> object, 400, 404`;
  const range = { type: 'string', enum: ['any', 'one'] };
  const spec = documentOf(lines, { ...order, Range: range }, { operations });
  await verifyWrites(url, spec);
  expect(scopes).toEqual(['this', 'one']);
});

type Shipped = Record<string, unknown>;

it.each<[string, (order: Shipped) => { stored?: Shipped; shown: Shipped }, boolean]>([
  ['forgets the state', () => ({ shown: { state: 'shipped' } }), true],
  [
    'forgets a flag beside the state',
    () => ({ stored: { state: 'shipped' }, shown: { state: 'shipped', shipped: true } }),
    true,
  ],
  [
    'keeps both',
    () => ({
      stored: { state: 'shipped', shipped: true },
      shown: { state: 'shipped', shipped: true },
    }),
    false,
  ],
  [
    'goes on to a later state',
    () => ({ stored: { state: 'gone' }, shown: { state: 'shipped' } }),
    false,
  ],
  ['only says what it is to do', () => ({ shown: { state: 'shipping' } }), false],
  ['shows no new state', () => ({ shown: {} }), false],
])('reads an order after an action: a shop that %s', async (_, ship, isFound) => {
  const { url } = await startShop(
    ({ segments }, orders) => {
      const found = orders.get(Number(segments[1])) as Order & Shipped;
      const before = { ...found };
      const { stored, shown } = ship(found);
      Object.assign(found, stored);
      return { status: 200, body: { ...before, ...shown } };
    },
    { state: 'open', shipped: false },
  );
  const lines = `${shop}
    ship: POST /orders/{id}/ship -> Order, 404`;
  const Order = '{id: int, note, state: "open" | "shipping" | "shipped" | "gone", shipped: bool}';
  const report = await verifyWrites(url, documentOf(lines, { Order }));
  const found = foundIn(report).filter(([check]) => check === 'read-back');
  expect(found.map(([, verdict, message]) => [verdict, message])).toEqual(
    isFound ? [['drift', expect.stringContaining('that ship answered with')]] : [],
  );
});
