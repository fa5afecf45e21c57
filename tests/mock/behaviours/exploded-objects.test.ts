import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

const integer = { type: 'integer', minimum: 0 };
const whole = { type: 'integer' };
const properties = {
  page: integer,
  size: integer,
  sort: { type: 'array', items: { type: 'string' } },
};
const Pet = '{ id!: int, status, tame: bool }';

/** Pets, whose list takes these parameters. */
function pets(parameters: readonly object[], list = '{ content: [Pet], number: int, size: int }') {
  return documentOf(
    `GET /pets -> ${list}`,
    { Pet, Pageable: { type: 'object', properties } },
    { operations: { 'GET /pets': { parameters } } },
  );
}

it.each([
  { required: true, explode: true, schema: { type: 'object', properties } },
  { required: false, schema: { $ref: '#/components/schemas/Pageable' } },
])('pages by the members of an object in the query: %j', async (described) => {
  const { call } = await serveDocument(pets([{ name: 'pageable', in: 'query', ...described }]), {
    pets: 10,
  });
  const { json } = await call('/pets?page=1&size=3&sort=id,desc');
  expect(json).toMatchObject({ content: [{ id: 7 }, { id: 6 }, { id: 5 }], number: 1, size: 3 });
  expect(await call('/pets')).toMatchObject({ status: 200, json: { content: { length: 10 } } });
  expect(await call('/pets?page=x')).toMatchObject({
    status: 400,
    json: { message: expect.stringContaining('"page" must be an integer') },
  });
});

it('requires members that a required object requires', async () => {
  const schema = { type: 'object', required: ['size'], properties };
  const { call } = await serveDocument(
    pets([{ name: 'pageable', in: 'query', required: true, schema }]),
  );
  expect(await call('/pets')).toMatchObject({ status: 400 });
  expect(await call('/pets?size=1')).toMatchObject({ json: { content: { length: 1 } } });
});

it.each([
  ['page', { number: whole, size: whole }, 'page[size]=2&page[number]=2', 'page[number]=3'],
  ['page', { limit: whole, offset: whole }, 'page[limit]=2&page[offset]=2', 'page[offset]=4'],
  ['paging', { limit: whole, offset: whole }, 'paging[limit]=2&paging[offset]=2', '[offset]=4'],
  ['pagination', { page: whole, perPage: whole }, 'pagination[perPage]=2&pagination[page]=2', '=3'],
])('pages by the members of %s in brackets: %j', async (name, members, query, next) => {
  const page = {
    name,
    in: 'query',
    style: 'deepObject',
    schema: { type: 'object', properties: members },
  };
  const { call, document } = await serveDocument(pets([page], '[Pet]'), { pets: 5 });
  const all = (await call('/pets')).json;
  expect(all).toHaveLength(5);
  const { json, headers } = await call(`/pets?${query}`);
  expect(json).toEqual(all.slice(2, 4));
  expect(decodeURIComponent(headers.get('Link') ?? '')).toContain(`${next}>; rel="next"`);
  expect((await call(`/pets?${query.replaceAll('[', '%5B')}`)).json).toEqual(json);
  expect((await call(`/pets?${query.replace('2', 'x')}`)).status).toBe(400);
  const effects = document.resources[0]?.operations.list?.parameters.map((one) => one.name);
  expect(effects).toEqual(Object.keys(members).map((member) => `${name}[${member}]`));
});

it.each([
  ['pages', { from: whole, to: whole }, 'pages[from]=2'],
  ['created', { after: { type: 'string' }, limit: whole }, 'created[limit]=2'],
  ['filter', { limit: whole }, 'filter[limit]=2'],
])('does not page by %s in brackets: %j', async (name, members, query) => {
  const schema = { type: 'object', properties: members };
  const parameter = { name, in: 'query', style: 'deepObject', schema };
  const { call } = await serveDocument(pets([parameter], '[Pet]'), { pets: 5 });
  expect((await call(`/pets?${query}`)).json).toHaveLength(5);
});

it('filters by a flag what holds one alone', async () => {
  const flag = (name: string) => ({
    name,
    in: 'query',
    schema: { type: 'boolean', default: false },
  });
  const { call } = await serveDocument(pets([flag('status')]), { pets: 4 });
  for (const path of ['/pets', '/pets?status=true'])
    expect((await call(path)).json.content).toHaveLength(4);
  const tame = await serveDocument(pets([flag('tame')]), { pets: 4 });
  const { json } = await tame.call('/pets?tame=true');
  expect(json.content.every((one: { tame?: boolean }) => one.tame === true)).toBe(true);
});
