import { expect, it } from 'vitest';
import { startTwin } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const content = (schema: object) => ({ 'application/json': { schema } });
const operation = (schema: object, given: object = {}) => ({
  responses: { 200: { description: 'Done.', content: content(schema) } },
  ...given,
});
const taking = (name: string) => ({ requestBody: { content: content(ref(name)) } });
const named = (name: string, type: string) => ({
  parameters: [{ name, in: 'path', required: true, schema: { type } }],
});

/** What Swagger Petstore describes of pets, orders and users, in its form. */
const petstore = {
  openapi: '3.0.4',
  info: { title: 'Swagger Petstore', version: '1' },
  paths: {
    '/pet': {
      put: operation(ref('Pet'), taking('Pet')),
      post: operation(ref('Pet'), taking('Pet')),
    },
    '/pet/findByStatus': {
      get: operation(
        { type: 'array', items: ref('Pet') },
        { parameters: [{ name: 'status', in: 'query', schema: { type: 'string' } }] },
      ),
    },
    '/pet/findByTags': {
      get: operation(
        { type: 'array', items: ref('Pet') },
        {
          parameters: [
            { name: 'tags', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
          ],
        },
      ),
    },
    '/pet/{petId}': { get: operation(ref('Pet')), ...named('petId', 'integer') },
    '/store/order': { post: operation(ref('Order'), taking('Order')) },
    '/store/order/{orderId}': {
      get: operation(ref('Order')),
      delete: { responses: { 200: { description: 'Deleted.' } } },
      ...named('orderId', 'integer'),
    },
    '/user': { post: operation(ref('User'), taking('User')) },
    '/user/createWithList': {
      post: operation(ref('User'), {
        requestBody: { content: content({ type: 'array', items: ref('User') }) },
      }),
    },
    '/user/createWithArray': {
      post: {
        requestBody: { content: content({ type: 'array', items: ref('User') }) },
        responses: { default: { description: 'Done.' } },
      },
    },
    '/user/{username}': {
      get: operation(ref('User')),
      delete: { responses: { 200: { description: 'Deleted.' } } },
      ...named('username', 'string'),
    },
  },
  components: {
    schemas: {
      Pet: {
        required: ['name', 'photoUrls'],
        type: 'object',
        properties: {
          id: { type: 'integer', format: 'int64' },
          name: { type: 'string' },
          photoUrls: { type: 'array', items: { type: 'string' } },
          tags: { type: 'array', items: ref('Tag') },
          status: { type: 'string', enum: ['available', 'pending', 'sold'] },
        },
      },
      Tag: {
        type: 'object',
        properties: { id: { type: 'integer' }, name: { type: 'string' } },
      },
      Order: {
        type: 'object',
        properties: {
          id: { type: 'integer', format: 'int64', example: 10 },
          quantity: { type: 'integer' },
        },
      },
      User: {
        type: 'object',
        properties: {
          id: { type: 'integer', format: 'int64' },
          username: { type: 'string' },
          email: { type: 'string' },
        },
      },
    },
  },
};

async function serve() {
  const { api } = await startTwin({ spec: await writeJson(petstore), pets: 3 });
  return async (method: string, path: string, body?: unknown) => {
    const response = await fetch(api + path, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json' },
      }),
    });
    const text = await response.text();
    return { status: response.status, json: /^[[{]/.test(text) ? JSON.parse(text) : text };
  };
}

const rex = { name: 'Rex', photoUrls: ['https://example.com/rex.png'], status: 'sold' };

it('creates pets under the id in the body if it is free, else under the next one', async () => {
  const call = await serve();
  const created = await call('POST', '/pet', { ...rex, id: 70 });
  expect(created).toMatchObject({ status: 200, json: { ...rex, id: 70 } });
  expect(await call('GET', '/pet/70')).toMatchObject({ status: 200, json: rex });
  expect((await call('POST', '/pet', { ...rex, id: 70 })).json).toMatchObject({ id: 71 });
  expect((await call('POST', '/pet', { ...rex, id: 0 })).json).toMatchObject({ id: 72 });
  expect((await call('POST', '/pet', rex)).json).toMatchObject({ id: 73 });
});

it('replaces a pet by the id in the body, and finds it by its status', async () => {
  const call = await serve();
  await call('POST', '/pet', { ...rex, id: 70 });
  const replaced = await call('PUT', '/pet', { ...rex, id: 70, status: 'pending' });
  expect(replaced.status).toBe(200);
  const idsOf = async (status: string) =>
    (await call('GET', `/pet/findByStatus?status=${status}`)).json.map(
      ({ id }: { id: number }) => id,
    );
  expect(await idsOf('pending')).toContain(70);
  expect(await idsOf('sold')).not.toContain(70);
});

it('finds pets that have any of several tags', async () => {
  const call = await serve();
  for (const [name, ...tags] of [['Ada', 'red', 'old'], ['Bo', 'blue'], ['Cy']])
    await call('POST', '/pet', { ...rex, name, tags: tags.map((tag) => ({ name: tag })) });
  const namesOf = async (query: string) =>
    (await call('GET', `/pet/findByTags?${query}`)).json.map(({ name }: { name: string }) => name);
  expect(await namesOf('tags=red')).toEqual(['Ada']);
  expect(await namesOf('tags=old&tags=blue')).toEqual(['Ada', 'Bo']);
  expect(await namesOf('tags=none')).toEqual([]);
});

it('creates several users at once, or none of them', async () => {
  const call = await serve();
  const userOf = (username: string) => ({ username, email: `${username}@example.com` });
  const both = [userOf('ada'), userOf('bo')];
  expect(await call('POST', '/user/createWithList', both)).toMatchObject({
    status: 200,
    json: userOf('bo'),
  });
  expect((await call('GET', '/user/ada')).json).toMatchObject(userOf('ada'));
  expect(await call('POST', '/user/createWithArray', [userOf('cy')])).toMatchObject({
    status: 201,
    json: [userOf('cy')],
  });
  const taken = await call('POST', '/user/createWithArray', [userOf('di'), userOf('bo')]);
  expect(taken).toMatchObject({ status: 409, json: { code: 'id_taken' } });
  expect((await call('GET', '/user/di')).status).toBe(404);
  const unfit = await call('POST', '/user/createWithList', [userOf('di'), { username: 7 }]);
  expect(unfit.status).toBe(400);
  expect((await call('GET', '/user/di')).status).toBe(404);
});

it('keeps users by their names', async () => {
  const call = await serve();
  const user = { username: 'ada', email: 'ada@example.com' };
  expect((await call('POST', '/user', user)).status).toBeLessThan(300);
  expect(await call('GET', '/user/ada')).toMatchObject({ status: 200, json: user });
  await call('DELETE', '/user/ada');
  expect((await call('GET', '/user/ada')).status).toBe(404);
});

it('takes the id of an order, which the document shows', async () => {
  const call = await serve();
  expect((await call('POST', '/store/order', { id: 10, quantity: 2 })).json).toMatchObject({
    id: 10,
  });
  expect((await call('GET', '/store/order/10')).json).toMatchObject({ quantity: 2 });
});
