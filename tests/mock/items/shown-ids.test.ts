import { expect, it } from 'vitest';
import { jsonOf, pathParameter, toDocument } from '../../support/serve-document.ts';
import { startTwin } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

const text = { type: 'string' };
const answer = (schema: object, status = 200) => ({
  [status]: jsonOf(schema),
});
const thing = (id: object) => ({ type: 'object', properties: { id, name: text } });
const parameter = (name: string, schema: object, example?: unknown) => ({
  ...pathParameter(name, schema),
  ...(example !== undefined && { example }),
});

async function toJson(response: Response) {
  const sent = await response.text();
  return sent === '' ? undefined : JSON.parse(sent);
}

/** A call of a twin of droplets with records, whose ids have a schema and examples. */
async function serve(id: object, ...examples: unknown[]) {
  const items = thing(id);
  const list = { type: 'array', items };
  const spec = await writeJson(
    toDocument({
      '/droplets': {
        get: { responses: answer(list) },
        post: {
          requestBody: jsonOf({ properties: { name: text } }),
          responses: answer(items, 201),
        },
      },
      '/droplets/{droplet}': {
        get: { parameters: [parameter('droplet', id, examples[0])], responses: answer(items) },
        delete: {
          parameters: [parameter('droplet', id, examples[1])],
          responses: { 204: { description: 'Gone.' } },
        },
      },
      '/droplets/{droplet}/records': {
        parameters: [parameter('droplet', id, examples[0])],
        get: { responses: answer(list) },
      },
      '/droplets/{droplet}/records/{record}': {
        parameters: [parameter('droplet', id, examples[0]), parameter('record', id, examples[1])],
        get: { responses: answer(items) },
      },
    }),
  );
  const { api } = await startTwin({ spec, pets: 3 });
  return async (method: string, path: string, body?: object) => {
    const headers = { 'Content-Type': 'application/json' };
    const sent = body && { headers, body: JSON.stringify(body) };
    const response = await fetch(api + path, { method, ...sent });
    return { status: response.status, json: await toJson(response) };
  };
}

it.each([
  ['numbers', { type: 'integer' }, 3_164_444, 512_189],
  ['texts', text, 'card_oubs0hwk5rn6', 'card_nested'],
  ['UUIDs', { type: 'string', format: 'uuid' }, 'bb4b2611-3d72-467b-8602-280330ecd65c', undefined],
])('holds the items that examples of paths name by %s', async (_, id, first, second) => {
  const call = await serve(id, first, second);
  expect((await call('GET', `/droplets/${first}`)).json).toMatchObject({ id: first });
  expect((await call('GET', '/droplets')).json).toHaveLength(3);
  if (second === undefined) return;
  const nested = await call('GET', `/droplets/${first}/records/${second}`);
  expect(nested).toMatchObject({ status: 200, json: { id: second } });
  expect((await call('DELETE', `/droplets/${second}`)).status).toBe(204);
});

it('counts on from the greatest number that an example shows', async () => {
  const call = await serve({ type: 'integer' }, 3_164_444);
  expect((await call('POST', '/droplets', { name: 'new' })).json.id).toBe(3_164_445);
});

it('counts from the number of items where an example shows one that is hardly ever reached', async () => {
  const call = await serve({ type: 'integer' }, 99_999_999_999_999);
  expect((await call('GET', '/droplets/99999999999999')).status).toBe(200);
  expect((await call('POST', '/droplets', { name: 'new' })).json.id).toBe(4);
});

it.each([
  ['is among the first numbers', { type: 'integer' }, 2],
  ['does not fit the schema', { type: 'integer', maximum: 1_000_000 }, 'many'],
])('counts ids from 1 where the example %s', async (_, id, example) => {
  const call = await serve(id, example);
  const ids = (await call('GET', '/droplets')).json.map((one: { id: number }) => one.id);
  expect(ids).toEqual([1, 2, 3]);
});
