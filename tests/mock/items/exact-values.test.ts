import { expect, it } from 'vitest';
import { crudDocument, objectOf, ownId, ref } from '../../support/crud-document.ts';
import { serveDocument } from '../../support/serve-document.ts';
import { writeText } from '../../support/write-json.ts';

const large = {
  fixed: '175928847299117063',
  least: '9007199254740993',
  most: '9223372036854775807',
};

/** Serves a document that has these integers, which no double holds, where it has their names. */
async function serve(properties: object) {
  const item = objectOf({ id: ownId, ...properties }, { required: Object.keys(properties) });
  const body = objectOf(properties);
  const schemas = { Thing: item, NewThing: body };
  const document = JSON.stringify(crudDocument(ref('Thing'), { schemas, body: ref('NewThing') }));
  const text = Object.entries(large).reduce(
    (all, [name, digits]) => all.replaceAll(`"=${name}"`, digits),
    document,
  );
  return serveDocument(await writeText(text, 'large.json'));
}

const post = (body: string) => ({
  method: 'POST',
  body,
  headers: { 'Content-Type': 'application/json' },
});

const seeded = { headers: { Prefer: 'seed=5' } };

it.each([
  ['default', { type: 'integer', format: 'int64', default: '=fixed' }, ['created']],
  ['example', { type: 'integer', readOnly: true, examples: ['=fixed'] }, ['created']],
  ['enum', { enum: ['=fixed'] }, ['seed', 'made', 'created']],
  ['const', { const: '=fixed' }, ['seed', 'made', 'created']],
  ['part', objectOf({ b: { const: '=fixed' } }, { required: ['b'] }), ['seed', 'made', 'created']],
])('shows a %s to the digit', async (_, schema, where) => {
  const { call } = await serve({ a: schema });
  const texts: Record<string, string> = {
    seed: (await call('/things/1')).text,
    made: (await call('/things/1', seeded)).text,
    created: (await call('/things', post('{}'))).text,
  };
  for (const one of where) expect(texts[one], one).toMatch(/"a":(\{"b":)?175928847299117063\b/);
});

it('holds integers to bounds that no double holds', async () => {
  const { call } = await serve({ a: { type: 'integer', minimum: '=least', maximum: '=most' } });
  for (const digits of [large.least, large.most])
    expect((await call('/things', post(`{"a":${digits}}`))).status).toBe(201);
  const { json } = await call('/things', post('{"a":9007199254740992}'));
  expect(json.message).toContain('"a" must be at least 9007199254740993');
  expect((await call('/things', post('{"a":9223372036854775808}'))).status).toBe(400);
});
