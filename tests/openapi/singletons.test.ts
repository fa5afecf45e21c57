import { expect, it } from 'vitest';
import { compile } from '../../openapi/index.ts';
import { documentOf } from '../support/document-of.ts';

const schemas = {
  Labels: { type: 'object', additionalProperties: { type: 'string' } },
  Changes: { type: 'object', additionalProperties: { type: ['string', 'null'] } },
  Counts: { type: 'object', additionalProperties: { type: 'integer' }, maxProperties: 9 },
};

it.each<[lines: string, found: object]>([
  ['GET /me -> { name }', {}],
  ['GET /me -> { name }\nPUT /me { name } -> { name }', { me: ['read', 'replace'] }],
  ['GET /me -> { name }\nPATCH /me { name } -> { name }', { me: ['read', 'update'] }],
  ['GET /me -> { name }\nPOST /me { name } -> { name }', { me: ['read', 'create'] }],
  [
    'GET /me -> { name }\nPUT /me { name } -> 204\nDELETE /me -> 204',
    { me: ['read', 'replace', 'delete'] },
  ],
  ['GET /labels -> Labels\nPUT /labels Labels -> Labels', { labels: ['read', 'replace'] }],
  ['GET /counts -> Counts\nPATCH /counts Counts -> 204', { counts: ['read', 'update'] }],
  ['GET /labels -> Labels\nPATCH /labels Changes -> Labels', { labels: ['read', 'update'] }],
  ['GET /labels -> Labels\nPUT /labels Counts -> Labels', {}],
  ['GET /me -> { name }\nPUT /you { name } -> { name }', {}],
  ['GET /me -> { name }\nPUT /me -> { name }', {}],
  ['GET /me -> { name }\nPUT /me [{ name }] -> { name }', {}],
  ['GET /me -> { name }\nPUT /me { size: int } -> { name }', {}],
  ['GET /{id} -> { name }\nPUT /{id} { name } -> { name }', {}],
  [
    'GET /pets/{id}/star -> 204, 404\nPUT /pets/{id}/star -> 204\nDELETE /pets/{id}/star -> 204',
    { 'pets/{id}/star': ['read', 'replace', 'delete'] },
  ],
  ['GET /pets/{id}/star -> 204, 404\nPUT /pets/{id}/star -> 204', {}],
])('finds the single objects of %j', (lines, found) => {
  const { singletons } = compile(documentOf(lines, schemas));
  const shown = singletons.map(({ name, operations }) => [name, Object.keys(operations)]);
  expect(Object.fromEntries(shown)).toEqual(found);
});

it('ties a single object to the item that its path names', () => {
  const { singletons } = compile(
    documentOf(`
      GET /users -> [{ id!: int, name }]
      GET /users/{userId} -> { id!: int, name }
      GET /users/{userId}/profile -> { text }
      PUT /users/{userId}/profile { text } -> { text }
      GET /me -> { text }
      PUT /me { text } -> { text }
    `),
  );
  expect(singletons.map(({ name, scope }) => [name, scope?.map(({ parent }) => parent)])).toEqual([
    ['users/{userId}/profile', ['users']],
    ['me', undefined],
  ]);
});
