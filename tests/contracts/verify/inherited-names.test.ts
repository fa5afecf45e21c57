import { expect, it, onTestFinished } from 'vitest';
import { createTwin } from '../../../package/twin.ts';
import { verify } from '../../../package/verify.ts';
import { jsonOf, pathParameter, toDocument } from '../../support/serve-document.ts';
import { writeJson } from '../../support/write-json.ts';

const text = { type: 'string' };
const names = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf'];
const Thing = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer', readOnly: true },
    name: text,
    ...Object.fromEntries(names.map((name) => [name, text])),
  },
};

it('tells properties of items from those that all objects have', async () => {
  const list = jsonOf({ type: 'array', items: Thing });
  const spec = await writeJson(
    toDocument({
      '/things': {
        get: { responses: { 200: list } },
        post: { requestBody: jsonOf(Thing), responses: { 201: jsonOf(Thing), 400: jsonOf({}) } },
      },
      '/things/{id}': {
        parameters: [pathParameter('id')],
        get: { responses: { 200: jsonOf(Thing), 404: jsonOf({}) } },
        put: { requestBody: jsonOf(Thing), responses: { 200: jsonOf(Thing), 404: jsonOf({}) } },
        patch: { requestBody: jsonOf(Thing), responses: { 200: jsonOf(Thing), 404: jsonOf({}) } },
        delete: { responses: { 204: { description: 'Gone.' }, 404: jsonOf({}) } },
      },
    }),
  );
  const twin = await createTwin({ spec });
  onTestFinished(() => twin.close());
  for (const body of [{ name: 'a' }, { name: 'b', constructor: 'x', toString: 'y' }])
    await fetch(`${twin.url}/things`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const target = { url: twin.url, keys: [] };
  const { defects, findings } = await verify({ target, spec, allowWrites: true });
  expect([defects, findings]).toEqual([[], []]);
});
