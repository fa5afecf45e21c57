import { expect, it } from 'vitest';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

/** Serves a collection whose items are of a schema, and gives what patches the one that it creates. */
async function servePatches(schema: object) {
  const content = Object.fromEntries(
    ['application/merge-patch+json', 'application/json-patch+json'].map((type) => [type, {}]),
  );
  const { send } = await serveDocument(
    documentOf(
      `
      GET /r -> [Item]
      POST /r Item -> 201 Item
      GET /r/{id} -> Item
      PATCH /r/{id} -> Item
      `,
      { Item: schema },
      { operations: { 'PATCH /r/{id}': { requestBody: { content } } } },
    ),
  );
  return async (begin: object, patch: unknown) => {
    const { json: made } = await send('POST', '/r', begin);
    const kind = Array.isArray(patch) ? 'json-patch' : 'merge-patch';
    const patched = await send('PATCH', `/r/${made.id}`, patch, `application/${kind}+json`);
    return { ...patched, now: (await send('GET', `/r/${made.id}`)).json };
  };
}

const of = (fields: string, more: object = {}) => ({
  ...schemaOf(`{ readonly id!: int, ${fields} }`),
  ...more,
});
const either = of('e, p', { oneOf: [{ required: ['e'] }, { required: ['p'] }] });

it.each([
  [either, { e: 'x' }, { p: 'y' }],
  [either, { e: 'x' }, { e: null }],
  [either, { e: 'x' }, [{ op: 'add', path: '/p', value: 'y' }]],
  [of('a, b', { not: { required: ['a', 'b'] } }), { a: 'x' }, { b: 'y' }],
  [of('a, b', { dependentRequired: { a: ['b'] } }), { b: 'x' }, { a: 'y', b: null }],
  [
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    of('k, y', { if: { properties: { k: { const: 'b' } } }, then: { required: ['y'] } }),
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

const Cat = of('kind!: "cat", claws!: int, readonly mood!');
const { properties, ...dog } = of('kind!: "dog", tail!: bool');
const bark = { type: 'string', default: 'woof' };
const Dog = { ...dog, properties: { ...properties, bark } };

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
