import { expect, it } from 'vitest';
import { builtInDocument } from '../../../common/built-in-document.ts';
import type { Purpose } from '../../../contracts/cases/case.ts';
import { findOperation, recognizeCall } from '../../../contracts/transcript/recognize.ts';
import { recognizeBody } from '../../../contracts/transcript/recognize-body.ts';
import {
  compileBodyOf,
  type FindProblems,
} from '../../../contracts/transcript/schema/validator.ts';
import { compile, type Operation } from '../../../openapi/index.ts';

const document = await compile(builtInDocument);
const create = document.operations.find(({ id }) => id === 'createPet') as Operation;
const find = compileBodyOf(document, create) as FindProblems;

it.each<[path: string, purpose: Partial<Purpose> | undefined]>([
  ['/pets', { kind: 'list', filters: {} }],
  ['/pets?limit=5&status=sold', { kind: 'list', limit: 5, filters: { status: 'sold' } }],
  [
    '/pets?limit=0&status=sold',
    { kind: 'silence', silence: 'limit-out-of-range', asked: { filters: { status: 'sold' } } },
  ],
  [
    '/pets?limit=5&page=2',
    { kind: 'silence', silence: 'unknown-query-parameter', asked: { limit: 5, filters: {} } },
  ],
  ['/pets?status=lost', { kind: 'silence', silence: 'unknown-status-filter' }],
  ['/pets?limit=5&limit=6', undefined],
  ['/pets/7', { kind: 'read', id: '7' }],
  ['/pets/007', { kind: 'silence', silence: 'pet-id-form' }],
  ['/pets/9223372036854775808', { kind: 'silence', silence: 'pet-id-form' }],
  ['/store/orders', { kind: 'call' }],
  ['/store/orders?from=1', undefined],
])('recognizes GET %s', (target, purpose) => {
  const url = new URL(`http://host${target}`);
  const { operation } = findOperation(document, { method: 'GET', path: url.pathname });
  const found = recognizeCall({
    document,
    operation: operation as Operation,
    url,
    toCreate: () => undefined,
  });
  if (purpose) expect(found).toMatchObject(purpose);
  else expect(found).toBeUndefined();
});

it.each<[text: string, expected: object, mediaType?: string]>([
  ['{"name":"Rex","categoryId":1}', { purpose: { kind: 'create' } }],
  [
    '{"name":"Rex","categoryId":1,"tail":2}',
    { purpose: { kind: 'create', mayRefuse: true }, leftOpen: { silence: 'unknown-body-field' } },
  ],
  [
    '{"name":"","categoryId":1}',
    { purpose: { kind: 'create', mayRefuse: true }, leftOpen: { silence: 'empty-name' } },
  ],
  ['{"name":"Rex"}', { purpose: { kind: 'invalid-create' } }],
  ['{"name":"Rex","categoryId":"redacted-1"}', { purpose: { kind: 'observed' } }],
  ['{"name":5,"categoryId":"redacted-1"}', { purpose: { kind: 'invalid-create' } }],
  ['{"name":"Rex","categoryId":"1"}', { purpose: { kind: 'invalid-create' } }],
  ['[]', { purpose: { kind: 'invalid-create' } }],
  ['name=Rex', { purpose: { kind: 'invalid-create', what: 'body not JSON' } }],
  ['', { purpose: { kind: 'invalid-create', what: 'body empty' } }],
  [
    '{"name":"Rex","categoryId":9223372036854775808}',
    { purpose: { kind: 'observed' }, leftOpen: { silence: 'integer-range' } },
  ],
  ['\ufeff{"name":"Rex","categoryId":1}', { purpose: { kind: 'observed' } }],
  [
    '{"name":"Rex"}',
    { purpose: { kind: 'observed' }, leftOpen: { silence: 'media-type' } },
    'text/plain',
  ],
  ['{"name":"Rex"}', { purpose: { kind: 'observed' } }, 'application/json; charset=utf-16'],
])('recognizes the body %j', (text, expected, mediaType = 'application/json; charset=utf-8') => {
  expect(recognizeBody(document, create, { find, sent: { mediaType, text } })).toMatchObject(
    expected,
  );
});

it('finds a path without parameters before one with them', () => {
  expect(findOperation(document, { method: 'PATCH', path: '/pets/7' })).toMatchObject({
    other: { id: 'getPet' },
  });
  expect(findOperation(document, { method: 'GET', path: '/pets/7/' })).toEqual({});
  const two = {
    ...document,
    operations: ['/a/{id}', '/a/mine', '/{x}/mine'].map((path) => ({
      ...create,
      id: path,
      method: 'GET',
      path,
    })),
  };
  expect(findOperation(two, { method: 'GET', path: '/a/mine' }).operation?.id).toBe('/a/mine');
  expect(findOperation(two, { method: 'GET', path: '/b/mine' }).operation?.id).toBe('/{x}/mine');
});
