import { expect, it } from 'vitest';
import type { JsonObject } from '../../../common/json.ts';
import { createToExampleCall } from '../../../mock/documented/example-calls.ts';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument, serveEmpty } from '../../support/serve-document.ts';

const pet = '{ id!: text, name!, archived: bool, archivedAt: date-time }';

type Calls = Record<'create' | 'read' | 'update' | 'delete' | 'list', string>;

/** Documents in which paths say what operations do, each with its calls of one item. */
const styles: Record<string, [lines: string, calls: Calls]> = {
  'bodies alone': [
    `
    POST /pets.create { name! } -> { data!: Pet }
    POST /pets.info { id!: text } -> { data!: Pet }, 404
    POST /pets.list { limit: int } -> { data!: [Pet] }
    POST /pets.update { id!: text, name } -> { data!: Pet }
    POST /pets.delete { id!: text } -> { success!: bool }
    `,
    {
      create: 'POST /pets.create {"name":"Ada"}',
      read: 'POST /pets.info {"id":"ID"}',
      update: 'POST /pets.update {"id":"ID","name":"Bo"}',
      delete: 'POST /pets.delete {"id":"ID"}',
      list: 'POST /pets.list {"limit":50}',
    },
  ],
  'ids in the query': [
    `
    POST /pets.create { name! } -> { ok!: bool, pet!: Pet }
    GET /pets.info?pet! -> { ok!: bool, pet!: Pet }
    GET /pets.list?limit:int&cursor -> { ok!: bool, pets!: [Pet], response_metadata: { next_cursor!: text } }
    POST /pets.rename { pet!: text, name! } -> { ok!: bool, pet!: Pet }
    POST /pets.delete { pet!: text } -> { ok!: bool }
    `,
    {
      create: 'POST /pets.create {"name":"Ada"}',
      read: 'GET /pets.info?pet=ID',
      update: 'POST /pets.rename {"pet":"ID","name":"Bo"}',
      delete: 'POST /pets.delete {"pet":"ID"}',
      list: 'GET /pets.list?limit=50',
    },
  ],
  'words behind a slash': [
    `
    POST /pets/create { name! } -> Pet
    GET /pets/get?petId! -> Pet
    GET /pets/list_v2 -> [Pet]
    POST /pets/update { petId!: text, name } -> Pet
    DELETE /pets/delete?petId! -> 204
    `,
    {
      create: 'POST /pets/create {"name":"Ada"}',
      read: 'GET /pets/get?petId=ID',
      update: 'POST /pets/update {"petId":"ID","name":"Bo"}',
      delete: 'DELETE /pets/delete?petId=ID',
      list: 'GET /pets/list_v2',
    },
  ],
  'words in front': [
    `
    POST /CreatePet { name! } -> Pet
    POST /GetPet { PetId!: text } -> Pet
    POST /ListPets { MaxResults: int } -> { Pets!: [Pet], NextToken: text }
    POST /UpdatePet { PetId!: text, name } -> Pet
    POST /DeletePet { PetId!: text } -> {}
    `,
    {
      create: 'POST /CreatePet {"name":"Ada"}',
      read: 'POST /GetPet {"PetId":"ID"}',
      update: 'POST /UpdatePet {"PetId":"ID","name":"Bo"}',
      delete: 'POST /DeletePet {"PetId":"ID"}',
      list: 'POST /ListPets {"MaxResults":50}',
    },
  ],
  'ids in the path': [
    `
    POST /pet/add { name! } -> Pet
    GET /pet/{id:text}/show -> Pet
    GET /pet/all -> [Pet]
    POST /pet/{id:text}/edit { name } -> Pet
    POST /pet/{id:text}/remove -> 204
    `,
    {
      create: 'POST /pet/add {"name":"Ada"}',
      read: 'GET /pet/ID/show',
      update: 'POST /pet/ID/edit {"name":"Bo"}',
      delete: 'POST /pet/ID/remove',
      list: 'GET /pet/all',
    },
  ],
};

const flat = (json: unknown): string => JSON.stringify(json ?? null);

it.each(Object.entries(styles))('keeps items: %s', async (_, [lines, calls]) => {
  const { call } = await serveEmpty(documentOf(lines, { Pet: pet }));
  const send = (line: string, id = '') => {
    const [, method = '', path = '', body] =
      /^(\S+) (\S+)(?: (.+))?$/.exec(line.replace('ID', id)) ?? [];
    const headers = { 'Content-Type': 'application/json' };
    return call(path, { method, ...(body && { body, headers }) });
  };
  const made = await send(calls.create);
  expect([made.status, made.text]).toEqual([200, expect.stringContaining('"name":"Ada"')]);
  const id = /"id":"([^"]+)"/.exec(made.text)?.[1];
  expect((await send(calls.read, id)).json).toEqual(made.json);
  expect(flat((await send(calls.list)).json)).toContain(`"id":"${id}"`);
  expect((await send(calls.update, id)).text).toContain('"name":"Bo"');
  expect((await send(calls.read, id)).text).toContain('"name":"Bo"');
  expect((await send(calls.delete, id)).status).toBeLessThan(300);
  expect((await send(calls.read, id)).status).toBe(404);
  expect(flat((await send(calls.list)).json)).not.toContain('"id"');
});

it('acts on an item that the body names, and answers with it or that all is well', async () => {
  const { send } = await serveEmpty(`
    POST /pets.create { name! } -> { data!: Pet, policies: [{ can: bool }] }
    POST /pets.info { id!: text } -> { data!: Pet, policies: [{ can: bool }] }, 404
    POST /pets.archive { id!: text } -> { data!: Pet, policies: [{ can: bool }] }, 404
    POST /pets.unarchive { id!: text } -> { ok!: bool }
    Pet: ${pet}
  `);
  await send('POST', '/pets.create', { name: 'Ada' });
  const { json } = await send('POST', '/pets.archive', { id: '1' });
  expect(json.data).toMatchObject({ id: '1', archived: true });
  expect((await send('POST', '/pets.unarchive', { id: '1' })).json).toEqual({ ok: true });
  const { data } = (await send('POST', '/pets.info', { id: '1' })).json;
  expect(data).toMatchObject({ name: 'Ada', archived: false });
  expect((await send('POST', '/pets.archive', { id: '7' })).status).toBe(404);
});

it('answers for an id that no item ever had as the document does, unless that describes 404', async () => {
  const { send } = await serveEmpty(`
    POST /pets.create { name! } -> Pet
    POST /pets.info { id!: text } -> Pet
    POST /pets.update { id!: text, name } -> Pet, 404
    Pet: ${pet}
  `);
  const read = (id: string) => send('POST', '/pets.info', { id });
  expect((await read('never')).status).toBe(200);
  const { json } = await send('GET', '/__admin/requests?limit=1');
  expect(json.requests[0].reason).toMatchObject({ kind: 'example', besides: 'pets' });
  expect((await read('9')).status).toBe(404);
  expect((await send('POST', '/pets.update', { id: 'never', name: 'Bo' })).status).toBe(404);
});

it('finds no item of a name that callers give once that is deleted', async () => {
  const { send } = await serveEmpty(`
    POST /CreateTable { TableName!, Mode: text } -> { TableDescription!: Table }
    POST /DescribeTable { TableName!: text } -> { Table!: Table }
    POST /DeleteTable { TableName!: text } -> 204
    Table: { TableName!: text, Mode: text }
  `);
  const table = { TableName: 'notes', Mode: 'slow' };
  const created = await send('POST', '/CreateTable', table);
  expect(created).toEqual({ status: 200, json: { TableDescription: table } });
  const read = () => send('POST', '/DescribeTable', { TableName: 'notes' });
  expect(await read()).toEqual({ status: 200, json: { Table: table } });
  expect((await send('POST', '/DeleteTable', { TableName: 'notes' })).status).toBe(204);
  expect((await read()).status).toBe(404);
});

it('pages and sorts a list by what a body asks for', async () => {
  const { send } = await serveEmpty(`
    POST /pets.create { name! } -> Pet
    POST /pets.list { offset: int, limit: int, sort: text, direction: "ASC" | "DESC", name: text } -> { data!: [Pet], pagination: { offset: int, limit: int, total: int } }
    Pet: ${pet}
  `);
  for (const name of ['b', 'c', 'a']) await send('POST', '/pets.create', { name });
  const list = async (body: object) => (await send('POST', '/pets.list', body)).json;
  const sorted = { sort: 'name', direction: 'DESC', limit: 2 };
  expect(await list(sorted)).toMatchObject({
    data: [{ name: 'c' }, { name: 'b' }],
    pagination: { offset: 0, limit: 2, total: 3 },
  });
  expect(await list({ ...sorted, offset: 2 })).toMatchObject({ data: [{ name: 'a' }] });
  expect((await list({ name: 'b' })).data).toHaveLength(1);
});

it('searches the items of a collection with a body', async () => {
  const { send, document } = await serveEmpty(`
    POST /pets { name! } -> 201 Pet
    GET /pets -> [Pet]
    POST /pets/search { query: text, limit: int } -> { results!: [Pet] }
    POST /owners/search { query: text } -> [{ id!: int, phone: text }]
    GET /owners/random -> { id!: int, phone: text }
    Pet: ${pet}
  `);
  for (const name of ['Ada', 'Bo', 'Bob']) await send('POST', '/pets', { name });
  const { json } = await send('POST', '/pets/search', { query: 'bo' });
  expect(json.results).toMatchObject([{ name: 'Bo' }, { name: 'Bob' }]);
  expect((await send('POST', '/pets/search', { query: 'bo', limit: 1 })).json.results).toHaveLength(
    1,
  );
  expect(document.resources.map(({ name }) => name)).toEqual(['pets']);
  const { json: owners } = await send('POST', '/owners/search', { query: 'none' });
  expect(owners.length).toBeGreaterThan(0);
});

it.each(['batch-retrieve', 'batchGet', 'bulk-get'])(
  'reads several items by their ids: %s',
  async (word) => {
    const { send } = await serveEmpty(`
    POST /pets { name! } -> { pet!: Pet }
    GET /pets/{id:text} -> { pet!: Pet }
    POST /pets/${word} { pet_ids!: [text] } -> { errors: [{ code }], pets: [Pet] }
    Pet: ${pet}
  `);
    for (const name of ['Ada', 'Bo', 'Cy']) await send('POST', '/pets', { name });
    const { json } = await send('POST', `/pets/${word}`, { pet_ids: ['1', '3', '9'] });
    expect(json).toMatchObject({ pets: [{ name: 'Ada' }, { name: 'Cy' }] });
  },
);

it.each<[search: object, names: string[]]>([
  [{ query: 'zed' }, ['Ada']],
  [{ name: 'Bo' }, ['Bo']],
  [{ filter: { owner: { name: { _eq: 'Zed' } } } }, ['Ada']],
  [{ filter: { size: { gte: 20 }, unknown: 'x' } }, ['Bo', 'Cy']],
  [{ filters: [{ field: 'size', operator: 'GREATER_THAN', value: 20 }] }, ['Cy']],
  [{ filters: [{ property: 'size', op: '<=', value: 20 }] }, ['Ada', 'Bo']],
  [{ filters: [{ key: 'owner.name', operator: 'not_equals', value: 'Zed' }] }, ['Bo', 'Cy']],
  [{ filters: [{ field: 'name', operator: 'CONTAINS_TOKEN', value: 'B*' }] }, ['Bo']],
  [{ filters: [{ field: 'name', operator: 'in', values: ['Bo', 'Cy'] }] }, ['Bo', 'Cy']],
  [
    {
      filterGroups: [
        { filters: [{ propertyName: 'name', operator: 'EQ', value: 'Bo' }] },
        { filters: [{ propertyName: 'size', operator: 'LT', value: 5 }] },
      ],
    },
    ['Ada', 'Bo'],
  ],
  [
    {
      filter: {
        operator: 'OR',
        value: [
          { field: 'name', operator: '=', value: 'Cy' },
          { field: 'size', operator: '=', value: 1 },
        ],
      },
    },
    ['Ada', 'Cy'],
  ],
  [
    { sorts: [{ propertyName: 'size', direction: 'DESCENDING' }], pagination: { limit: 2 } },
    ['Cy', 'Bo'],
  ],
  [{ sorts: ['-size'], pagination: { limit: 1 } }, ['Cy']],
])('searches by %j', async (search, names) => {
  const { send } = await serveEmpty(
    documentOf(
      `
      GET /pets/search?q -> [Pet]
      POST /pets { name! , size: int, owner: { name } } -> 201 Pet
      GET /pets/{id:text} -> Pet
      POST /pets/search Search -> { pets!: [Pet], cursor: text }
      `,
      {
        Pet: '{ id!: text, name!, size: int, owner: { name } }',
        Search: `{
          query, name, filter: object, filters: [{ field: text }], sorts: [any],
          filterGroups: [{ filters: [{ propertyName: text }] }], pagination: { limit: int, cursor }
        }`.replace(/\s+/g, ' '),
      },
    ),
  );
  const owned = { Ada: 'Zed', Bo: 'Yan', Cy: 'Yan' };
  for (const [index, [name, owner]] of Object.entries(owned).entries())
    await send('POST', '/pets', { name, size: [1, 20, 50][index], owner: { name: owner } });
  const { status, json } = await send('POST', '/pets/search', search);
  expect([status, json.pets?.map(({ name }: { name: string }) => name)]).toEqual([200, names]);
});

it.each([
  ['{ limit: int, cursor }', '{ pets!: [Pet], cursor: text }', (json) => json.cursor],
  [
    '{ cursorPaging: { limit: int, cursor } }',
    '{ pets!: [Pet], pagingMetadata: { hasNext: bool, cursors: { next: text } } }',
    (json) => json.pagingMetadata.hasNext && json.pagingMetadata.cursors.next,
  ],
  [
    '{ paging: { count: int, offset: int } }',
    '{ pets!: [Pet], pagingMetadata: { total: int, offset: int, count: int } }',
    ({ pagingMetadata: { total, offset, count } }) => offset + count < total && offset + count,
  ],
] as [string, string, (json: JsonObject) => unknown][])(
  'ends a list that a body pages by %s',
  async (search, answer, next) => {
    const { send } = await serveDocument(
      `
      POST /pets { name! } -> 201 { id!: text, name! }
      GET /pets/{id:text} -> { id!: text, name! }
      POST /pets/search ${search} -> ${answer.replace('Pet', '{ id!: text, name! }')}
    `,
      { items: 5 },
    );
    const outer = /^{ (\w*[pP]aging): /.exec(search)?.[1];
    const [size, place] = /count/.test(search) ? ['count', 'offset'] : ['limit', 'cursor'];
    const ids: string[] = [];
    for (let at: unknown, page = 0; page < 4 && (page === 0 || at); page++) {
      const paging = { [size]: 2, ...(at ? { [place]: at } : {}) };
      const { json } = await send('POST', '/pets/search', outer ? { [outer]: paging } : paging);
      ids.push(...json.pets.map(({ id }: { id: string }) => id));
      at = next(json);
    }
    expect(ids).toEqual(['1', '2', '3', '4', '5']);
  },
);

it('says that a cursor in a body is none of the list', async () => {
  const { send } = await serveDocument(`
    POST /pets { name! } -> 201 { id!: text, name! }
    GET /pets/{id:text} -> { id!: text, name! }
    POST /pets/search { limit: int, cursor } -> { pets!: [{ id!: text, name! }], cursor: text }
  `);
  const { status, json } = await send('POST', '/pets/search', { cursor: 'other' });
  expect([status, json.message]).toEqual([
    400,
    expect.stringMatching(/^"cursor" of the body must/),
  ]);
});

it('stores neither what is of the call nor the id that a body names an item by', async () => {
  const others = ['toys', 'owners', 'visits', 'shops'].map(
    (noun) => `
    POST /${noun}/create { client_id, secret, name } -> { id, name }
    POST /${noun}/get { client_id, secret, id } -> { id, name }`,
  );
  const { send } = await serveEmpty(
    documentOf(`
    POST /pet/create { client_id, secret, terms: { program_id }, name } -> Pet
    POST /pet/get { client_id, secret, pet_id! } -> Pet
    POST /pet/update { client_id, secret, pet_id!, name } -> Pet
    POST /pet/list { client_id, secret, program_id } -> { pets: [Pet] }
    ${others.join('')}
    Pet: { id, name, terms: { program_id } }(additionalProperties=true)
  `),
  );
  const keys = { client_id: 'c', secret: 's' };
  const post = async (verb: string, body: object) =>
    (await send('POST', `/pet/${verb}`, { ...keys, ...body })).json;
  const terms = { program_id: 'p1' };
  const pet = await post('create', { name: 'Rex', terms });
  expect(pet).toEqual({ id: pet.id, name: 'Rex', terms });
  await post('create', { name: 'Ada', terms: { program_id: 'p2' } });
  expect(await post('update', { pet_id: pet.id, name: 'Max' })).toEqual({ ...pet, name: 'Max' });
  expect(await post('get', { pet_id: pet.id })).toEqual({ ...pet, name: 'Max' });
  expect(await post('list', { program_id: 'p1' })).toEqual({ pets: [{ ...pet, name: 'Max' }] });
});

it('reads the id that nearly all bodies have', async () => {
  const { send } = await serveEmpty(
    documentOf(
      ['pet', 'toy', 'shop']
        .flatMap((noun) => [
          `POST /${noun}/create { name } -> { id, name }`,
          ...['get', 'update', 'archive', 'star', 'touch', 'wake', 'rest', 'hide', 'show'].map(
            (verb) => `POST /${noun}/${verb} { id!, name } -> { id, name }`,
          ),
        ])
        .join('\n'),
    ),
  );
  const post = async (verb: string, body: object) =>
    (await send('POST', `/pet/${verb}`, body)).json;
  const { id } = await post('create', { name: 'Rex' });
  await post('update', { id, name: 'Max' });
  expect(await post('get', { id })).toEqual({ id, name: 'Max' });
});

it('stores what all bodies of documents have that read without any', async () => {
  const schema = '{ readonly id: int, display_name, size: int }';
  const { send } = await serveEmpty(
    documentOf(
      ['pets', 'toys', 'shops', 'owners']
        .map(
          (noun) => `
          POST /${noun} { displayName } -> 201 ${schema}
          GET /${noun}/{id} -> ${schema}
          PATCH /${noun}/{id} { displayName } -> ${schema}`,
        )
        .join('\n'),
    ),
  );
  await send('POST', '/pets', { displayName: 'Rex' });
  expect((await send('GET', '/pets/1')).json.display_name).toBe('Rex');
});

it('takes the cursor that the document has for an example, or an empty one, for the first page', async () => {
  const cursor = { type: 'string', example: 'eyJkaXIiOiJuZXh0In0' };
  const { send, app, document } = await serveEmpty(
    documentOf(
      `POST /pets { name } -> 201 Pet
       GET /pets/{id:text} -> Pet
       GET /pets?cursor:Cursor&limit:int -> { data: [Pet], next_cursor: text | null }
       POST /pets/search { name, cursor: Cursor, limit: int } -> { pets!: [Pet], cursor: text }`,
      { Pet: '{ id!, name }', Cursor: cursor },
    ),
  );
  await send('POST', '/pets', { name: 'Ada' });
  const toExampleCall = createToExampleCall(document, { store: app.store });
  for (const operation of document.operations) {
    const { target = '', body } = (await toExampleCall(operation)) ?? {};
    const { status } = await send(operation.method, target, body && JSON.parse(body));
    expect([operation.path, status < 300, body?.includes('cursor') ?? false]).toEqual([
      operation.path,
      true,
      false,
    ]);
  }
  for (const text of [cursor.example, '']) {
    expect((await send('GET', `/pets?cursor=${text}`)).status).toBe(200);
    expect((await send('POST', '/pets/search', { cursor: text })).status).toBe(200);
  }
  expect((await send('POST', '/pets/search', { cursor: 'other' })).status).toBe(400);
});
