import { expect, it } from 'vitest';
import {
  createFindMisfit,
  crudDocument,
  objectOf,
  ownId,
  ref,
  text,
  whole,
} from '../../support/crud-document.ts';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

const price = { type: 'number' };
const lone = (more: object) => objectOf({ id: ownId }, more);
const one = (a: object) => objectOf({ id: ownId, a }, { required: ['a'] });
const ifThen = (property: string, value: unknown, then: object) => ({
  if: { properties: { [property]: { const: value } }, required: [property] },
  then,
});
const kind = { enum: ['card', 'cash', 'gift'] };
const never = { not: { required: ['card'] } };

const items = {
  'a property that only others describe': lone({
    required: ['price'],
    additionalProperties: price,
  }),
  'one that a pattern describes': lone({
    required: ['price'],
    patternProperties: { '^pr': price },
  }),
  'one that is left to describe': lone({ required: ['price'], unevaluatedProperties: price }),
  'more properties than have names': lone({ minProperties: 3, additionalProperties: text }),
  'a value of no text': one({ not: text }),
  'a value of two types but one': one({
    type: ['string', 'integer', 'array'],
    not: { type: 'string' },
  }),
  'items that are left to describe': one({
    type: 'array',
    prefixItems: [text],
    unevaluatedItems: { type: 'boolean' },
    minItems: 3,
  }),
  'conditions that ask for and forbid a property': objectOf(
    { id: ownId, kind, card: text },
    {
      required: ['kind'],
      allOf: [
        ifThen('kind', 'card', { required: ['card'] }),
        ifThen('kind', 'cash', never),
        ifThen('kind', 'gift', { properties: { card: false } }),
      ],
    },
  ),
  'conditions that contradict each other': objectOf(
    { id: ownId, t: { enum: ['s', 'l'] }, n: whole },
    {
      required: ['t', 'n'],
      allOf: [
        ifThen('t', 's', { properties: { n: { maximum: 0 } } }),
        ifThen('t', 'l', { properties: { n: { minimum: 90 } } }),
      ],
    },
  ),
  'a reference back to a group': one({ type: 'string', pattern: '^(\\d{2})-\\1$' }),
  'a reference back to a name': one({ type: 'string', pattern: '^(?<x>[ab]c+)(.)\\k<x>\\2$' }),
};

it.each(Object.entries(items))('begins with, and makes, items with %s', async (_, item) => {
  const document = crudDocument(ref('Thing'), { schemas: { Thing: item } });
  const { call } = await serveDocument(document, { pets: 8 });
  const find = createFindMisfit(document);
  for (const headers of [{}, { Prefer: 'seed=5' }]) {
    const { json } = await call('/things', { headers });
    expect(json.length).toBeGreaterThan(0);
    expect(json.flatMap((made: unknown) => find(item, made) ?? [])).toEqual([]);
  }
});

it('makes base64 of texts with this content encoding', async () => {
  const item = one({ type: 'string', contentEncoding: 'base64' });
  const { call } = await serveDocument(crudDocument(ref('Thing'), { schemas: { Thing: item } }));
  const { json } = await call('/things');
  for (const { a } of json) expect(Buffer.from(a, 'base64').toString('base64')).toBe(a);
});

it('fits seeds to what answers say of other properties, where one has several types', async () => {
  const { send } = await serveDocument(
    documentOf(
      `GET /issues -> [Brief]
       GET /issues/{id} -> Issue`,
      {
        Brief: '{ id!: int, owner!: { name! }, stats!: { *: any } }',
        Issue: '{ id!: int, owner!: [text], stats!: { *: [int] } }',
      },
    ),
  );
  const { json } = await send('GET', '/issues/1');
  expect(Object.values(json.stats).flat()).toEqual([expect.any(Number)]);
});
