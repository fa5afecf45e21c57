import { expect, it } from 'vitest';
import { callCases, operationsWithoutCases } from '../../../contracts/cases/call-cases.ts';
import { completeCase } from '../../../contracts/cases/example-call.ts';
import {
  builtInDocument,
  indexDocument,
  loadDocument,
} from '../../../contracts/description/document.ts';

it('lists each operation as not called that has no cases, with the reason', async () => {
  expect(operationsWithoutCases(await loadDocument(builtInDocument), { isFree: false })).toEqual(
    [],
  );
  const responses = { 200: { description: 'ok' } };
  const pattern = { type: 'string', pattern: '^[a-z]{3}-[a-z]{3}$' };
  const parameters = [{ name: 'token', in: 'query', required: true, schema: pattern }];
  const body = { content: { 'application/json': { schema: pattern } }, required: true };
  const document = documentOf({
    '/account': { delete: { responses } },
    '/search': { get: { parameters, responses } },
    '/send': { post: { requestBody: body, responses } },
    '/wait': { get: { responses: { 429: { description: 'too many' } } } },
    '/switch': { get: { responses: { 101: { description: 'switching' } } } },
    '/ping': { get: { responses } },
  });
  const listed = (isFree: boolean) => operationsWithoutCases(document, { isFree });
  expect(listed(true).map(({ operation: { id } }) => id)).not.toContain('DELETE /account');
  expect(listed(false).map(({ operation: { id }, reason }) => [id, reason])).toEqual([
    ['DELETE /account', 'it may change what the run has not created'],
    ['GET /search', 'no value is known for token'],
    ['POST /send', 'no value is known for its body'],
    ['GET /wait', 'it answers 429 to every call'],
    ['GET /switch', 'it describes no response that ends a call'],
  ]);
  expect(callCases(document).map(({ id }) => id)).toEqual([
    'DELETE /account/plain',
    'GET /ping/plain',
  ]);
});

it('calls no POST on a deployment whose name says that it takes something away', () => {
  const responses = { 204: { description: 'done' } };
  const schema = { type: 'object', properties: { ids: { type: 'array', items: {} } } };
  const body = { content: { 'application/json': { schema, example: { ids: [1, 2] } } } };
  const document = documentOf({
    '/orders/bulk-delete': { post: { requestBody: body, responses } },
    '/cache': { post: { operationId: 'purgeCache', responses } },
    '/reset': { post: { responses } },
    '/orders/search': { post: { requestBody: body, responses } },
    '/presets': { post: { operationId: 'addPreset', responses } },
  });
  const reason = 'it may change what the run has not created';
  const listed = operationsWithoutCases(document, { isFree: false });
  expect(listed.map((one) => [one.operation.id, one.reason])).toEqual([
    ['POST /orders/bulk-delete', reason],
    ['purgeCache', reason],
    ['POST /reset', reason],
  ]);
  expect(operationsWithoutCases(document, { isFree: true })).toEqual([]);
  expect(callCases(document).map(({ changesOthers = false }) => changesOthers)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

it('calls an operation without a kind with the examples of the document, or with made values', () => {
  const responses = { 200: { description: 'ok' } };
  const schema = {
    type: 'object',
    required: ['to', 'sent', 'items', 'id'],
    properties: {
      id: { type: 'string', readOnly: true },
      to: { type: 'string', format: 'email' },
      sent: { type: 'string', format: 'date' },
      items: { type: 'array', minItems: 2, items: { type: 'integer', minimum: 5 } },
      note: { type: 'string' },
    },
  };
  const document = documentOf({
    '/mails/{folder}/send': {
      post: {
        parameters: [
          { name: 'folder', in: 'path', required: true, schema: { enum: ['a b', 'c'] } },
          { name: 'kind', in: 'query', required: true, schema: {}, example: 'x&y' },
          { name: 'X-Trace', in: 'header', required: true, schema: { type: 'integer' } },
        ],
        requestBody: { content: { 'application/json': { schema } } },
        responses,
      },
    },
  });
  const [one] = callCases(document);
  expect(one).toMatchObject({
    body: '{"to":"rex@example.com","sent":"2030-12-05","items":[5,5]}',
    headers: { 'Content-Type': 'application/json' },
    purpose: { kind: 'call', isMadeUp: true },
    writes: true,
  });
  expect(one && completeCase(document, one)).toMatchObject({
    path: '/mails/a%20b/send?kind=x%26y',
    headers: { 'Content-Type': 'application/json', 'X-Trace': '1' },
  });
});

it('fills in parameters of a path, and none in the name of a placeholder', () => {
  const parameters = ['userId', 'postId'].map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'integer' },
  }));
  const responses = { 200: { description: 'ok' } };
  const path = '/users/{userId}/posts/{postId}';
  const [operation] = documentOf({ [path]: { get: { parameters, responses } } }).operations;
  const document = documentOf({ [path]: { get: { parameters, responses } } });
  const one = {
    ...({ id: 'one', method: 'GET', credential: 'valid', purpose: { kind: 'call' } } as const),
    ...({ priority: 2, writes: false } as const),
    operation: operation as NonNullable<typeof operation>,
    path: '/users/{userId}/posts/{{id.users/{userId}/posts.first|1}}',
  };
  expect(completeCase(document, one)).toMatchObject({
    path: '/users/1/posts/{{id.users/{userId}/posts.first|1}}',
  });
});

it('reads what is below items that nobody can create of one that is listed', () => {
  const book = { type: 'object', properties: { isbn: { type: 'string' } } };
  const jsonOf = (schema: object) => ({
    200: { description: 'ok', content: { 'application/json': { schema } } },
  });
  const pattern = '^97[89][0-9]{10}$';
  const isbn = { name: 'isbn', in: 'path', required: true, schema: { type: 'string', pattern } };
  const document = documentOf({
    '/books': { get: { responses: jsonOf({ type: 'array', items: book }) } },
    '/books/{isbn}': { get: { parameters: [isbn], responses: jsonOf(book) } },
    '/books/{isbn}/price': { get: { parameters: [isbn], responses: jsonOf({ type: 'integer' }) } },
    '/books/{isbn}/lock': { post: { parameters: [isbn], responses: jsonOf(book) } },
  });
  expect(callCases(document).map(({ path }) => path)).toEqual(['/books/{{id.books.first}}/price']);
  const reasons = operationsWithoutCases(document, { isFree: false });
  expect(reasons.map(({ reason }) => reason)).toEqual(['no value is known for isbn']);
});

function documentOf(paths: object) {
  return indexDocument({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths });
}
