import { expect, it } from 'vitest';
import type { TestAnswer } from '../../support/create-send.ts';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { toPins } from '../../support/pinned-twin.ts';
import { jsonOf, serveDocument } from '../../support/serve-document.ts';
import { withJson } from '../../support/with-json.ts';
import { writeJson } from '../../support/write-json.ts';

const text = { type: 'string' };
const integer = { type: 'integer' };
const nullable = { type: ['string', 'null'] };

const fields = 'name!, kind: "cat" | "dog", age: Age, tags: [text], born: date';
const animal = { $ref: '#/components/schemas/Animal' };
const animals = { type: 'array', items: animal };

type Given = {
  schema?: object;
  query?: Record<string, object>;
  headers?: Record<string, object>;
  example?: unknown;
  count?: number;
  operation?: object;
  root?: object;
  pins?: string;
  styles?: Readonly<Record<string, string>>;
  descriptions?: Readonly<Record<string, string>>;
};

/** A twin of one collection, whose items are named a1, a2 and so on. */
async function serve({
  schema = animals,
  query = {},
  headers,
  example,
  count = 5,
  operation,
  styles = {},
  root = {},
  pins,
  descriptions = {},
}: Given) {
  const described = documentOf(
    `
    listAnimals: GET /animals -> [Animal]
    createAnimal: POST /animals { ${fields} } -> 201 Animal
    getAnimal: GET /animals/{id} -> Animal
    deleteAnimal: DELETE /animals/{id} -> 204
    `,
    {
      Age: { type: 'integer', minimum: 0 },
      Animal: `{ readonly id!: int, ${fields.replace('kind', 'kind!').replace('age', 'age!')} }`,
    },
    { servers: [{ url: '/v1' }], ...root },
  );
  Object.assign(described.paths['/animals']?.get, operation, {
    parameters: Object.entries(query).map(([name, schema]) => ({
      ...{ name, in: 'query', schema },
      ...(styles[name] && { style: styles[name] }),
      ...(descriptions[name] && { description: descriptions[name] }),
    })),
    responses: {
      200: {
        ...jsonOf(schema, example === undefined ? {} : { example }),
        ...(headers && { headers }),
      },
    },
  });
  const twin = await serveDocument(described, { pets: 0, ...(pins !== undefined && { pins }) });
  const create = async (body: object): Promise<TestAnswer> =>
    twin.call('/animals', withJson('POST', body));
  const remove = (id: number) => twin.call(`/animals/${id}`, { method: 'DELETE' });
  for (let n = 1; n <= count; n++)
    expect(
      (
        await create({
          name: `a${n}`,
          kind: n % 2 ? 'cat' : 'dog',
          age: (n * 7) % 5,
          tags: [`t${n % 3}`],
          born: `2020-01-0${n % 9 || 9}`,
        })
      ).status,
    ).toBe(201);
  const list = async (path = '/animals') => {
    const answer = await twin.call(path.startsWith('http') ? path.slice(twin.api.length) : path);
    return { ...answer, names: namesIn(answer.json) };
  };
  return { ...twin, create, remove, list };
}

// biome-ignore lint/suspicious/noExplicitAny: lists have any form here.
function namesIn(json: any): string[] | undefined {
  const array = Array.isArray(json)
    ? json
    : Object.values(json ?? {}).find((one): one is object[] => Array.isArray(one));
  return array?.map(({ name }) => name);
}

function object(properties: Record<string, object>, required = Object.keys(properties)): object {
  return { type: 'object', properties, required };
}

it('leaves out an empty list that must have items where it is not required', async () => {
  const data = { ...animals, minItems: 1 };
  const meta = object({ total: integer });
  const free = await serve({ schema: object({ data, meta }, ['meta']), count: 0 });
  expect((await free.list()).json).toEqual({ meta: { total: 0 } });
  const bound = await serve({ schema: object({ data, meta }), count: 0 });
  expect((await bound.list()).json).toEqual({ data: [], meta: { total: 0 } });
});

it('states the first page where a list that is not paged must state one', async () => {
  const schema = object({ data: animals, page: integer, offset: integer });
  const { list } = await serve({ schema, count: 1 });
  expect((await list()).json).toMatchObject({ page: 1, offset: 0 });
});

it('lists in an object, with what it requires, and pages by number', async () => {
  const schema = schemaOf(`{
    object!: "list", url!: text(pattern="^/v1/animals$", example="/v1/animals"),
    status!: any(enum=["ok"]), incomplete!: bool, data!: [Animal],
    meta!: { total!: int, page!: int, per_page!: int, pages!: int },
    links!: { next!: uri | null, prev!: uri | null }
  }`);
  const query = {
    page: { ...integer, minimum: 1 },
    per_page: { ...integer, minimum: 1, maximum: 50 },
  };
  const { list, api } = await serve({ schema, query });
  const first = await list('/animals?per_page=2');
  expect(first.json).toEqual({
    object: 'list',
    url: '/v1/animals',
    status: 'ok',
    incomplete: false,
    data: [
      expect.objectContaining({ id: 1, name: 'a1' }),
      expect.objectContaining({ id: 2, name: 'a2' }),
    ],
    meta: { total: 5, page: 1, per_page: 2, pages: 3 },
    links: { next: `${api}/animals?per_page=2&page=2`, prev: null },
  });
  const second = await list(first.json.links.next);
  expect([second.names, second.json.meta.page]).toEqual([['a3', 'a4'], 2]);
  const third = await list(second.json.links.next);
  expect(third.names).toEqual(['a5']);
  expect(third.json.links).toEqual({ next: null, prev: `${api}/animals?per_page=2&page=2` });
  const beyond = await list('/animals?per_page=2&page=9');
  expect([beyond.status, beyond.names, beyond.json.links.next]).toEqual([200, [], null]);
  expect(beyond.json.links.prev).toBe(`${api}/animals?per_page=2&page=3`);
});

it('pages by offset, and says whether more follows', async () => {
  const schema = schemaOf(`{
    animals!: [Animal], paging!: { total!: int, offset!: int, limit!: int, has_more!: bool },
    next, next_link: text(example="/animals?offset=20"), next_offset: int
  }`);
  const query = {
    offset: { ...integer, minimum: 0, default: 0 },
    limit: { ...integer, default: 2 },
  };
  const { list, api } = await serve({ schema, query });
  expect((await list()).json).toMatchObject({
    paging: { total: 5, offset: 0, limit: 2, has_more: true },
    next: `${api}/animals?offset=2`,
    next_link: '/v1/animals?offset=2',
    next_offset: 2,
  });
  const last = await list('/animals?offset=4');
  expect(last.names).toEqual(['a5']);
  expect(last.json).toEqual({
    animals: [expect.anything()],
    paging: { total: 5, offset: 4, limit: 2, has_more: false },
  });
  expect((await list('/animals?offset=1&limit=3')).names).toEqual(['a2', 'a3', 'a4']);
});

it('links pages in headers (RFC 8288), and counts there', async () => {
  const headers = {
    Link: { schema: text },
    'X-Total-Count': { schema: integer },
    'X-Next-Page': { schema: text },
  };
  const { list, api } = await serve({
    query: { page: integer, per_page: integer, kind: text },
    headers,
  });
  const { json, headers: sent } = await list('/animals?page=2&per_page=1&kind=cat');
  expect(namesIn(json)).toEqual(['a3']);
  expect(sent.get('X-Total-Count')).toBe('3');
  expect(sent.get('X-Next-Page')).toBe('3');
  const at = (page: number) => `<${api}/animals?page=${page}&per_page=1&kind=cat>`;
  expect(sent.get('Link')).toBe(
    `${at(3)}; rel="next", ${at(1)}; rel="prev", ${at(1)}; rel="first", ${at(3)}; rel="last"`,
  );
  const only = await list('/animals?per_page=50');
  expect(only.headers.get('X-Next-Page')).toBeNull();
});

it('counts a bare array with pages that describes no headers', async () => {
  const { list } = await serve({ query: { page: integer, per_page: integer, kind: text } });
  const { headers } = await list('/animals?page=2&per_page=1&kind=cat');
  expect(headers.get('X-Total-Count')).toBe('3');
  expect(headers.get('Link')).toContain('rel="next"');
});

it('goes on behind a cursor, and back', async () => {
  const schema = schemaOf(
    '{ items!: [Animal], next_cursor!: text | null, prev_cursor!: text | null, has_more!: bool }',
  );
  const { list, remove } = await serve({ schema, query: { cursor: text, limit: integer } });
  const first = await list('/animals?limit=2');
  expect(first.json).toMatchObject({ has_more: true, prev_cursor: null });
  // The item seen last is gone; the next page begins behind it all the same.
  await remove(2);
  await remove(1);
  const second = await list(`/animals?limit=2&cursor=${first.json.next_cursor}`);
  expect(second.names).toEqual(['a3', 'a4']);
  expect(second.json.prev_cursor).toBeNull();
  const third = await list(`/animals?limit=2&cursor=${second.json.next_cursor}`);
  expect(third.names).toEqual(['a5']);
  expect(third.json).toMatchObject({ has_more: false, next_cursor: null });
  const back = await list(`/animals?limit=1&cursor=${third.json.prev_cursor}`);
  expect(back.names).toEqual(['a4']);
  expect((await list('/animals?limit=2&cursor=')).names).toEqual(['a3', 'a4']);
  for (const wrong of ['x', 'WzJd', '%F0%9F%90%95'])
    expect(await list(`/animals?cursor=${wrong}`)).toMatchObject({
      status: 400,
      json: { code: 'invalid_parameter', message: expect.stringContaining('"cursor"') },
    });
});

it('takes the id of an item for a cursor where answers give no other', async () => {
  const schema = object({ data: animals, has_more: { type: 'boolean' } });
  const query = { starting_after: text, ending_before: text, limit: integer };
  const { list } = await serve({ schema, query });
  const page = await list('/animals?limit=2&starting_after=2');
  expect([page.names, page.json.has_more]).toEqual([['a3', 'a4'], true]);
  const before = await list('/animals?limit=2&ending_before=4');
  expect([before.names, before.json.has_more]).toEqual([['a2', 'a3'], true]);
  expect(await list('/animals?starting_after=9')).toMatchObject({
    status: 400,
    json: { message: expect.stringContaining('the id of an item') },
  });
});

it('goes on behind a cursor in a sorted list', async () => {
  const schema = object({ data: animals, next: nullable });
  const query = { cursor: text, limit: integer, sort: text };
  const { list } = await serve({ schema, query, count: 9 });
  const seen: string[] = [];
  let cursor = '';
  for (let turn = 0; turn < 9 && cursor !== null; turn++) {
    const more = cursor === '' ? '' : `&cursor=${cursor}`;
    const { names = [], json } = await list(`/animals?limit=2&sort=-age,name${more}`);
    seen.push(...names);
    cursor = json.next;
  }
  const all = (await list('/animals?limit=100&sort=-age,name')).names;
  expect(seen).toEqual(all);
  expect(seen).toEqual(['a2', 'a7', 'a4', 'a9', 'a1', 'a6', 'a3', 'a8', 'a5']);
});

it('sorts, filters and searches by the names of parameters', async () => {
  const query = {
    kind: text,
    sort: text,
    order: { enum: ['asc', 'desc'] },
    q: text,
    tag: text,
    age_gte: integer,
    max_age: integer,
    born_after: { type: 'string', format: 'date' },
    name_contains: text,
    nonsense: text,
  };
  const { list } = await serve({ query });
  const names = async (asked: string) => (await list(`/animals?${asked}`)).names?.join(' ');
  expect(await names('sort=name&order=desc')).toBe('a5 a4 a3 a2 a1');
  expect(await names('sort=-name')).toBe('a5 a4 a3 a2 a1');
  expect(await names('sort=age')).toBe('a5 a3 a1 a4 a2');
  expect(await names('sort=kind:desc,name:desc')).toBe('a4 a2 a5 a3 a1');
  expect(await names('sort=unknown')).toBe('a1 a2 a3 a4 a5');
  expect(await names('kind=dog')).toBe('a2 a4');
  expect(await names('q=A2')).toBe('a2');
  expect(await names('q=T1')).toBe('a1 a4');
  expect(await names('tag=t1')).toBe('a1 a4');
  expect(await names('age_gte=3')).toBe('a2 a4');
  expect(await names('max_age=1&kind=cat')).toBe('a3 a5');
  expect(await names('born_after=2020-01-03')).toBe('a4 a5');
  expect(await names('name_contains=5')).toBe('a5');
  expect(await names('nonsense=5')).toBe('a1 a2 a3 a4 a5');
});

it('filters by nothing for a value that means all, and by any of several with commas', async () => {
  const query = { kind: { enum: ['cat', 'dog', 'all'] }, names: text };
  const { list } = await serve({
    query,
    descriptions: { names: 'A list of comma-separated names' },
  });
  const names = async (asked: string) => (await list(`/animals?${asked}`)).names?.join(' ');
  expect(await names('kind=all')).toBe('a1 a2 a3 a4 a5');
  expect(await names('kind=dog')).toBe('a2 a4');
  expect(await names('names=a1,a3')).toBe('a1 a3');
});

it('takes arrays and objects of a parameter for filters', async () => {
  const query = {
    kind: { type: 'array', items: text },
    age: { type: 'object', properties: { gt: integer, lt: integer } },
  };
  const { list } = await serve({ query, styles: { age: 'deepObject' } });
  expect((await list('/animals?kind=dog&kind=cat')).names).toHaveLength(5);
  expect((await list('/animals?kind=dog')).names).toEqual(['a2', 'a4']);
  expect((await list('/animals?age[gt]=1&age[lt]=4')).names).toEqual(['a1', 'a4']);
});

it('holds the items as described where something else is pinned', async () => {
  const root = {
    'x-silences': [
      {
        id: 'list-order',
        source: '§4.1',
        question: 'In which order?',
        twin: 'Order of creation.',
        'x-assumed': 'the simplest order',
      },
    ],
  };
  const pins = await writeJson(toPins({ 'list-order': 'newest-first' }));
  expect((await (await serve({ root, pins })).list()).names).toEqual([
    'a5',
    'a4',
    'a3',
    'a2',
    'a1',
  ]);
  const { list } = await serve({ root, pins, schema: object({ data: animals, total: integer }) });
  expect((await list()).json).toMatchObject({ data: { length: 5 }, total: 5 });
});

it('is valid where an answer requires a link that is not there', async () => {
  const schema = schemaOf(`{
    data!: [Animal](maxItems=3), next!, self!: uri, links!: { next!: uri, last!: uri },
    _links!: { next: { href! }, self!: { href! } }
  }`);
  const { list, lines } = await serve({ schema, query: { page: integer } });
  const last = await list('/animals?page=2');
  expect(last.json).toMatchObject({ data: { length: 2 }, next: '' });
  expect(last.json._links).toEqual({ self: { href: last.json.links.next } });
  expect((await list()).json.data).toHaveLength(3);
  expect(lines.filter((line) => line.includes('does not match'))).toEqual([]);
});

it('names no page behind the last one where an object must stand for one and may be empty', async () => {
  const schema = schemaOf(`{
    data!: [Animal](maxItems=3), links!: { next!: { href: uri }, prev!: { href: uri } }
  }`);
  const { list } = await serve({ schema, query: { page: integer } });
  const { next, prev } = (await list('/animals?page=2')).json.links;
  expect([next, prev]).toEqual([{}, { href: expect.stringMatching(/page=1$/) }]);
});

it('counts at least as many pages, and as long ones, of no items as the schema states', async () => {
  const least = { ...integer, minimum: 1 };
  const schema = object({ data: animals, pages: least, per_page: least, total: integer });
  const { list } = await serve({ schema, count: 0 });
  expect((await list()).json).toEqual({ data: [], pages: 1, per_page: 1, total: 0 });
});

it('says nothing of what is not required, but what an example shows or is known', async () => {
  const schema = schemaOf(
    '{ data!: [Animal], took: int, version, kind: "animals", total: int, warnings: [Animal] }',
  );
  const { list } = await serve({ schema, example: { data: [], version: 'v7', total: 99 } });
  const { json } = await list();
  expect(json).toEqual({ data: expect.anything(), version: 'v7', total: 5 });
});

it('shows what it holds where its schema asks for more than it names', async () => {
  const schema = schemaOf('{ data!: [Animal], total: int, token }(minProperties=3)');
  const { list, lines } = await serve({ schema });
  expect(Object.keys((await list()).json)).toEqual(['data', 'total', 'token']);
  expect(lines.filter((line) => line.includes('does not match'))).toEqual([]);
});

it('has links that lead back below a sandbox', async () => {
  const schema = object({ data: animals, next: { type: ['string', 'null'], format: 'uri' } });
  const { origin } = await serve({ schema, query: { page: integer, limit: integer } });
  const base = `${origin}/sandboxes/mine`;
  await fetch(`${origin}/__admin/sandboxes/mine`, { method: 'PUT' });
  for (const name of ['x', 'y'])
    await fetch(`${base}/v1/animals`, withJson('POST', { name, kind: 'cat', age: 1 }));
  const first = (await (await fetch(`${base}/v1/animals?limit=1`)).json()) as { next: string };
  expect(first.next).toBe(`${base}/v1/animals?limit=1&page=2`);
  expect(namesIn(await (await fetch(first.next)).json())).toEqual(['y']);
});
