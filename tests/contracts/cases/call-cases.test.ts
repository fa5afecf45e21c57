import { expect, it } from 'vitest';
import { callCases, whyNoCall } from '../../../contracts/cases/call-cases.ts';
import { withId } from '../../../contracts/cases/case.ts';
import { completeCase } from '../../../contracts/cases/example-call.ts';
import { compile } from '../../../openapi/index.ts';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { toDocument } from '../../support/serve-document.ts';

it('calls an operation without a kind with the examples of the document, or with made values', () => {
  const responses = { 200: { description: 'ok' } };
  const schema = schemaOf(
    '{ readonly id!, to!: email, sent!: date, items!: [int(minimum=5)](minItems=2), note }',
  );
  const document = compile(
    toDocument({
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
    }),
  );
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
  const document = compile(
    documentOf('PUT /tags/{names:Names}/count Counts -> 200', {
      Names: schemaOf('[text](minItems=2)'),
      Counts: { type: 'object', minProperties: 2, additionalProperties: { type: 'integer' } },
    }),
  );
  const [one] = callCases(document);
  expect(one?.body).toBe('{"key1":1,"key2":1}');
  expect(one && completeCase(document, one)).toMatchObject({ path: '/tags/text%2Ctext/count' });
});

it('sends objects in the style of their parameter, and JSON where its content is that', () => {
  const required = true;
  const [f, at] = [schemaOf('{ a!: int, b!: [text](minItems=1) }'), schemaOf('{ lat!: number }')];
  const parameters = [
    { name: 'f', in: 'query', required, style: 'deepObject', explode: true, schema: f },
    { name: 'at', in: 'query', required, content: { 'application/json': { schema: at } } },
    { name: 'part', in: 'cookie', required, explode: true, schema: at },
  ];
  const get = { parameters, responses: { 200: { description: 'ok' } } };
  const document = compile(toDocument({ '/places': { get } }));
  const [one] = callCases(document);
  expect(one && completeCase(document, one)).toMatchObject({
    path: '/places?f%5Ba%5D=1&f%5Bb%5D=text&at=%7B%22lat%22%3A1%7D',
    headers: { Cookie: 'lat=1' },
  });
});

it('fills in parameters of a path, and none in the name of a placeholder', () => {
  const document = compile(documentOf('GET /users/{userId}/posts/{postId} -> 200'));
  const [operation] = document.operations;
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
  const document = compile(
    documentOf(
      `
      GET /books -> [{ isbn }]
      GET /books/{isbn:Isbn} -> { isbn }
      GET /books/{isbn:Isbn}/price -> int
      GET /books/{isbn:Isbn}:download -> int
      POST /books/{isbn:Isbn}/lock -> { isbn }
      `,
      { Isbn: { type: 'string', pattern: '^(?![0-9])[0-9]{10}$' } },
    ),
  );
  expect(callCases(document).map(({ path }) => path)).toEqual([
    '/books/{{id.books.first}}/price',
    '/books/{{id.books.first}}:download',
  ]);
  const lock = document.operations.find(({ method }) => method === 'POST');
  expect(lock && whyNoCall(document, lock)).toBe('no value is known for isbn');
});

it('puts ids in front of a format at the end of a path', () => {
  expect(withId({ path: '/books/{isbn}.{format}' }, '7')).toBe('/books/7.{format}');
  expect(withId({ path: '/shops/{shop}/books/{isbn}.json' }, '7')).toBe(
    '/shops/{shop}/books/7.json',
  );
});
