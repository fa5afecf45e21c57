import { expect, it } from 'vitest';
import { jsonOf, serveDocument, toDocument } from '../../support/serve-document.ts';

const integer = { type: 'integer', minimum: 0 };
const properties = {
  page: integer,
  size: integer,
  sort: { type: 'array', items: { type: 'string' } },
};
const pet = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, status: { type: 'string' }, tame: { type: 'boolean' } },
};

function pets(...parameters: object[]): object {
  const content = { type: 'array', items: pet };
  const frame = { type: 'object', properties: { content, number: integer, size: integer } };
  return toDocument(
    { '/pets': { get: { parameters, responses: { 200: jsonOf(frame) } } } },
    { components: { schemas: { Pageable: { type: 'object', properties } } } },
  );
}

it.each([
  { required: true, explode: true, schema: { type: 'object', properties } },
  { required: false, schema: { $ref: '#/components/schemas/Pageable' } },
])('pages by the members of an object in the query: %j', async (described) => {
  const { call } = await serveDocument(pets({ name: 'pageable', in: 'query', ...described }), {
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
    pets({ name: 'pageable', in: 'query', required: true, schema }),
  );
  expect(await call('/pets')).toMatchObject({ status: 400 });
  expect(await call('/pets?size=1')).toMatchObject({ json: { content: { length: 1 } } });
});

it('filters by a flag what holds one alone', async () => {
  const flag = (name: string) => ({
    name,
    in: 'query',
    schema: { type: 'boolean', default: false },
  });
  const { call } = await serveDocument(pets(flag('status')), { pets: 4 });
  for (const path of ['/pets', '/pets?status=true'])
    expect((await call(path)).json.content).toHaveLength(4);
  const tame = await serveDocument(pets(flag('tame')), { pets: 4 });
  const { json } = await tame.call('/pets?tame=true');
  expect(json.content.every((one: { tame?: boolean }) => one.tame === true)).toBe(true);
});
