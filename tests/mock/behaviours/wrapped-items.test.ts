import { expect, it } from 'vitest';
import { compile } from '../../../openapi/index.ts';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument, serveEmpty } from '../../support/serve-document.ts';

const schemas = {
  Article: '{ slug!, title!, text }',
  NewArticle: '{ title!, text }',
  Tag: '{ id: int, name }',
};
const blog = documentOf(
  `
  GET /articles -> { total!: int, articles!: [Article] }
  POST /articles { article!: NewArticle } -> 201 { article!: Article }
  GET /articles/{slug:text} -> { article!: Article }
  PUT /articles/{slug:text} { article!: NewArticle } -> { article!: Article }
  PATCH /articles/{slug:text} { article!: { title } } -> { article!: Article }
  DELETE /articles/{slug:text} -> { article!: Article }
  POST /tags { data!: Tag } -> 201 { success!: true, data!: Tag }
  GET /tags/{id} -> { success!: true, data!: Tag }
  `,
  schemas,
);

const serve = async () => (await serveDocument(blog, { pets: 3 })).send;

it('creates, reads, changes and deletes items that are wrapped in bodies and answers', async () => {
  const call = await serve();
  const created = await call('POST', '/articles', { article: { title: 'One', text: 'é' } });
  const { slug } = created.json.article;
  const one = { slug, title: 'One', text: 'é' };
  expect(created).toEqual({ status: 201, json: { article: one } });
  const path = `/articles/${slug}`;
  expect(await call('GET', path)).toEqual({ status: 200, json: { article: one } });
  expect((await call('GET', '/articles')).json.articles).toContainEqual(one);
  const patched = await call('PATCH', path, { article: { title: 'Two' } });
  expect(patched).toEqual({ status: 200, json: { article: { ...one, title: 'Two' } } });
  const replaced = await call('PUT', path, { article: { title: 'Three' } });
  expect(replaced).toEqual({ status: 200, json: { article: { slug, title: 'Three' } } });
  expect(await call('DELETE', path)).toEqual(replaced);
  expect((await call('GET', path)).status).toBe(404);
  expect((await call('POST', '/articles', { title: 'Bare' })).status).toBe(400);
});

it('says beside the item what the document requires', async () => {
  const call = await serve();
  const created = await call('POST', '/tags', { data: { name: 'red' } });
  const { id } = created.json.data;
  expect(created.json).toEqual({ success: true, data: { id, name: 'red' } });
  expect((await call('GET', `/tags/${id}`)).json).toEqual(created.json);
});

it('says that all is well beside an item', async () => {
  const flags = { success: true, ok: true, isDraft: false, hasErrors: false, isLocked: false };
  const described = Object.keys(flags).map((name) => `${name}!: bool, `);
  const { call } = await serveDocument(
    documentOf(
      `
      GET /articles -> { total!: int, articles!: [Article] }
      GET /articles/{slug:text} -> { ${described.join('')} article!: Article }
      `,
      schemas,
    ),
    { pets: 3 },
  );
  const { json: list } = await call('/articles');
  const { json } = await call(`/articles/${list.articles[0].slug}`);
  expect(json).toMatchObject(flags);
});

it('says beside items what is stated of it, though nothing requires that', async () => {
  const around =
    'success: bool, status: text(default="fine"), kind: "tag", error: text, hidden: bool';
  const lines = `
    GET /tags -> { ${around}, data: [Tag] }
    POST /tags Tag -> 201 { ${around}, data: Tag }
    GET /tags/{id} -> { ${around}, data: Tag }
  `;
  const { send } = await serveDocument(documentOf(lines, schemas), { pets: 1 });
  const { json: created } = await send('POST', '/tags', { name: 'red' });
  const { data } = created;
  const said = { success: true, status: 'fine', kind: 'tag' };
  expect(created).toEqual({ ...said, data: { id: data.id, name: 'red' } });
  expect((await send('GET', `/tags/${data.id}`)).json).toEqual({ ...said, data });
  expect((await send('GET', '/tags')).json).toEqual({ ...said, data: [expect.anything(), data] });
});

it.each([
  ['itself, if it has an id of its own', 'id', ['id', 'data']],
  ['in it, if that alone has an id', 'price', ['id', 'name']],
])('takes an object for the item %s', (_, other, properties) => {
  const lines = `GET /orders/{id} -> { ${other}!: int, data!: Tag }\nDELETE /orders/{id} -> any`;
  const document = compile(documentOf(lines, schemas));
  const [found] = document.resources;
  expect(found && Object.keys(found.item.properties)).toEqual(properties);
});

it('keeps what a POST creates or updates at a path in the singular, beside what is related', async () => {
  const related = 'related_objects: [Entry]';
  const { send } = await serveEmpty(
    documentOf(
      `
      POST /catalog/object { key: text, object!: Entry } -> { catalog_object: Entry, ids: [{ object_id }] }
      GET /catalog/object/{object_id:text} -> { object: Entry, ${related}, errors: [{ code }] }
      DELETE /catalog/object/{object_id:text} -> { deleted_object_ids: [text] }
      POST /catalog/images { key: text, image: Entry } -> { image: Entry }
      GET /catalog/list?cursor -> { objects: [Entry], cursor: text }
      POST /catalog/batch-retrieve { object_ids!: [text] } -> { objects: [Entry], ${related} }
      `,
      { Entry: '{ id!: text, name, price: int }' },
      {
        operations: {
          'POST /catalog/object': { description: 'Creates or updates the given entry.' },
        },
      },
    ),
  );
  const put = (object: object) => send('POST', '/catalog/object', { key: 'a', object });
  const tea = { id: 'T1', name: 'Tea', price: 3 };
  for (const one of [tea, { id: 'C1', name: 'Coffee' }]) await put(one);
  expect((await send('GET', '/catalog/object/T1')).json).toMatchObject({ object: tea });
  const { json } = await put({ id: 'T1', price: 4 });
  expect(json.catalog_object).toEqual({ ...tea, price: 4 });
  const listed = (await send('GET', '/catalog/list')).json.objects;
  expect(listed.map(({ id }: { id: string }) => id)).toEqual(['T1', 'C1']);
  const found = await send('POST', '/catalog/batch-retrieve', { object_ids: ['C1'] });
  expect(found.json.objects).toEqual([{ id: 'C1', name: 'Coffee' }]);
  expect((await send('DELETE', '/catalog/object/T1')).json.deleted_object_ids).toEqual(['T1']);
  expect((await send('GET', '/catalog/object/T1')).status).toBe(404);
});

it('keeps what `data` holds, of which the document says nothing, beside permissions', async () => {
  const { send } = await serveEmpty(
    documentOf(
      `
      GET /buckets/{bucket:text}/records -> { data: [any] }
      POST /buckets/{bucket:text}/records Record -> 200 Record, 201 Record
      GET /buckets/{bucket:text}/records/{id:text} -> Record, 404
      PUT /buckets/{bucket:text}/records/{id:text} Record -> 200 Record, 201 Record
      PATCH /buckets/{bucket:text}/records/{id:text} Record -> Record
      DELETE /buckets/{bucket:text}/records/{id:text} -> Record
      `,
      {
        Record: {
          type: 'object',
          properties: {
            data: { type: 'object', additionalProperties: {} },
            permissions: { type: 'object', properties: { read: { type: 'array' } } },
          },
        },
      },
    ),
  );
  const path = '/buckets/blog/records';
  const own = { id: 'r1', text: 'hi', n: 1 };
  const made = await send('PUT', `${path}/r1`, { data: { text: 'hi', n: 1 } });
  expect([made.status, made.json]).toEqual([201, { data: own }]);
  expect((await send('PATCH', `${path}/r1`, { data: { n: 2 } })).json.data).toEqual({
    ...own,
    n: 2,
  });
  const { json } = await send('POST', path, { data: { text: 'ho' } });
  expect((await send('GET', `${path}/${json.data.id}`)).json).toEqual(json);
  expect((await send('GET', path)).json.data).toEqual([{ ...own, n: 2 }, json.data]);
  await send('DELETE', `${path}/r1`);
  expect((await send('GET', `${path}/r1`)).status).toBe(404);
});

it('keeps objects that have `data` beside lists whole', async () => {
  const { send } = await serveEmpty(`
    GET /notes -> [Note]
    POST /notes Note -> 201 Note
    GET /notes/{id} -> Note
    Note: { data!: { title }, tags: [text] }
  `);
  const note = { data: { title: 'A' }, tags: ['new'] };
  const { json } = await send('POST', '/notes', note);
  expect(json).toMatchObject(note);
  expect((await send('GET', '/notes')).json).toEqual([json]);
});

it('keeps items whole that have `data` of which the document says nothing beside an id', async () => {
  const { send } = await serveEmpty(`
    GET /hooks -> [Hook]
    POST /hooks Hook -> 201 Hook
    GET /hooks/{id} -> Hook
    Hook: { readonly id: int, event, data: {} }
  `);
  const { json } = await send('POST', '/hooks', {
    event: 'made',
    data: { url: 'https://a.example' },
  });
  expect(json).toEqual({ id: 1, event: 'made', data: { url: 'https://a.example' } });
});

it('takes an object that has what listed items have for the item, whatever stands beside it', async () => {
  const { send } = await serveEmpty(`
    GET /buckets -> {data: [Bucket]}
    POST /buckets Held -> 201 Held
    GET /buckets/{id} -> Held
    PUT /buckets/{id} Held -> Held
    Bucket: { town, size: int }
    Held: { data: Bucket, rights: { read: [text] } }
  `);
  const { json } = await send('POST', '/buckets', { data: { town: 'Lisbon', size: 3 } });
  const { id } = json.data;
  expect(json.data).toEqual({ id, town: 'Lisbon', size: 3 });
  expect((await send('GET', '/buckets')).json).toEqual({ data: [json.data] });
  await send('PUT', `/buckets/${id}`, { data: { town: 'Porto', size: 4 } });
  expect((await send('GET', `/buckets/${id}`)).json.data).toEqual({ id, town: 'Porto', size: 4 });
});

it.each([
  ['{ edges: [{ cursor, node: User }], pageInfo: { hasNextPage: bool, endCursor } }', 'node'],
  ['[{ user: User }]', 'user'],
])('lists items that each element holds: %s', async (list, within) => {
  const { send, document } = await serveEmpty(`
    GET /users?first:int&after&fields -> ${list}
    POST /users { name!, age: int } -> 201 User
    GET /users/{id} -> User
    User: { readonly id!: int, name!, age: int }
  `);
  const [{ itemsAt } = {}] = document.operations;
  expect(itemsAt?.slice(-2)).toEqual(['*', within]);
  for (const name of ['Ada', 'Bob', 'Cy']) await send('POST', '/users', { name, age: 1 });
  const show = async (query: string) => {
    const { json } = await send('GET', `/users?${query}`);
    return { json, shown: (json.edges ?? json).map((one: object) => one[within as never]) };
  };
  const users = ['Ada', 'Bob', 'Cy'].map((name, index) => ({ id: index + 1, name, age: 1 }));
  expect((await show('')).shown).toEqual(users);
  const [ada] = (await show('fields=name')).shown;
  expect(ada).toEqual({ id: 1, name: 'Ada' });
  if (within !== 'node') return;
  const { json, shown } = await show('first=2');
  expect(shown).toEqual(users.slice(0, 2));
  expect(json.pageInfo).toEqual({ hasNextPage: true, endCursor: json.edges[1].cursor });
  expect((await show(`first=2&after=${json.edges[0].cursor}`)).shown).toEqual(users.slice(1));
});

it('lists what its POST takes where elements hold that beside other members, as in FHIR', async () => {
  const { send } = await serveEmpty(`
    GET /users -> { total: int, link: [{ relation!, url! }], entry: [Entry] }
    POST /users User -> 201 User
    GET /users/{id} -> User
    Entry: { fullUrl: uri, mode!: "match", resource: User }
    User: { id: int, name! }
  `);
  await send('POST', '/users', { name: 'Ada' });
  const entry = [{ mode: 'match', resource: { id: 1, name: 'Ada' } }];
  expect((await send('GET', '/users')).json).toEqual({ total: 1, entry });
});

it.each([
  ['[{ user: User, role }]', undefined],
  ['[{ id: int, user: User }]', undefined],
  ['[{ metadata: User }]', undefined],
])('takes %s for the items themselves', (list, itemsAt) => {
  const [operation] = compile(
    documentOf(`
      GET /users -> ${list}
      GET /users/{id} -> User
      User: { id!: int, name! }
    `),
  ).operations;
  expect(operation?.itemsAt).toEqual(itemsAt);
});

it('finds the item in a result that the id stands beside', async () => {
  const { send } = await serveDocument(`
    GET /themes -> { count: int, result!: [Theme] }
    POST /themes NewTheme! -> 201 { id: text, result: NewTheme }
    GET /themes/{pk} -> { id: text, labels: { name: text }, result: Theme }
    PUT /themes/{pk} NewTheme! -> { result: NewTheme }
    NewTheme: { css, title }
    Theme: { id: int, css, title, owner }
  `);
  const sent = { css: 'a', title: 'b' };
  const created = await send('POST', '/themes', sent);
  expect(created).toMatchObject({ status: 201, json: { id: '3', result: sent } });
  expect((await send('GET', '/themes/3')).json.result).toMatchObject({ id: 3, ...sent });
  await send('PUT', '/themes/3', { css: 'c', title: 'd' });
  const { json } = await send('GET', '/themes');
  expect(json.result.at(-1)).toMatchObject({ id: 3, css: 'c', title: 'd' });
  expect(json.result.at(-1)).not.toHaveProperty('result');
});

it('shows a number as a text where only one of the responses describes that', async () => {
  const { send } = await serveDocument(`
    GET /books -> [{ id!: int, code!: int, note }]
    POST /books { code!: int, note } -> 201 { id!: int, code!: int, note }
    GET /books/{id} -> { id!: text, code!: text, note: int }
  `);
  const { json } = await send('POST', '/books', { code: 12, note: 'a' });
  expect(json).toEqual({ id: 3, code: 12, note: 'a' });
  expect((await send('GET', '/books/3')).json).toEqual({ id: '3', code: '12', note: 'a' });
  expect((await send('GET', '/books')).json).toContainEqual(json);
});

it('shows no part of an object that no answer may show', async () => {
  const { send } = await serveDocument(`
    GET /files -> [{ id!: int, name, link: { url!, access } }]
    POST /files { name, link: { access } } -> 201 { id!: int, name, link: text }
    GET /files/{id} -> { id!: int, name, link: { url!, access } }
  `);
  const { json } = await send('POST', '/files', { name: 'a', link: { access: 'open' } });
  expect(json).toEqual({ id: 3, name: 'a' });
});

it('finds the item that a wrapper in another one holds by the name of its parameter', async () => {
  const { send } = await serveEmpty(`
    GET /videos -> { status!: "ok", data!: { videos!: [Video] } }
    POST /videos { video!: Video, notify: bool } -> { status!: "ok", data!: { video!: Video } }
    GET /videos/{videoId} -> { status!: "ok", data!: { video!: Video } }
    Video: { readonly id: int, name! }
  `);
  const { json } = await send('POST', '/videos', { video: { name: 'Ours' }, notify: true });
  expect(json).toEqual({ status: 'ok', data: { video: { id: 1, name: 'Ours' } } });
  expect((await send('GET', '/videos/1')).json).toEqual(json);
  const data = { videos: [json.data.video] };
  expect((await send('GET', '/videos')).json).toEqual({ status: 'ok', data });
});
