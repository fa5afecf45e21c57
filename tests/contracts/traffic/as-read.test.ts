import { expect, it } from 'vitest';
import { asRead } from '../../../contracts/traffic/as-read.ts';
import { compile } from '../../../openapi/index.ts';
import { jsonOf, toDocument } from '../../support/serve-document.ts';

const ok = { responses: { 200: jsonOf({ type: 'object' }) } };
const document = compile(toDocument({ '/room.info': { get: ok }, '/room.create': { post: ok } }));
const baseUrl = 'http://chat.example/api';

function read(path: string, type = 'application/x-www-form-urlencoded; charset=utf-8') {
  const exchange = {
    request: {
      method: 'POST',
      url: `${baseUrl}${path}`,
      headers: [['content-type', type] as [string, string], ['x-own', '1'] as [string, string]],
      body: { bytes: Buffer.from('room=R1&with=a%26b') },
    },
    sentAt: 1,
    endedAt: 2,
  };
  const { request } = asRead(exchange, { document, baseUrl });
  return request === exchange.request ? 'as it is' : request;
}

it('reads a form that is sent to a path with a GET and no POST as the query of that', () => {
  expect(read('/room.info?all=1')).toEqual({
    method: 'GET',
    url: `${baseUrl}/room.info?all=1&room=R1&with=a%26b`,
    headers: [['x-own', '1']],
  });
});

it.each([
  ['/room.create', undefined],
  ['/room.unknown', undefined],
  ['/room.info', 'application/json'],
])('leaves a POST at %s with %s as it is', (path, type) => {
  expect(read(path, type)).toBe('as it is');
});
