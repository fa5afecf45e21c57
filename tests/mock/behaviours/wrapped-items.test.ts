import { expect, it } from 'vitest';
import { compile } from '../../../openapi/index.ts';
import { serveDocument } from '../../support/serve-document.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const content = (schema: object) => ({ 'application/json': { schema } });
const inside = (name: string, schema: object, others: object = {}) => ({
  type: 'object',
  required: [name, ...Object.keys(others)],
  properties: { ...others, [name]: schema },
});
const answer = (schema: object, status = 200) => ({
  responses: { [status]: { description: 'Done.', content: content(schema) } },
});
const body = (schema: object) => ({ requestBody: { content: content(schema) } });

const blog = {
  openapi: '3.1.0',
  info: { title: 'Blog', version: '1' },
  paths: {
    '/articles': {
      get: answer(
        inside(
          'articles',
          { type: 'array', items: ref('Article') },
          { total: { type: 'integer' } },
        ),
      ),
      post: {
        ...answer(inside('article', ref('Article')), 201),
        ...body(inside('article', ref('NewArticle'))),
      },
    },
    '/articles/{slug}': {
      parameters: [{ name: 'slug', in: 'path', required: true, schema: { type: 'string' } }],
      get: answer(inside('article', ref('Article'))),
      put: {
        ...answer(inside('article', ref('Article'))),
        ...body(inside('article', ref('NewArticle'))),
      },
      patch: {
        ...answer(inside('article', ref('Article'))),
        ...body(inside('article', { type: 'object', properties: { title: { type: 'string' } } })),
      },
      delete: answer(inside('article', ref('Article'))),
    },
    '/tags': {
      post: {
        ...answer(inside('data', ref('Tag'), { success: { const: true } }), 201),
        ...body(inside('data', ref('Tag'))),
      },
    },
    '/tags/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: answer(inside('data', ref('Tag'), { success: { const: true } })),
    },
  },
  components: {
    schemas: {
      Article: {
        type: 'object',
        required: ['slug', 'title'],
        properties: {
          slug: { type: 'string' },
          title: { type: 'string' },
          text: { type: 'string' },
        },
      },
      NewArticle: {
        type: 'object',
        required: ['title'],
        properties: { title: { type: 'string' }, text: { type: 'string' } },
      },
      Tag: { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } },
    },
  },
};

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
  const described = Object.keys(flags).map((name) => [name, { type: 'boolean' }]);
  const schema = inside('article', ref('Article'), Object.fromEntries(described));
  const paths = {
    '/articles': blog.paths['/articles'],
    '/articles/{slug}': { ...blog.paths['/articles/{slug}'], get: answer(schema) },
  };
  const { call } = await serveDocument({ ...blog, paths }, { pets: 3 });
  const { json: list } = await call('/articles');
  const { json } = await call(`/articles/${list.articles[0].slug}`);
  expect(json).toMatchObject(flags);
});

it.each([
  ['itself, if it has an id of its own', { id: { type: 'integer' } }, ['id', 'data']],
  ['in it, if that alone has an id', { price: { type: 'integer' } }, ['id', 'name']],
])('takes an object for the item %s', (_, others, properties) => {
  const document = compile({
    openapi: '3.1.0',
    paths: {
      '/orders/{id}': { get: answer(inside('data', ref('Tag'), others)), delete: answer({}) },
    },
    components: blog.components,
  });
  const [found] = document.resources;
  expect(found && Object.keys(found.item.properties)).toEqual(properties);
});
