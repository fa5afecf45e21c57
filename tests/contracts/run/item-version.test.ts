import { expect, it } from 'vitest';
import type { Case } from '../../../contracts/cases/case.ts';
import { withVersion } from '../../../contracts/run/item-version.ts';
import type { Exchange } from '../../../contracts/transcript/exchange.ts';
import { compile } from '../../../openapi/index.ts';
import { documentOf } from '../../support/document-of.ts';

const { operations } = compile(
  documentOf(`
    create: POST /docs?title!&rev:int Doc! -> 201 Doc
    read: GET /docs/{id} -> Doc
    replace: PUT /docs/{id}?rev!:int&note Doc! -> Doc
    remove: DELETE /docs/{id}?rev!:int -> 204
    Doc: { readonly id!: int, title!, note, _rev: int }
  `),
);

function callOf(id: string, kind = 'call'): Case {
  const operation = operations.find((one) => one.id === id);
  return { operation, purpose: { kind } } as unknown as Case;
}

function shown(id: string, path: string, json: object): Exchange {
  return { case: callOf(id), request: { path }, response: { status: 200, json } } as Exchange;
}

const seen = [
  shown('create', '/docs', { id: 1, title: 'one', _rev: 1 }),
  shown('read', '/docs/1', { id: 1, title: 'one', note: 'n', _rev: 4 }),
  shown('replace', '/docs/1', { id: 1, title: 'two' }),
  shown('read', '/docs/2', { id: 2, title: 'other', _rev: 9 }),
];

it.each([
  ['remove', '/docs/1?rev=1', '/docs/1?rev=4'],
  ['replace', '/docs/1?note=a%20b&rev=1&key=$KEY', '/docs/1?note=a%20b&rev=4&key=$KEY'],
  ['remove', '/docs/3?rev=1', '/docs/3?rev=1'],
  ['remove', '/docs/1', '/docs/1'],
  ['create', '/docs?title=new', '/docs?title=new'],
])('has %s at %s ask for %s', (id, path, asked) => {
  expect(withVersion(seen, callOf(id), path)).toBe(asked);
});

it('leaves fuzzed parameters as they are', () => {
  expect(withVersion(seen, callOf('remove', 'fuzz'), '/docs/1?rev=x')).toBe('/docs/1?rev=x');
});
