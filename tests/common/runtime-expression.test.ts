import { expect, it } from 'vitest';
import { evaluate } from '../../common/runtime-expression.ts';

const none = { header: {}, query: {}, path: {}, body: undefined };
const source = {
  url: 'http://127.0.0.1:4010/v1/orders?notify=http%3A%2F%2Flocalhost%2Fa',
  method: 'POST',
  status: 201,
  request: {
    header: { 'x-hook': 'http://localhost/header', accept: ['a', 'b'] },
    query: { notify: 'http://localhost/a' },
    path: { 'order.id': 7 },
    body: {
      hook: 'http://localhost/b',
      nested: { 'a/b': [{ url: 'http://localhost/c' }] },
      no: null,
    },
  },
  response: { ...none, header: { location: '/v1/orders/8' }, body: { id: 8n, tags: [1, 2] } },
};

it.each([
  ['$url', source.url],
  ['$method', 'POST'],
  ['$statusCode', '201'],
  ['$request.header.X-Hook', 'http://localhost/header'],
  ['$request.header.accept', 'a'],
  ['$request.query.notify', 'http://localhost/a'],
  ['$request.path.order.id', '7'],
  ['$request.body#/hook', 'http://localhost/b'],
  ['$request.body#/nested/a~1b/0/url', 'http://localhost/c'],
  ['$request.body#/nested/a%7E1b/0/url', 'http://localhost/c'],
  ['$response.header.Location', '/v1/orders/8'],
  ['$response.body#/id', '8'],
  ['$request.body#/nested', '{"a/b":[{"url":"http://localhost/c"}]}'],
  ['{$request.body#/hook}/{$response.body#/id}?s={$statusCode}', 'http://localhost/b/8?s=201'],
  ['http://localhost/fixed/{id}', 'http://localhost/fixed/{id}'],
])('evaluates %s', (text, expected) => {
  expect(evaluate(text, source)).toBe(expected);
});

it.each([
  '$request.body#/missing',
  '$request.body#/no',
  '$request.body#/hook/length',
  '$request.body#/%E0%A4%A',
  '$request.header.constructor',
  '$request.cookie.a',
  '$nothing',
  'http://localhost/{$request.query.other}',
])('finds nothing by %s', (text) => {
  expect(evaluate(text, source)).toBeUndefined();
});
