import { expect, it } from 'vitest';
import { compilerOf } from '../../../mock/json/validator.ts';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { serveDocument, serveEmpty } from '../../support/serve-document.ts';

it('shows what only a create describes in its response alone, and an action that describes it', async () => {
  const { send } = await serveDocument(
    `
      GET /keys -> [Key]
      POST /keys { name! } -> 201 { id!: text, name!, secret!: text }
      GET /keys/{id:text} -> Key
      PATCH /keys/{id:text} { name } -> Key
      POST /keys/{id:text}/rotate -> { id!: text, name!, secret!: text }
      Key: { id!: text, name! }
    `,
    { items: 1 },
  );
  const { json: made } = await send('POST', '/keys', { name: 'ci' });
  expect(made).toEqual({ id: '2', name: 'ci', secret: expect.any(String) });
  const key = { id: '2', name: 'ci' };
  expect((await send('GET', '/keys/2')).json).toEqual(key);
  expect((await send('GET', '/keys')).json).toEqual([{ id: '1', name: expect.any(String) }, key]);
  expect((await send('PATCH', '/keys/2', {})).json).toEqual(key);
  expect((await send('POST', '/keys/2/rotate')).json).toEqual(made);
});

it('shows what a body sets at all times, though only the response of the create describes it', async () => {
  const { send } = await serveEmpty(`
    POST /keys { name!, note } -> 201 { id!: text, name!, note: text }
    GET /keys/{id:text} -> { id!: text, name! }
  `);
  const { json } = await send('POST', '/keys', { name: 'ci', note: 'mine' });
  expect((await send('GET', '/keys/1')).json).toEqual(json);
});

const schemas = {
  Customer: '{ id!, name }',
  Deleted: schemaOf('{ id!, deleted!: bool(enum=[true]) }'),
  Either: schemaOf('Customer | Deleted'),
};

it('reads what was deleted as deleted, where the document has a form for that', async () => {
  const { send } = await serveDocument(
    documentOf(
      `
      GET /customers -> [Customer]
      POST /customers { name } -> 201 Customer
      GET /customers/{id:text} -> Either, 404
      DELETE /customers/{id:text} -> Deleted, 404
      `,
      schemas,
    ),
  );
  const { id } = (await send('POST', '/customers', { name: 'Ada' })).json;
  const gone = { status: 200, json: { id, deleted: true } };
  expect(await send('DELETE', `/customers/${id}`)).toEqual(gone);
  expect(await send('GET', `/customers/${id}`)).toEqual(gone);
  const listed = (await send('GET', '/customers')).json as { id: string }[];
  expect(listed.map((one) => one.id)).not.toContain(id);
  expect((await send('DELETE', `/customers/${id}`)).status).toBe(404);
  const [number] = id.match(/\d+/) as [string];
  const unknown = id.replace(number, String(Number(number) + 1));
  expect((await send('GET', `/customers/${unknown}`)).status).toBe(404);
});

it('lists the id of what was deleted, where the answer has a list of ids', async () => {
  const { send } = await serveDocument(`
    GET /goals/{id} -> { id!: int, name }
    POST /goals { name } -> 201 { id!: int, name }
    DELETE /goals/{id} -> { deleted: [int], errors: [text] }
  `);
  const { id } = (await send('POST', '/goals', { name: 'Fast' })).json;
  expect((await send('DELETE', `/goals/${id}`)).json.deleted).toEqual([id]);
});

const sent = '{ title!, icon: { name }, rank }';
const page = 'slug!: Slug, title!, icon!: {| name!, kind!: "emoji" | "icon" |}, views!: int';
const [listed, whole, created] = [
  `{| ${page} |}`,
  `{| ${page}, rank!: "first" | "second" |}`,
  `{| ${page}, rank!: Rank |}`,
];
const validSchemas = {
  Slug: { allOf: [{ type: 'string' }, { minLength: 1 }] },
  Rank: { type: 'string', maxLength: 5 },
};

/** Pages of which the list shows less, and answers ask for more, than bodies say. */
const pages = documentOf(
  `
  GET /pages -> [${listed}]
  POST /pages ${sent} -> 201 ${created}
  GET /pages/{slug:text} -> ${whole}
  PUT /pages/{slug:text} ${sent} -> ${whole}
  `,
  validSchemas,
);
Object.assign(pages.paths['/pages/{slug}']?.parameters[0], { schema: validSchemas.Slug });

async function serve() {
  const { send, document, lines } = await serveDocument(pages, { pets: 9 });
  const problemsOf = (schema: string, value: unknown) =>
    compilerOf(document)(schemaOf(schema))(value);
  const call = async (path: string, method = 'GET', body?: object) =>
    (await send(method, path, body)).json;
  return { call, problemsOf, lines };
}

it('begins with items that are valid in the list and by themselves', async () => {
  const { call, problemsOf, lines } = await serve();
  const list: { slug: string }[] = await call('/pages');
  expect(list).toHaveLength(9);
  expect(problemsOf(`[${listed}]`, list)).toBeUndefined();
  for (const { slug } of list)
    expect(problemsOf(whole, await call(`/pages/${slug}`)), slug).toBeUndefined();
  expect(lines.join()).not.toContain('do not match');
});

it.each([
  ['POST', '/pages', created],
  ['PUT', '/pages/page-1', whole],
])('stores what answers ask for besides what a %s says', async (method, path, schema) => {
  const { call, problemsOf } = await serve();
  const item = await call(path, method, { title: 'Sea', icon: { name: 'wave' }, rank: 'first' });
  expect(problemsOf(schema, item)).toBeUndefined();
  expect(item).toMatchObject({ title: 'Sea', icon: { name: 'wave' }, rank: 'first' });
  expect(await call(`/pages/${item.slug}`)).toEqual(item);
  const other = await call(path, method, { title: 'Sea', rank: 'last' });
  expect(['first', 'second']).toContain(other.rank);
});

const signs = documentOf('GET /signs -> [Sign]\nPATCH /signs/{id} { title } -> Sign', {
  Title: { type: 'string', maxLength: 9 },
  // No item that is made has this.
  Part: { oneOf: [{}, { type: 'string' }] },
  Sign: '{ id!: int, title!: Title, part!: Part }',
});

it('refuses a change for what is wrong with it, and not for what an item begins with', async () => {
  const { send, lines } = await serveDocument(signs);
  const patch = (title: string) => send('PATCH', '/signs/1', { title });
  expect(await patch('Exit')).toMatchObject({ status: 200, json: { id: 1, title: 'Exit' } });
  expect(lines.join()).toContain('The items generated for signs do not match');
  const refused = await patch('Much too long');
  expect(refused).toMatchObject({ status: 400, json: { code: 'invalid_body' } });
  expect((refused.json as { message: string }).message).not.toContain('part');
});

type Write = (example: unknown) => unknown;

const shownAs = (write: Write) => (example: unknown, schema?: object) => ({
  description: 'Fine.',
  content: { 'application/json': { ...(schema && { schema }), example: write(example) } },
});
const cup = { id: 42, name: 'Mug', volume: 0.3, tags: ['blue'], owner: { name: 'Ann' }, lid: null };

/** Answers of which only examples tell the form, in a wrapper; a schema of one says no more. */
const cupsOf = (shown: ReturnType<typeof shownAs>) => {
  const created = shown({ code: 201, data: { ...cup, lid: 'tin' } }, { type: 'object' });
  const lines = `
    listCups: GET /cups -> 200
    addCup: POST /cups object! -> 201
    getCup: GET /cups/{cup_id} -> 200
    dropCup: DELETE /cups/{cup_id} -> 200`;
  const operations = {
    'GET /cups': { responses: { 200: shown({ code: 200, data: [cup] }) } },
    'POST /cups': { responses: { 201: created } },
    'GET /cups/{cup_id}': { responses: { 200: shown({ code: 200, data: cup }) } },
    'DELETE /cups/{cup_id}': { responses: { 200: shown({ code: 200, data: true }) } },
  };
  return documentOf(lines, {}, { operations });
};

it.each<[string, Write]>([
  ['values', (example) => example],
  ['texts of JSON', (example) => JSON.stringify(example)],
])('keeps state where only examples that are %s say what is answered', async (_, write) => {
  const document = cupsOf(shownAs(write));
  const { send, document: read } = await serveDocument(document, { pets: 3 });
  expect(read.operations.map(({ kind }) => kind)).toEqual(['list', 'create', 'read', 'delete']);
  const sent = { name: 'Jar', volume: 1, tags: [], owner: { name: 'Bo' }, lid: 'cork' };
  const created = await send('POST', '/cups', sent);
  expect(created).toMatchObject({ status: 201, json: { data: sent } });
  const { id } = (created.json as { data: { id: number } }).data;
  expect(await send('GET', `/cups/${id}`)).toMatchObject({ json: { code: 200, data: sent } });
  const listed = await send('GET', '/cups');
  expect(listed.json).toMatchObject({ code: 200, data: expect.arrayContaining([{ ...sent, id }]) });
  expect(await send('DELETE', `/cups/${id}`)).toMatchObject({ status: 200 });
  expect(await send('GET', `/cups/${id}`)).toMatchObject({ status: 404 });
});

it('asks nothing of a body because an example has it', async () => {
  const document = cupsOf(shownAs((example) => example));
  const { send } = await serveDocument(document, { pets: 3 });
  expect(await send('POST', '/cups', { name: 7 })).toMatchObject({ status: 201 });
});
