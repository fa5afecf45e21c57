import { expect, it } from 'vitest';
import { startTwin } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

const text = { type: 'string' };
const object = (properties: object) => ({ type: 'object', properties });
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const answer = (schema: object) => ({ description: 'Done.', ...json(schema) });
const of = (name: string) => ({ name, in: 'path', required: true, schema: text });
const id = of('id');

const hook = object({ id: text, site_id: text, url: text });
const key = object({ id: text, public_key: text, note: text });
const variable = object({ key: text, value: text });
const pod = object({
  id: text,
  status: { enum: ['active', 'suspended'] },
  locked: { type: 'boolean' },
});
const nothing = { description: 'Done.' };

/** What is set by the query, by the service alone, by a list, and by actions that show nothing. */
const spec = {
  openapi: '3.1.0',
  info: { title: 'Sites', version: '1' },
  paths: {
    '/hooks': {
      parameters: [{ name: 'site_id', in: 'query', schema: text }],
      get: { responses: { 200: answer({ type: 'array', items: hook }) } },
      post: { requestBody: json(object({ url: text })), responses: { 201: answer(hook) } },
    },
    '/hooks/{id}': {
      parameters: [id],
      get: { responses: { 200: answer(hook) } },
      delete: { responses: { 200: answer(object({ deleted_hook_id: text })) } },
    },
    '/keys': {
      get: { responses: { 200: answer({ type: 'array', items: key }) } },
      post: { responses: { 201: answer(key) } },
    },
    '/keys/{id}': { parameters: [id], get: { responses: { 200: answer(key) } } },
    '/env': {
      get: { responses: { 200: answer({ type: 'array', items: variable }) } },
      post: {
        requestBody: json({ type: 'array', items: variable }),
        responses: { 201: answer({ type: 'array', items: variable }) },
      },
    },
    '/env/{key}': { parameters: [of('key')], get: { responses: { 200: answer(variable) } } },
    '/pods': { post: { requestBody: json(pod), responses: { 201: answer(pod) } } },
    '/pods/{id}': { parameters: [id], get: { responses: { 200: answer(pod) } } },
    '/pods/{id}/lifecycle/suspend': { parameters: [id], post: { responses: { 200: nothing } } },
    '/pods/{id}/lock': {
      parameters: [id],
      put: { responses: { 204: nothing } },
      delete: { responses: { 204: nothing } },
    },
    '/pods/{id}/lifecycle/wake': { parameters: [id], post: { responses: { 200: nothing } } },
  },
};

async function serve() {
  const { api, document } = await startTwin({ spec: await writeJson(spec), pets: 2 });
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { 'Content-Type': 'application/json' };
    const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
    const response = await fetch(api + path, { method, ...sent });
    const answered = await response.text();
    return answered === '' ? response.status : JSON.parse(answered);
  };
  return { call, document };
}

it('stores what the query of a create says of the item', async () => {
  const { call } = await serve();
  const made = await call('POST', '/hooks?site_id=s7', { url: 'https://example.com' });
  expect(made).toMatchObject({ site_id: 's7', url: 'https://example.com' });
  expect(await call('GET', '/hooks?site_id=s7')).toEqual([made]);
});

it('answers a delete with the id of what it deleted', async () => {
  const { call } = await serve();
  const { id } = await call('POST', '/hooks', { url: 'https://example.com' });
  expect(await call('DELETE', `/hooks/${id}`)).toEqual({ deleted_hook_id: id });
});

it('makes all of an item that is created without a body', async () => {
  const { call } = await serve();
  const made = await call('POST', '/keys');
  expect(made).toEqual({ id: '3', public_key: expect.any(String), note: expect.any(String) });
  expect(await call('GET', '/keys')).toContainEqual(made);
});

it('lets a list of new items choose their ids', async () => {
  const { call } = await serve();
  const token = { key: 'TOKEN', value: 'secret' };
  expect(await call('POST', '/env', [token])).toEqual([token]);
  expect(await call('GET', '/env/TOKEN')).toEqual(token);
});

it('sets what an action does that answers with nothing', async () => {
  const { call, document } = await serve();
  const { id } = await call('POST', '/pods', { status: 'active', locked: false });
  expect(await call('POST', `/pods/${id}/lifecycle/suspend`)).toBe(200);
  expect(await call('PUT', `/pods/${id}/lock`)).toBe(204);
  expect(await call('GET', `/pods/${id}`)).toMatchObject({ status: 'suspended', locked: true });
  expect(await call('DELETE', `/pods/${id}/lock`)).toBe(204);
  expect(await call('GET', `/pods/${id}`)).toMatchObject({ locked: false });
  expect(await call('POST', '/pods/99/lock')).toMatchObject({ status: 405 });
  const wake = document.operations.find(({ path }) => path.endsWith('/wake'));
  expect(wake?.actsOn).toBeUndefined();
});
