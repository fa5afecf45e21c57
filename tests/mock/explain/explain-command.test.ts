import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { runCommand } from '../../../mock/explain/command.ts';
import type { Explanation } from '../../../mock/explain/explanation.ts';
import { capture } from '../../support/capture.ts';
import { documentOf, hintsOf } from '../../support/document-of.ts';
import { clusters } from '../../support/documents.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { projectFile } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

/** Runs the command, and gives its exit code and what it wrote. */
async function run(...args: string[]) {
  const { out, ...ran } = await capture(() =>
    runCommand(args, { env: {}, command: 'npm run explain --' }),
  );
  return { ...ran, out: stripVTControlCharacters(out) };
}

const schemas = { Order: '{ id!: uuid, state }', Thing: '{ colour }' };
const shop = `
  listOrders: GET /orders?state&limit:Limit -> [Order]
  getOrder: GET /orders/{orderId:text} -> Order
  GET /colours -> [text]
  GET /ping -> 204`;

/** Writes a document of these lines, in which more is said of operations. */
async function writeDocument(lines: string, hints: Record<string, object> = {}): Promise<string> {
  const file = join(makeFolder(), 'shop.json');
  const Limit = { type: 'integer', minimum: 1, maximum: 50 };
  const info = { title: 'Shop', version: '2' };
  const document = documentOf(lines, { ...schemas, Limit }, { info, operations: hintsOf(hints) });
  await writeFile(file, JSON.stringify(document));
  return file;
}

const explain = async (lines: string) => run(await writeDocument(lines));

it('shows the built-in document where none is named', async () => {
  const { code, out } = await run();
  expect(code).toBe(0);
  expect(out).toContain('4 operations: 3 with state in 1 collection, 1 without\n\npets\n');
});

it('takes the document as --spec too, as other commands do', async () => {
  const file = await writeDocument(shop);
  expect(await run('--spec', file)).toEqual(await run(file));
});

it('shows the collections, and of all else what answers it and why', async () => {
  expect(await run(await writeDocument(shop))).toEqual({
    code: 0,
    err: '',
    out: `Shop 2 (3.1.0)
4 operations: 2 with state in 1 collection, 2 without

orders
  items are identified by id (uuid)
  page size: limit
  filters: state
    GET /orders            list
    GET /orders/{orderId}  read

Without state
  answered with a value generated from the schema:
    GET /colours
      its success response (200) has no list of objects
      at #/paths/~1colours/get
      to add state: describe an array of objects with ids, or an object with one called items or data
  answered with no content:
    GET /ping
      its success response (204) has no content
      at #/paths/~1ping/get
      to add state: describe an array of objects with ids, or an object with one called items or data
`,
  });
});

it('prints the same as JSON', async () => {
  const { out } = await run(await writeDocument(shop), '--json');
  const { totals, collections, operations: all } = JSON.parse(out) as Explanation;
  expect(totals).toEqual({ operations: 4, withState: 2, collections: 1, singleObjects: 0 });
  const parameters = [
    { parameter: 'state', effect: 'filter' },
    { parameter: 'limit', effect: 'page size' },
  ];
  const operations = { list: 'listOrders', read: 'getOrder' };
  const orders = { name: 'orders', path: '/orders', id: { property: 'id', form: 'uuid' } };
  expect(collections).toEqual([{ ...orders, scope: [], parameters, operations }]);
  expect(all.map(({ id, kind, answers }) => [id, kind, answers])).toEqual([
    ['listOrders', 'list', 'store'],
    ['getOrder', 'read', 'store'],
    ['GET /colours', undefined, 'schema'],
    ['GET /ping', undefined, 'no content'],
  ]);
});

it('says how lists hold their items, and what each parameter does', async () => {
  const { out } = await explain(`
    GET /orders?page:int&sort&q&x&y -> { orders: [Order], meta: { total: int } }
    GET /orders/{orderId:text} -> Order
  `);
  expect(out).toContain(`
  lists have the items in orders, total in meta.total
  page number: page
  sort: sort
  search: q
  no effect: x, y
`);
});

it('says what the parameters of a list at another path do', async () => {
  const { out } = await explain(`
    GET /shelves/{shelf:text}/orders -> [Order]
    POST /shelves/{shelf:text}/orders Order -> 201 Order
    GET /shelves/{shelf:text}/orders/{id:text} -> Order
    GET /orders?state -> [Order]
  `);
  expect(out).toContain('filters: state');
});

it('says where an operation keeps state, or none, because the document says so', async () => {
  const hints = { 'GET /colours': { kind: 'list', id: 'name' }, 'GET /orders': { kind: 'none' } };
  const { out } = await run(await writeDocument(shop, hints), '--json');
  const { operations } = JSON.parse(out) as Explanation;
  expect(operations.slice(0, 3).map(({ id, because }) => [id, because])).toEqual([
    ['listOrders', 'set by x-twin'],
    ['getOrder', 'no operation lists, creates or changes the objects that /orders reads'],
    ['GET /colours', 'x-twin calls it a list, but nothing shows objects with name'],
  ]);
});

it('counts single objects among what has state', async () => {
  const { out } = await explain('GET /settings -> Thing\nPUT /settings Thing -> Thing');
  expect(out).toContain('2 operations: 2 with state in 1 singleton, 0 without');
  expect(out).toContain('Singletons, actions and HEAD');
  expect(out).not.toContain('Without state');
});

it('says which properties refer to other collections', async () => {
  const bills = 'GET /bills -> [{ id: int, orderId: uuid }]';
  const { out } = await explain(`${shop}\n${bills}`);
  expect(out).toContain('\n  orderId refers to orders\n');
});

it('says what a create fills in', async () => {
  const note =
    '{ id!: int, text, readonly createdAt!: date-time, readonly likes!: int, state!: "open" | "done" }';
  const { out } = await explain(`
    GET /notes -> [${note}]
    POST /notes { text! }! -> 201 ${note}
  `);
  for (const line of [
    'creates fill createdAt with the time',
    'creates fill state with a value of the enum',
    'creates fill likes with the first count',
  ])
    expect(out).toContain(`\n  ${line}\n`);
});

const stateless: Record<
  string,
  [line: string, because: string, pointer: string, remedy?: string, hint?: object]
> = {
  'a list without ids': [
    'GET /things -> [Thing]',
    'the objects at /things have no property that identifies them, such as id or thingsId, only colour',
    '#/paths/~1things/get',
    'name the property that identifies them',
    { kind: 'list', id: 'colour' },
  ],
  'one object': [
    'GET /me -> Thing',
    'its success response (200) has no list of objects, only one object with colour',
    '#/paths/~1me/get',
    'describe an array of objects with ids',
  ],
  'lists of something else': [
    'GET /me -> { as: [Thing], bs: [Thing] }',
    'its success response (200) has no list of objects, only one object with as, bs',
    '#/paths/~1me/get',
    'an object with one called items or data',
  ],
  'a create that asks': [
    'POST /orders/search Order -> 201 Order',
    'its name or path describes a query, not a change',
    '#/paths/~1orders~1search/post',
  ],
  'a create without a body': [
    'POST /things -> Order',
    'it describes no request body with properties of an item',
    '#/paths/~1things/post',
    'describe its request body',
  ],
  'ids of a list of values': [
    'GET /things -> [{ id: "a" | "b" }]',
    'the mock cannot generate ids that fit the schema of id',
    '#/paths/~1things/get',
    'give id an example or a simple pattern in its schema',
  ],
  'an action on an item': [
    'POST /orders/{orderId}/cancel Order -> Thing',
    'the objects at /orders/{orderId}/cancel have no property that identifies them, such as id or cancelId, only colour',
    '#/paths/~1orders~1{orderId}~1cancel/post',
    'make it an update of orders',
    { kind: 'update', collection: '/orders' },
  ],
  'a method that means anything': [
    'PUT /things Order -> Order',
    'PUT has no standard effect on such a path',
    '#/paths/~1things/put',
    'set x-twin: { kind, collection }',
  ],
};

it.each(Object.entries(stateless))(
  'says why %s has no state, where, and what would give it state',
  async (_, row) => {
    const [line, because, pointer, remedy, hint] = row;
    const { out } = await run(await writeDocument(`${shop}\n${line}`), '--json');
    const { operations } = JSON.parse(out) as Explanation;
    const found = operations.at(-1);
    expect(found).toMatchObject({ because, pointer });
    expect(found?.remedy ?? '').toContain(remedy ?? '');
    expect(found?.overlay?.update['x-twin']).toEqual(hint);
  },
);

it('gives state to what follows its advice, as it is printed', async () => {
  const file = await writeDocument(`${shop}
    POST /orders/{orderId}/cancel Order -> Thing
    GET /things -> [Thing]
    GET /{kind:text}/{thing:text} -> Thing
  `);
  const { out: text } = await run(file);
  const actions = text.match(/^ +(- target: |update: ).*$/gm)?.join('\n');
  expect(actions).toContain(`      - target: $.paths['/orders/{orderId}/cancel'].post
        update: { x-twin: { kind: update, collection: /orders } }`);
  const overlay = join(makeFolder(), 'o.yaml');
  const info = 'overlay: 1.0.0\ninfo: { title: Corrections, version: "1" }\n';
  await writeFile(overlay, `${info}actions:\n${actions}\n`);
  const { out } = await run(file, '--overlay', overlay, '--json');
  const { operations } = JSON.parse(out) as Explanation;
  expect(operations.map(({ kind, collection }) => [kind, collection])).toEqual([
    ['list', 'orders'],
    ['read', 'orders'],
    [undefined, undefined],
    [undefined, undefined],
    ['update', 'orders'],
    ['list', 'things'],
    [undefined, undefined],
  ]);
});

it('shows an overlay, and the parts that cannot be used', async () => {
  const file = await writeDocument(shop);
  const overlay = join(makeFolder(), 'o.json');
  const actions = [
    { target: "$.paths['/orders'].get.parameters[0].schema", update: { pattern: '(' } },
    { target: '$.info', update: { title: 'Shop \u001b[2J' } },
  ];
  const info = { title: 'Corrections', version: '1' };
  await writeFile(overlay, JSON.stringify({ overlay: '1.0.0', info, actions }));
  const { code, out } = await run(file, '--overlay', overlay);
  expect(code).toBe(0);
  expect(out).toContain(`Shop \\x1b[2J 2 (3.1.0, corrected by ${overlay})\n`);
  expect(out).toContain('\n1 part that cannot be used as written\n  #/paths/~1orders/get/');
  const strict = await run(file, '--overlay', overlay, '--strict-spec');
  expect(strict).toMatchObject({ code: 2, out: '' });
  expect(strict.err).toContain('cannot be used under --strict-spec');
});

it.each([
  [['--jso'], "Unknown option '--jso'. Did you mean --json? See --help."],
  [['a.yaml', 'b.yaml'], 'One document is explained at a time, but b.yaml is a second one.'],
  [['--spec', 'a.yaml', 'b.yaml'], 'explained at a time, but b.yaml is a second one.'],
  [['--spec', 'a.yaml', '--spec', 'b.yaml'], 'explained at a time, but b.yaml is a second'],
  [['/no/such.yaml'], 'There is no document at /no/such.yaml.'],
])('refuses %j with a sentence', async (args, message) => {
  const { code, out, err } = await run(...args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(/^petstore-twin explain: [^\n]+\n$/);
  expect(err).toContain(message);
});

it('says which property of an object identifies items', async () => {
  const { code, out } = await run(await writeJson(clusters));
  expect(code).toBe(0);
  expect(out).toContain('nodes\n  items are identified by metadata.name (string)\n');
  expect(out).toMatch(/^ {4}GET \/jobs {2,}list$/m);
});

it('says what webhooks and callbacks are sent after', async () => {
  const { code, out } = await run(projectFile('tests/support/shop.yaml'));
  expect(code).toBe(0);
  expect(out).toContain(`Webhooks and callbacks
    order.created
      sent after createOrder: the event name order.created matches
`);
  expect(out).toContain(`    order.shipped
      sent only by emit in a behaviour: its name matches no operation
    orderPaid
      sent after payOrder: the event name orderPaid matches
    confirmation
      sent after createOrder, which describes this callback
`);
});
