import { expect, it } from 'vitest';
import type { Case } from '../../../contracts/cases/case.ts';
import { outcomesOf } from '../../../contracts/cases/outcomes.ts';
import { compile } from '../../../openapi/index.ts';
import { toDocument } from '../../support/serve-document.ts';

const responses = (...statuses: (string | number)[]) => ({
  responses: Object.fromEntries(statuses.map((status) => [status, { description: 'described' }])),
});
const document = compile(
  toDocument({
    '/cards': { get: responses(200, 400), post: responses('2XX', 400, 503) },
    '/cards/{id}': { get: responses(200, 404), patch: responses(200) },
    '/offers/{id}': { get: responses(200, 404, 410) },
    '/tickets/{id}': { get: responses(200, 410) },
    '/reports': { post: responses(202, 409) },
    '/orders': { post: responses(201, 404, 409, 422) },
  }),
);

const statuses = [200, 201, 400, 401, 403, 404, 409, 410, 422, 500, 503];

it.each<[call: string, purpose: object, expected: string[], open: number[]]>([
  ['GET /cards', { kind: 'list', filters: {} }, ['200'], []],
  ['GET /cards/{id}', { kind: 'read', id: '1' }, ['200'], []],
  ['POST /cards', { kind: 'create' }, ['2XX'], [400, 403, 404, 409, 410, 422, 503]],
  ['PATCH /cards/{id}', { kind: 'change', how: 'json' }, ['200'], [400, 403, 409, 422]],
  ['POST /reports', { kind: 'call' }, ['202'], [409]],
  ['GET /cards/{id}', { kind: 'unknown-id' }, ['404'], [403]],
  ['GET /offers/{id}', { kind: 'unknown-id' }, ['404', '410'], [403]],
  ['GET /tickets/{id}', { kind: 'unknown-id' }, ['410'], [403, 404]],
  ['PATCH /cards/{id}', { kind: 'unknown-id' }, [], [403, 404]],
  ['POST /cards', { kind: 'invalid-create', what: 'empty' }, ['400'], []],
  ['POST /orders', { kind: 'invalid-create', what: 'empty' }, ['422'], [404, 409]],
])('knows the outcomes of %s, as a %j', (call, purpose, expected, open) => {
  const [method, path] = call.split(' ');
  const operation = document.operations.find((one) => one.method === method && one.path === path);
  const one = { operation, purpose } as Pick<Case, 'operation' | 'purpose'>;
  const outcomes = outcomesOf(document, one);
  expect(outcomes.expected).toEqual(expected);
  expect(statuses.filter((status) => outcomes.isExpected(status))).toEqual(
    expected[0] === '2XX' ? [200, 201] : statuses.filter((one) => expected.includes(`${one}`)),
  );
  expect(statuses.filter((status) => !outcomes.isExpected(status)).filter(outcomes.isOpen)).toEqual(
    open,
  );
});

it('lets values that the run made up be refused, and not be answered with a failure', () => {
  const [operation] = document.operations;
  const purpose = { kind: 'list', filters: {} } as const;
  const { isOpen } = outcomesOf(document, {
    ...(operation && { operation }),
    purpose,
    isMadeUp: true,
  });
  expect(statuses.filter(isOpen)).toEqual([400, 401, 403, 404, 409, 410, 422]);
});
