import { expect, it } from 'vitest';
import { compilerOf } from '../../../mock/json/validator.ts';
import { startTwin } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

const content = (schema: object) => ({ 'application/json': { schema } });
const answers = (status: number, schema: object) => ({
  [status]: { description: 'Done.', content: content(schema) },
});
const closed = (properties: object) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const slug = { allOf: [{ type: 'string' }, { minLength: 1 }] };
const icon = closed({ name: { type: 'string' }, kind: { enum: ['emoji', 'icon'] } });
const page = { slug, title: { type: 'string' }, icon, views: { type: 'integer' } };
const sent = {
  type: 'object',
  required: ['title'],
  properties: {
    title: { type: 'string' },
    icon: { type: 'object', properties: { name: { type: 'string' } } },
    rank: { type: 'string' },
  },
};
const rank = { type: 'string', enum: ['first', 'second'] };
const [listed, whole, created] = [
  closed(page),
  closed({ ...page, rank }),
  closed({ ...page, rank: { type: 'string', maxLength: 5 } }),
];

/** Pages of which the list shows less, and answers ask for more, than bodies say. */
const paths = {
  '/pages': {
    get: { responses: answers(200, { type: 'array', items: listed }) },
    post: { requestBody: { content: content(sent) }, responses: answers(201, created) },
  },
  '/pages/{slug}': {
    parameters: [{ name: 'slug', in: 'path', required: true, schema: slug }],
    get: { responses: answers(200, whole) },
    put: { requestBody: { content: content(sent) }, responses: answers(200, whole) },
  },
};

async function serve() {
  const spec = await writeJson({ openapi: '3.1.0', info: { title: 'P', version: '1' }, paths });
  const { api, document, lines } = await startTwin({ spec, pets: 9 });
  const problemsOf = (schema: object, value: unknown) =>
    compilerOf(document)(schema as Record<string, unknown>)(value);
  const call = async (path: string, method = 'GET', body?: object) => {
    const headers = { 'Content-Type': 'application/json' };
    const sent = body && { body: JSON.stringify(body), headers };
    return (await fetch(api + path, { method, ...sent })).json();
  };
  return { call, problemsOf, lines };
}

it('begins with items that are valid in the list and by themselves', async () => {
  const { call, problemsOf, lines } = await serve();
  const list = (await call('/pages')) as { slug: string }[];
  expect(list).toHaveLength(9);
  expect(problemsOf({ type: 'array', items: listed }, list)).toBeUndefined();
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
  const { slug } = item as { slug: string };
  expect(await call(`/pages/${slug}`)).toEqual(item);
  const other = (await call(path, method, { title: 'Sea', rank: 'last' })) as { rank: string };
  expect(['first', 'second']).toContain(other.rank);
});
