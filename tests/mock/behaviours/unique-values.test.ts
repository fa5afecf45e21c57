import { expect, it, onTestFinished } from 'vitest';
import { describeWithRedis, openRedis } from '../../support/redis-server.ts';
import {
  jsonOf,
  type ServedDocument,
  serveDocument,
  toDocument,
} from '../../support/serve-document.ts';
import { makeFolder } from '../../support/watching.ts';

const id = { type: 'integer', readOnly: true };
const text = { type: 'string' };
const slug = { type: 'string', 'x-unique': true };
const post = { type: 'object', required: ['slug'], properties: { id, slug, title: text } };
const userPost = { ...post, properties: { ...post.properties, userId: { type: 'integer' } } };
const user = { type: 'object', properties: { id, name: text } };
const item = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'integer' } });
const errors = {
  type: 'object',
  properties: {
    errors: { type: 'array', items: { type: 'object', properties: { pointer: text } } },
  },
};
const listOf = (schema: object) => ({
  responses: { 200: jsonOf({ type: 'array', items: schema }) },
});
const create = (schema: object, body = schema) => ({
  requestBody: jsonOf(body),
  responses: { 201: jsonOf(schema), 409: jsonOf(errors) },
});

/** Posts, with all that changes them; of a body, `held` is what holds the fields. */
function pathsOf(schema: object, held: (inner: object) => object = (inner) => inner) {
  const body = held(schema);
  const one = { responses: { 200: jsonOf(body), 409: jsonOf(errors), 404: jsonOf(errors) } };
  return {
    '/posts': { get: listOf(schema), post: create(body) },
    '/posts/bulk': { post: create({ type: 'array', items: schema }) },
    '/posts/{postId}': {
      parameters: [item('postId')],
      get: one,
      put: { requestBody: jsonOf(body), ...one },
      patch: {
        requestBody: { content: { 'application/json-patch+json': { schema: { type: 'array' } } } },
        ...one,
      },
    },
  };
}

const send = (method: string, value: unknown, type = 'application/json') => ({
  method,
  body: JSON.stringify(value),
  headers: { 'Content-Type': type },
});
const patch = (...operations: object[]) => send('PATCH', operations, 'application/json-patch+json');
const pointersOf = ({ json }: { json: { errors: { pointer: string }[] } }) =>
  json.errors.map(({ pointer }) => pointer);

it('says where a body has the value that is taken', async () => {
  const { call } = await serveDocument(toDocument(pathsOf(post)), { pets: 0 });
  await call('/posts', send('POST', { slug: 'a' }));
  await call('/posts', send('POST', { slug: 'b', title: 'a' }));
  const refused = [
    await call('/posts', send('POST', { slug: 'a' })),
    await call('/posts/bulk', send('POST', [{ slug: 'c' }, { slug: 'a' }])),
    await call('/posts/bulk', send('POST', [{ slug: 'c' }, { slug: 'c' }])),
    await call('/posts/2', patch({ op: 'replace', path: '/slug', value: 'a' })),
    await call('/posts/2', patch({ op: 'copy', from: '/title', path: '/slug' })),
  ];
  expect(refused.map(({ status }) => status)).toEqual([409, 409, 409, 409, 409]);
  expect(refused.map(pointersOf)).toEqual([
    ['/slug'],
    ['/1/slug'],
    ['/1/slug'],
    ['/slug'],
    ['/slug'],
  ]);
  expect((await call('/posts')).json).toMatchObject([{ slug: 'a' }, { slug: 'b' }]);
});

it('names the place in the whole body where a property of it holds the fields', async () => {
  const held = (inner: object) => ({
    type: 'object',
    required: ['post'],
    properties: { post: inner },
  });
  const { call } = await serveDocument(toDocument(pathsOf(post, held)), { pets: 0 });
  await call('/posts', send('POST', { post: { slug: 'a' } }));
  expect(pointersOf(await call('/posts', send('POST', { post: { slug: 'a' } })))).toEqual([
    '/post/slug',
  ]);
});

it('says that an item is not there before it says that a value is taken', async () => {
  const { call } = await serveDocument(toDocument(pathsOf(post)), { pets: 0 });
  await call('/posts', send('POST', { slug: 'a' }));
  expect((await call('/posts/9', send('PUT', { slug: 'a' }))).status).toBe(404);
  expect((await call('/posts/01', send('PUT', { slug: 'a' }))).status).toBe(404);
  expect((await call('/posts/1', send('PUT', { slug: 'a' }))).status).toBe(200);
});

it('lets items below different parents have the same, but not those that a path only shows', async () => {
  const users = {
    '/users': { get: listOf(user), post: create(user) },
    '/users/{userId}': { parameters: [item('userId')], get: { responses: { 200: jsonOf(user) } } },
  };
  const below = (schema: object) => ({
    parameters: [item('userId')],
    get: listOf(schema),
    post: create(schema),
  });
  const nested = await serveDocument(
    toDocument({ ...users, '/users/{userId}/posts': below(post) }),
  );
  const shown = await serveDocument(
    toDocument({ ...users, ...pathsOf(userPost), '/users/{userId}/posts': below(userPost) }),
  );
  const add = async ({ call }: ServedDocument, userId: number) =>
    (await call(`/users/${userId}/posts`, send('POST', { slug: 'same' }))).status;
  expect([await add(nested, 1), await add(nested, 2), await add(nested, 1)]).toEqual([
    201, 201, 409,
  ]);
  expect([await add(shown, 1), await add(shown, 2)]).toEqual([201, 409]);
});

/** Labels, each with a name that a PATCH may change, and a code that no other has. */
const label = {
  type: 'object',
  required: ['name'],
  properties: { name: text, code: slug, size: { type: 'integer' } },
};
const rename = { type: 'object', properties: { ...label.properties, new_name: text } };
const named = (name: string) => ({ name, in: 'path', required: true, schema: text });
const labelsAt = (path: string, ...above: object[]) => ({
  [path]: { parameters: above, get: listOf(label), post: create(label) },
  [`${path}/{name}`]: {
    parameters: [...above, named('name')],
    get: { responses: { 200: jsonOf(label) } },
    patch: { requestBody: jsonOf(rename), responses: { 200: jsonOf(label), 409: jsonOf(errors) } },
  },
});

it.each(['/labels', '/orgs/acme/labels'])(
  'renames an item of %s that has such a value, all at one moment or not at all',
  async (path) => {
    const { send } = await serveDocument(
      toDocument({ ...labelsAt('/labels'), ...labelsAt('/orgs/{org}/labels', named('org')) }),
      { pets: 0 },
    );
    await send('POST', '/orgs/other/labels', { name: 'bug', code: 'x' });
    for (const name of ['ann', 'bob', 'cy']) await send('POST', path, { name, code: name });
    const anna = { name: 'anna', code: 'ann', size: 5 };
    const renamed = { status: 200, json: anna };
    expect(await send('PATCH', `${path}/ann`, { new_name: 'anna', size: 5 })).toEqual(renamed);
    expect((await send('GET', `${path}/ann`)).status).toBe(404);
    for (const taken of [{ new_name: 'bob' }, { new_name: 'dan', code: 'bob' }])
      expect((await send('PATCH', `${path}/anna`, { ...taken, size: 6 })).status).toBe(409);
    for (const new_name of ['bob', 'dan'])
      expect((await send('PATCH', `${path}/missing`, { new_name })).status).toBe(404);
    expect(await send('GET', `${path}/anna`)).toEqual(renamed);
    const both = ['bob', 'cy'].map((name) =>
      send('PATCH', `${path}/${name}`, { new_name: 'eve', size: 7 }),
    );
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([200, 409]);
    const { json } = await send('GET', path);
    expect(json.map(({ name, size }: typeof anna) => [name, size]).sort()).toEqual([
      ['anna', 5],
      [expect.stringMatching(/^(bob|cy)$/), undefined],
      ['eve', 7],
    ]);
  },
);

it('gives no item the id of one that is not to be seen at its path', async () => {
  const org = { responses: { 200: jsonOf(label) } };
  const labels = { parameters: [named('org')], get: listOf(label) };
  const paths = {
    '/orgs': { get: listOf(label) },
    '/orgs/{org}': { parameters: [named('org')], get: org },
    ...{ ...labelsAt('/orgs/{org}/labels', named('org')), '/orgs/{org}/labels': labels },
  };
  const { send } = await serveDocument(toDocument(paths), { pets: 20 });
  const at = (number: number) => `/orgs/org-${number}/labels`;
  const [{ json: first }, { json: second }] = [await send('GET', at(1)), await send('GET', at(2))];
  const own = first[0].name;
  const body = { new_name: second[0].name, size: 5 };
  expect(await send('PATCH', `${at(1)}/${own}`, body)).toMatchObject({
    status: 409,
    json: { errors: [{ pointer: '/new_name' }] },
  });
  expect([(await send('GET', at(1))).json, (await send('GET', at(2))).json]).toEqual([
    first,
    second,
  ]);
});

/** How many of some creates of the same value succeed that are sent to these at the same time. */
async function countCreated(twins: readonly ServedDocument[], slug: string): Promise<number> {
  const calls = Array.from({ length: 4 }, () => twins).flat();
  const all = await Promise.all(calls.map(({ call }) => call('/posts', send('POST', { slug }))));
  return all.filter(({ status }) => status === 201).length;
}

it('takes one of several creates at the same time with a store in a file', async () => {
  const folder = await makeFolder();
  const served = await serveDocument(toDocument(pathsOf(post)), {
    store: `sqlite:${folder}/twin.db`,
  });
  for (const slug of ['a', 'b', 'c']) expect(await countCreated([served], slug)).toBe(1);
});

describeWithRedis('unique values on one Redis', () => {
  it('are given once by all processes together', async () => {
    const server = await openRedis();
    onTestFinished(() => server.close());
    const start = () => serveDocument(toDocument(pathsOf(post)), { store: server.url });
    const twins = await Promise.all([start(), start()]);
    for (const slug of ['a', 'b', 'c']) expect(await countCreated(twins, slug)).toBe(1);
  });
});
