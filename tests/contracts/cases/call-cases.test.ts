import { expect, it } from 'vitest';
import { callCases, whyNoCall } from '../../../contracts/cases/call-cases.ts';
import { completeCase } from '../../../contracts/cases/example-call.ts';
import { compile } from '../../../openapi/index.ts';

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
    purpose: { kind: 'call' },
    isMadeUp: true,
    writes: true,
  });
  expect(one && completeCase(document, one)).toMatchObject({
    path: '/mails/a%20b/send?kind=x%26y',
    headers: { 'Content-Type': 'application/json', 'X-Trace': '1' },
  });
});

it('sends as many items and members as the document asks for', () => {
  const names = { type: 'array', minItems: 2, items: { type: 'string' } };
  const schema = { type: 'object', minProperties: 2, additionalProperties: { type: 'integer' } };
  const responses = { 200: { description: 'ok' } };
  const document = documentOf({
    '/tags/{names}/count': {
      put: {
        parameters: [{ name: 'names', in: 'path', required: true, schema: names }],
        requestBody: { content: { 'application/json': { schema } } },
        responses,
      },
    },
  });
  const [one] = callCases(document);
  expect(one?.body).toBe('{"key1":1,"key2":1}');
  expect(one && completeCase(document, one)).toMatchObject({ path: '/tags/text%2Ctext/count' });
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
  const pattern = '^(?![0-9])[0-9]{10}$';
  const isbn = { name: 'isbn', in: 'path', required: true, schema: { type: 'string', pattern } };
  const document = documentOf({
    '/books': { get: { responses: jsonOf({ type: 'array', items: book }) } },
    '/books/{isbn}': { get: { parameters: [isbn], responses: jsonOf(book) } },
    '/books/{isbn}/price': { get: { parameters: [isbn], responses: jsonOf({ type: 'integer' }) } },
    '/books/{isbn}/lock': { post: { parameters: [isbn], responses: jsonOf(book) } },
  });
  expect(callCases(document).map(({ path }) => path)).toEqual(['/books/{{id.books.first}}/price']);
  const lock = document.operations.find(({ method }) => method === 'POST');
  expect(lock && whyNoCall(document, lock)).toBe('no value is known for isbn');
});

function documentOf(paths: object) {
  return compile({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths });
}
