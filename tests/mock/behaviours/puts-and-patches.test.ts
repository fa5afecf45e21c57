import { expect, it } from 'vitest';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

const book = '{ readonly id: int, name!, note }';
const books = (shown: string, created: string, replaced = created) =>
  documentOf(`
    POST /books ${created} -> 201 ${shown}
    GET /books/{id} -> ${shown}
    PUT /books/{id} ${replaced} -> ${shown}
  `);

/**
 * Returns what a PUT of the name alone leaves of a book that has a note, by the schema of its body.
 */
async function replaceName(body: string): Promise<unknown> {
  const { send } = await serveDocument(books(book, book, body));
  const { id } = (await send('POST', '/books', { name: 'Emma', note: 'signed' })).json;
  await send('PUT', `/books/${id}`, { name: 'Persuasion' });
  const { id: _, ...left } = (await send('GET', `/books/${id}`)).json;
  return left;
}

it.each([
  ['requires nothing', '{ name, note }'],
  ['lacks a property of the item', '{ name! }'],
])('keeps what a PUT does not name whose body %s', async (_, body) => {
  expect(await replaceName(body)).toEqual({ name: 'Persuasion', note: 'signed' });
});

it('keeps of an object in a PUT what its body does not describe there', async () => {
  const { send } = await serveDocument(`
    POST /issues { fields!: { title!, project!, labels: [text] } } -> 201 Issue
    GET /issues/{id} -> Issue
    PUT /issues/{id} { fields!: { title!, labels: [text] } } -> 204
    Issue: { id!: int, fields!: { title!, project!, labels: [text] } }
  `);
  const fields = { title: 'A', project: 'P', labels: ['a'] };
  const { json } = await send('POST', '/issues', { fields });
  await send('PUT', `/issues/${json.id}`, { fields: { title: 'B' } });
  const expected = { title: 'B', project: 'P', labels: ['a'] };
  expect((await send('GET', `/issues/${json.id}`)).json.fields).toEqual(expected);
});

it('replaces an item by a PUT whose body is a whole one', async () => {
  expect(await replaceName(book)).toEqual({ name: 'Persuasion' });
});

it('sets what the schema of a body has, though that of answers calls all of it readOnly', async () => {
  const shown = '{ readonly id: int, readonly name, readonly note }';
  const { send } = await serveDocument(books(shown, '{ name }'));
  const { json } = await send('POST', '/books', { name: 'Emma', note: 'signed' });
  expect(json).toMatchObject({ name: 'Emma' });
  expect(json.note).not.toBe('signed');
  await send('PUT', `/books/${json.id}`, { name: 'Persuasion' });
  expect((await send('GET', `/books/${json.id}`)).json).toMatchObject({ name: 'Persuasion' });
});

/** Serves a collection whose items are of a schema, and gives what patches the one that it creates. */
async function servePatches(schema: object) {
  const content = Object.fromEntries(
    ['application/merge-patch+json', 'application/json-patch+json'].map((type) => [type, {}]),
  );
  const { send } = await serveDocument(
    documentOf(
      `
      GET /r -> [Item]
      POST /r Item -> 201 Item
      GET /r/{id} -> Item
      PATCH /r/{id} -> Item
      `,
      { Item: schema },
      { operations: { 'PATCH /r/{id}': { requestBody: { content } } } },
    ),
  );
  return async (begin: object, patch: unknown) => {
    const { json: made } = await send('POST', '/r', begin);
    const kind = Array.isArray(patch) ? 'json-patch' : 'merge-patch';
    const patched = await send('PATCH', `/r/${made.id}`, patch, `application/${kind}+json`);
    return { ...patched, now: (await send('GET', `/r/${made.id}`)).json };
  };
}

const of = (fields: string, more: object = {}) => ({
  ...schemaOf(`{ readonly id!: int, ${fields} }`),
  ...more,
});
const either = of('e, p', { oneOf: [{ required: ['e'] }, { required: ['p'] }] });

it.each([
  [either, { e: 'x' }, { p: 'y' }],
  [either, { e: 'x' }, { e: null }],
  [either, { e: 'x' }, [{ op: 'add', path: '/p', value: 'y' }]],
  [of('a, b', { not: { required: ['a', 'b'] } }), { a: 'x' }, { b: 'y' }],
  [of('a, b', { dependentRequired: { a: ['b'] } }), { b: 'x' }, { a: 'y', b: null }],
  [
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    of('k, y', { if: { properties: { k: { const: 'b' } } }, then: { required: ['y'] } }),
    { k: 'a' },
    { k: 'b' },
  ],
  [
    of('k!: "a" | "b", y', {
      if: { properties: { k: { const: 'b' } }, required: ['k'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { required: ['y'] },
      else: { properties: { y: false } },
    }),
    { k: 'b', y: 'x' },
    { y: null },
  ],
  [
    { oneOf: [of('k!: "round", radius!: int'), of('k!: "square", side!: int')] },
    { k: 'round', radius: 1 },
    { k: 'square' },
  ],
])(
  'changes nothing where %j would no longer fit: %j, patched by %j',
  async (schema, begin, patch) => {
    const patchOne = await servePatches(schema);
    const { status, now } = await patchOne(begin, patch);
    expect(status).toBe(400);
    expect(now).toEqual({ id: now.id, ...begin });
  },
);

it('takes a patch that fits the whole', async () => {
  const patchOne = await servePatches(either);
  expect(await patchOne({ e: 'x' }, { e: null, p: 'y' })).toMatchObject({
    status: 200,
    now: { p: 'y' },
  });
});

const Cat = of('kind!: "cat", claws!: int, readonly mood!');
const { properties, ...dog } = of('kind!: "dog", tail!: bool');
const bark = { type: 'string', default: 'woof' };
const Dog = { ...dog, properties: { ...properties, bark } };

it('makes of an item another kind with what that has, and without what only the first had', async () => {
  const patchOne = await servePatches({ oneOf: [Cat, Dog] });
  const { status, json } = await patchOne({ kind: 'dog', tail: true }, { kind: 'cat', claws: 3 });
  expect([status, json]).toEqual([
    200,
    { id: json.id, kind: 'cat', claws: 3, mood: expect.any(String) },
  ]);
  const wrong = await patchOne({ kind: 'dog', tail: true }, { kind: 'cat', claws: 'many' });
  expect([wrong.status, wrong.now.kind]).toEqual([400, 'dog']);
});

it('takes away what the new kind of an item forbids', async () => {
  const patchOne = await servePatches(
    of('kind!: "firm" | "person", vat', {
      if: { properties: { kind: { const: 'firm' } }, required: ['kind'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { required: ['vat'] },
      else: { properties: { vat: false } },
    }),
  );
  const { status, now } = await patchOne({ kind: 'firm', vat: 'DE1' }, { kind: 'person' });
  expect([status, now]).toEqual([200, { id: now.id, kind: 'person' }]);
  const sent = { kind: 'person', vat: 'DE2' };
  expect((await patchOne({ kind: 'firm', vat: 'DE1' }, sent)).status).toBe(400);
});

const content = {
  'application/json': { schema: schemaOf('{ phone }') },
  'application/json-patch+json': { schema: schemaOf('[any]') },
};
const document = documentOf(
  `
  list: GET /contacts -> [Contact]
  add: POST /contacts Contact -> 201 Contact
  read: GET /contacts/{id} -> Contact
  change: PATCH /contacts/{id} -> Contact
  `,
  { Contact: '{ readonly id!: int, lastName!, phone, email: email }' },
  { operations: { 'PATCH /contacts/{id}': { requestBody: { content } } } },
);

it('lets a JSON Patch set what the item has, whatever the JSON body may set', async () => {
  const { send } = await serveDocument(document);
  const patch = (...operations: object[]) =>
    send('PATCH', `/contacts/${added.id}`, operations, 'application/json-patch+json');
  const rex = { lastName: 'Rex', phone: '1', email: 'rex@example.com' };
  const { json: added } = await send('POST', '/contacts', rex, 'application/json');
  expect(await patch({ op: 'replace', path: '/lastName', value: 'Fox' })).toEqual({
    status: 200,
    json: { ...added, lastName: 'Fox' },
  });
  expect(await patch({ op: 'remove', path: '/phone' })).toMatchObject({ status: 200 });
  expect((await patch({ op: 'remove', path: '/lastName' })).status).toBe(400);
  expect((await patch({ op: 'replace', path: '/email', value: 'bad' })).status).toBe(400);
  const { json: last } = await send(
    'PATCH',
    `/contacts/${added.id}`,
    { lastName: 'Cat' },
    'application/json',
  );
  expect(last).toEqual({ id: added.id, lastName: 'Fox', email: 'rex@example.com' });
});

const schema = schemaOf(
  '{ title: text | null, due: text | null, note: text | null, place: object }',
);
const types = ['application/json', 'application/merge-patch+json'] as const;
const changes = {
  requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema }])) },
};
const withNulls = documentOf(
  `
  GET /tasks -> [Task]
  GET /tasks/{id} -> Task
  PATCH /tasks/{id} -> Task
  GET /profile -> Task
  PATCH /profile -> Task
  `,
  {
    Task: `{
      id!: int, title!, due!: text | null, note: text | null,
      place: { street: text | null, city }
    }`,
  },
  { operations: { 'PATCH /tasks/{id}': changes, 'PATCH /profile': changes } },
);

async function serve() {
  const { send } = await serveDocument(withNulls);
  return (path: string, body: object, type?: string) => send('PATCH', path, body, type);
}

it.each(['/tasks/1', '/profile'])(
  'stores null of plain JSON where %s may have it',
  async (path) => {
    const patch = await serve();
    const full = { due: 'now', note: 'a', place: { street: 'b', city: 'c' } };
    expect((await patch(path, full)).json).toMatchObject(full);
    const nulls = { due: null, note: null, place: { street: null, city: null } };
    const { status, json } = await patch(path, nulls);
    expect(status).toBe(200);
    expect(json).toMatchObject({ due: null, note: null, place: { street: null } });
    // A null removes a property that may not be null, unless it is required.
    expect(json.place).not.toHaveProperty('city');
    expect((await patch(path, { title: null })).json.message).toContain('"title" is required');
  },
);

it.each(['/tasks/1', '/profile'])(
  'removes by a merge patch what %s need not have',
  async (path) => {
    const patch = await serve();
    const full = { due: 'now', note: 'a', place: { street: 'b', city: 'c' } };
    await patch(path, full);
    const { json } = await patch(
      path,
      { due: null, note: null, place: { street: null } },
      types[1],
    );
    expect(json).toMatchObject({ due: null, place: { city: 'c' } });
    expect(json).not.toHaveProperty('note');
    expect(json.place).not.toHaveProperty('street');
  },
);

it('takes a body that is no object if the document allows any, and stores nothing of it', async () => {
  const { send } = await serveDocument(`
    GET /attributes -> [Attribute]
    GET /attributes/{name:text} -> Attribute
    PUT /attributes/{name:text} any! -> 204
    PATCH /attributes/{name:text} any! -> 204
    GET /settings -> { mode }
    PUT /settings any! -> { mode }
    GET /notes -> [{ id!: int }]
    POST /notes int! -> 201 { id!: int }
    Attribute: { name!: text, value! }
  `);
  const [first] = (await send('GET', '/attributes')).json;
  const path = `/attributes/${first.name}`;
  for (const body of ['on', 7, [{ value: 'on' }], null])
    for (const method of ['PUT', 'PATCH'])
      expect([body, method, (await send(method, path, body)).status]).toEqual([body, method, 204]);
  expect((await send('GET', path)).json).toEqual(first);
  const settings = await send('GET', '/settings');
  for (const body of ['on', [{ mode: 'on' }]])
    expect(await send('PUT', '/settings', body)).toEqual(settings);
  expect(await send('GET', '/settings')).toEqual(settings);
  await send('PUT', path, { value: 'on' });
  expect((await send('GET', path)).json).toEqual({ ...first, value: 'on' });
  const { json: note } = await send('POST', '/notes', 1);
  expect((await send('GET', '/notes')).json).toContainEqual(note);
});
