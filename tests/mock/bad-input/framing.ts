import { expect } from 'vitest';
import { animal, type BadInput, get, head, key, post } from '../../support/bad-input.ts';

const host = 'Host: localhost';
const auth = `Authorization: Bearer ${key}`;
const close = 'Connection: close';
const json = 'Content-Type: application/json';
const chunked = 'Transfer-Encoding: chunked';
const list = 'GET /v1/pets HTTP/1.1';
const create = 'POST /v1/pets HTTP/1.1';
const size = animal.length.toString(16);
const allowed = { allow: 'GET, HEAD, POST, OPTIONS' };

/** Request lines and framing (RFC 9112 §2 to §7). */
export const framing: BadInput[] = [
  {
    id: 1,
    name: 'a request without Host',
    send: get('/v1/pets', { Host: undefined }),
    status: 400,
    code: 'invalid_host',
  },
  {
    id: 2,
    name: 'two Host headers',
    send: head(list, host, host, auth, close),
    status: 400,
    code: 'invalid_host',
  },
  {
    id: 3,
    name: 'an empty Host',
    send: get('/v1/pets', { Host: '' }),
    status: 400,
    code: 'invalid_host',
  },
  {
    id: 4,
    name: 'a Host of half a bracket',
    send: get('/v1/pets', { Host: '[::1' }),
    status: 400,
    code: 'invalid_host',
  },
  {
    id: 5,
    name: 'a Host with user info',
    send: get('/v1/pets', { Host: 'localhost@evil' }),
    status: 400,
    code: 'invalid_host',
  },
  {
    id: 6,
    name: 'a Host with a final dot',
    send: get('/v1/pets', { Host: 'localhost.' }),
    status: 200,
    why: 'A final dot makes a name absolute; it names the same host.',
  },
  {
    id: 6,
    name: 'a foreign Host with a final dot',
    send: get('/v1/pets', { Host: 'evil.example.' }),
    status: 403,
    code: 'host_not_allowed',
  },
  {
    id: 7,
    name: 'a whole URL of a foreign host as target',
    send: get('http://evil.example/v1/pets'),
    status: 403,
    code: 'host_not_allowed',
    why: 'The host of the target goes before the Host header (RFC 9112 §3.2.2).',
  },
  {
    id: 7,
    name: 'a whole URL of its own host as target',
    send: get('http://localhost/v1/pets?limit=1'),
    status: 200,
  },
  {
    id: 8,
    name: 'a request line of HTTP/0.9',
    send: head('GET /v1/pets'),
    status: 505,
    code: 'version_not_supported',
  },
  {
    id: 8,
    name: 'HTTP/0.9 by name',
    send: head('GET /v1/pets HTTP/0.9', host),
    status: 505,
    code: 'version_not_supported',
  },
  {
    id: 9,
    name: 'HTTP/2.0 by name',
    send: head('GET /v1/pets HTTP/2.0', host),
    status: 505,
    code: 'version_not_supported',
  },
  {
    id: 9,
    name: 'the preface of HTTP/2',
    send: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    status: 505,
    code: 'version_not_supported',
  },
  {
    id: 10,
    name: 'HTTP/1.0 without Host',
    send: head('GET /v1/pets HTTP/1.0', auth),
    status: 200,
    why: 'HTTP/1.0 knows no Host header (RFC 9112 §3.2).',
  },
  {
    id: 11,
    name: 'the method FOO',
    send: head('FOO /v1/pets HTTP/1.1', host),
    status: 501,
    code: 'method_not_implemented',
  },
  {
    id: 12,
    name: 'the method get',
    send: head('get /v1/pets HTTP/1.1', host),
    status: 501,
    code: 'method_not_implemented',
    why: 'Methods are case-sensitive (RFC 9110 §9.1), so this one is unknown.',
  },
  {
    id: 12,
    name: 'a method of 64 letters',
    send: head(`${'A'.repeat(64)} /v1/pets HTTP/1.1`, host),
    status: 501,
    code: 'method_not_implemented',
  },
  {
    id: 12,
    name: 'a method of 65 letters',
    send: head(`${'A'.repeat(65)} /v1/pets HTTP/1.1`, host),
    status: 400,
    code: 'malformed_request',
    why: 'No registered method is nearly as long.',
  },
  {
    id: 13,
    name: 'TRACE',
    send: head('TRACE /v1/pets HTTP/1.1', host, auth, close),
    status: 405,
    code: 'method_not_allowed',
    check: expectAllow,
  },
  {
    id: 14,
    name: 'CONNECT',
    send: head('CONNECT localhost:80 HTTP/1.1', host, auth),
    status: 405,
    code: 'method_not_allowed',
    check: expectAllow,
  },
  {
    id: 15,
    name: 'QUERY',
    send: head('QUERY /v1/pets HTTP/1.1', host, auth, close),
    status: 405,
    code: 'method_not_allowed',
    check: expectAllow,
  },
  {
    id: 16,
    name: 'DELETE on the collection',
    send: head('DELETE /v1/pets HTTP/1.1', host, auth, close),
    status: 405,
    code: 'method_not_allowed',
    check: expectAllow,
  },
  {
    id: 17,
    name: 'OPTIONS *',
    send: head('OPTIONS * HTTP/1.1', host, close),
    status: 204,
    why: 'It asks about the server as a whole (RFC 9110 §9.3.7).',
    check: expectAllow,
  },
  {
    id: 18,
    name: 'Content-Length beside Transfer-Encoding',
    send: post(`${size}\r\n${animal}\r\n0\r\n\r\n`, { 'Transfer-Encoding': 'chunked' }),
    status: 400,
    code: 'malformed_request',
  },
  {
    id: 19,
    name: 'Content-Length twice, equal',
    send: head(create, host, auth, json, 'Content-Length: 29', 'Content-Length: 29') + animal,
    status: 400,
    code: 'malformed_request',
  },
  {
    id: 20,
    name: 'Content-Length twice, different',
    send: head(create, host, auth, json, 'Content-Length: 29', 'Content-Length: 2') + animal,
    status: 400,
    code: 'malformed_request',
  },
  {
    id: 21,
    name: 'Content-Length +2',
    send: post('{}', { 'Content-Length': '+2' }),
    status: 400,
    code: 'malformed_request',
  },
  {
    id: 22,
    name: 'Content-Length 2^64',
    send: post('{}', { 'Content-Length': '18446744073709551616' }),
    status: 400,
    code: 'malformed_request',
  },
  {
    id: 23,
    name: 'Content-Length -1',
    send: post('{}', { 'Content-Length': '-1' }),
    status: 400,
    code: 'malformed_request',
  },
  {
    id: 24,
    name: 'Transfer-Encoding: gzip, chunked',
    send: `${head(create, host, auth, close, json, 'Transfer-Encoding: gzip, chunked')}${size}\r\n${animal}\r\n0\r\n\r\n`,
    status: 501,
    code: 'transfer_coding_not_implemented',
    why: 'A transfer coding that a server does not know is 501 (RFC 9112 §6.1).',
  },
  {
    id: 25,
    name: 'Transfer-Encoding: xchunked',
    send: `${head(create, host, auth, json, 'Transfer-Encoding: xchunked')}${size}\r\n${animal}\r\n0\r\n\r\n`,
    status: 400,
    code: 'malformed_request',
    why: 'Where chunked does not come last, the end of the body is unknown (RFC 9112 §6.3).',
  },
  {
    id: 25,
    name: 'Transfer-Encoding: gzip',
    send: `${head(create, host, auth, json, 'Transfer-Encoding: gzip')}${size}\r\n${animal}\r\n0\r\n\r\n`,
    status: 400,
    code: 'malformed_request',
    why: 'The 400 that §6.3 of RFC 9112 demands goes before the 501 that §6.1 recommends for an unknown coding.',
  },
  {
    id: 25,
    name: 'Transfer-Encoding: chunked, gzip',
    send: `${head(create, host, auth, json, 'Transfer-Encoding: chunked, gzip')}${size}\r\n${animal}\r\n0\r\n\r\n`,
    status: 400,
    code: 'malformed_request',
  },
  {
    id: 26,
    name: 'a chunk extension',
    send: `${head(create, host, auth, close, json, chunked)}${size};note=1\r\n${animal}\r\n0\r\n\r\n`,
    status: 201,
    creates: 1,
    why: 'Unknown chunk extensions are ignored (RFC 9112 §7.1.1).',
  },
  {
    id: 27,
    name: 'a huge chunk size',
    send: `${head(create, host, auth, json, chunked)}ffffffffffffffffff\r\n${animal}`,
    status: 400,
    code: 'malformed_request',
  },
  {
    id: 28,
    name: 'chunks without the last one, on an open connection',
    send: `${head(create, host, auth, json, chunked)}${size}\r\n${animal}\r\n`,
    status: 408,
    code: 'request_timeout',
  },
  {
    id: 28,
    name: 'chunks without the last one, then the end',
    send: `${head(create, host, auth, json, chunked)}${size}\r\n${animal}\r\n`,
    halfClose: true,
    status: 400,
    code: 'malformed_request',
  },
  {
    id: 29,
    name: 'the only key in a trailer',
    send: `${head(create, host, close, json, chunked)}${size}\r\n${animal}\r\n0\r\n${auth}\r\n\r\n`,
    status: 401,
    code: 'missing_api_key',
    why: 'A trailer must not be taken for a header (RFC 9110 §6.5.1).',
  },
  {
    id: 29,
    name: 'a wrong key in a trailer, after a good one',
    send: `${head(create, host, auth, close, json, chunked)}${size}\r\n${animal}\r\n0\r\nAuthorization: Bearer x\r\n\r\n`,
    status: 201,
    creates: 1,
  },
  {
    id: 30,
    name: 'bare line feeds',
    send: `${list}\n${host}\n${auth}\n\n`,
    status: 400,
    code: 'malformed_request',
  },
  {
    id: 31,
    name: 'a folded header',
    send: head(list, host, 'X-Note: a', ' b', auth),
    status: 400,
    code: 'malformed_request',
  },
  {
    id: 32,
    name: 'a space before the colon',
    send: head(list, host, `Authorization : Bearer ${key}`),
    status: 400,
    code: 'malformed_request',
  },
  {
    id: 33,
    name: 'two requests at once, then the end',
    send: head(list, host, auth) + head('GET /v1/pets/1 HTTP/1.1', host, auth),
    halfClose: true,
    status: [200, 200],
    check: ({ answers }) => {
      expect(JSON.parse(answers[0]?.text ?? '')).toHaveLength(20);
      expect(JSON.parse(answers[1]?.text ?? '').id).toBe(1);
    },
  },
  {
    id: 33,
    name: 'two requests and garbage at once',
    send: `${head(list, host, auth)}${head(create, host, auth, json, 'Content-Length: 29')}${animal}\0\0\r\n\r\n`,
    status: [200, 201, 400],
    code: 'malformed_request',
    creates: 1,
    why: 'What came whole is answered first, in order.',
  },
  {
    id: 34,
    name: 'the first bytes of TLS',
    send: Buffer.from('16030100f0010000ec0303', 'hex'),
    status: 400,
    code: 'malformed_request',
  },
];

function expectAllow({
  answers,
}: {
  answers: readonly { headers: Record<string, string> }[];
}): void {
  expect(answers[0]?.headers).toMatchObject(allowed);
}
