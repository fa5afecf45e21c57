import { expect, it } from 'vitest';
import { jsonOf, pathParameter, serveDocument, toDocument } from '../../support/serve-document.ts';

const text = { type: 'string' };
const id = { type: 'integer', readOnly: true };

/** Serves a collection whose items are of a schema, and gives what patches the one that it creates. */
async function servePatches(schema: object, components: object = {}) {
  const content = Object.fromEntries(
    ['application/merge-patch+json', 'application/json-patch+json'].map((type) => [type, {}]),
  );
  const { send } = await serveDocument(
    toDocument(
      {
        '/r': {
          get: { responses: { 200: jsonOf({ type: 'array', items: schema }) } },
          post: { requestBody: jsonOf(schema), responses: { 201: jsonOf(schema) } },
        },
        '/r/{id}': {
          parameters: [pathParameter('id')],
          get: { responses: { 200: jsonOf(schema) } },
          patch: { requestBody: { content }, responses: { 200: jsonOf(schema) } },
        },
      },
      { components: { schemas: components } },
    ),
  );
  return async (begin: object, patch: unknown) => {
    const { json: made } = await send('POST', '/r', begin);
    const kind = Array.isArray(patch) ? 'json-patch' : 'merge-patch';
    const patched = await send('PATCH', `/r/${made.id}`, patch, `application/${kind}+json`);
    return { ...patched, now: (await send('GET', `/r/${made.id}`)).json };
  };
}

const of = (properties: object, more: object = {}) => ({
  type: 'object',
  required: ['id'],
  properties: { id, ...properties },
  ...more,
});
const either = of({ e: text, p: text }, { oneOf: [{ required: ['e'] }, { required: ['p'] }] });

it.each([
  [either, { e: 'x' }, { p: 'y' }],
  [either, { e: 'x' }, { e: null }],
  [either, { e: 'x' }, [{ op: 'add', path: '/p', value: 'y' }]],
  [of({ a: text, b: text }, { not: { required: ['a', 'b'] } }), { a: 'x' }, { b: 'y' }],
  [of({ a: text, b: text }, { dependentRequired: { a: ['b'] } }), { b: 'x' }, { a: 'y', b: null }],
  [
    of(
      { k: text, y: text },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      { if: { properties: { k: { const: 'b' } } }, then: { required: ['y'] } },
    ),
    { k: 'a' },
    { k: 'b' },
  ],
])(
  'changes nothing where %j would no longer fit: %j, patched by %j',
  async (schema, begin, patch) => {
    const patchOne = await servePatches(schema);
    const { status, now } = await patchOne(begin, patch);
    expect(status).toBe(400);
    expect(now).toEqual({ id: now.id, ...begin });
  },
);

it('takes a patch that fits the whole', async () => {
  const patchOne = await servePatches(either);
  expect(await patchOne({ e: 'x' }, { e: null, p: 'y' })).toMatchObject({
    status: 200,
    now: { p: 'y' },
  });
});

const Cat = of(
  { kind: { const: 'cat' }, claws: { type: 'integer' }, mood: { ...text, readOnly: true } },
  { required: ['id', 'kind', 'claws', 'mood'] },
);
const Dog = of(
  { kind: { const: 'dog' }, tail: { type: 'boolean' }, bark: { ...text, default: 'woof' } },
  { required: ['id', 'kind', 'tail'] },
);

it('makes of an item another kind with what that has, and without what only the first had', async () => {
  const patchOne = await servePatches({ oneOf: [Cat, Dog] });
  const { status, json } = await patchOne({ kind: 'dog', tail: true }, { kind: 'cat', claws: 3 });
  expect([status, json]).toEqual([
    200,
    { id: json.id, kind: 'cat', claws: 3, mood: expect.any(String) },
  ]);
  const wrong = await patchOne({ kind: 'dog', tail: true }, { kind: 'cat', claws: 'many' });
  expect([wrong.status, wrong.now.kind]).toEqual([400, 'dog']);
});
