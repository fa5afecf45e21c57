import { expect } from 'vitest';
import { animal, type BadInputs, get, head, key, post } from '../../support/bad-input.ts';

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
export const framing: BadInputs = {
  'a request without Host': [get('/v1/pets', { Host: undefined }), 'invalid_host'],
  'two Host headers': [head(list, host, host, auth, close), 'invalid_host'],
  'an empty Host': [get('/v1/pets', { Host: '' }), 'invalid_host'],
  'a Host of half a bracket': [get('/v1/pets', { Host: '[::1' }), 'invalid_host'],
  'a Host with user info': [get('/v1/pets', { Host: 'localhost@evil' }), 'invalid_host'],
  // A final dot makes a name absolute; it names the same host.
  'a Host with a final dot': [get('/v1/pets', { Host: 'localhost.' }), 200],
  'a foreign Host with a final dot': [
    get('/v1/pets', { Host: 'evil.example.' }),
    'host_not_allowed',
  ],
  // The host of the target goes before the Host header (RFC 9112 §3.2.2).
  'a whole URL of a foreign host as target': [
    get('http://evil.example/v1/pets'),
    'host_not_allowed',
  ],
  'a whole URL of its own host as target': [get('http://localhost/v1/pets?limit=1'), 200],
  'a request line of HTTP/0.9': [head('GET /v1/pets'), 'version_not_supported'],
  'HTTP/0.9 by name': [head('GET /v1/pets HTTP/0.9', host), 'version_not_supported'],
  'HTTP/2.0 by name': [head('GET /v1/pets HTTP/2.0', host), 'version_not_supported'],
  'the preface of HTTP/2': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'version_not_supported'],
  // HTTP/1.0 knows no Host header (RFC 9112 §3.2).
  'HTTP/1.0 without Host': [head('GET /v1/pets HTTP/1.0', auth), 200],
  'the method FOO': [head('FOO /v1/pets HTTP/1.1', host), 'method_not_implemented'],
  // Methods are case-sensitive (RFC 9110 §9.1), so this one is unknown.
  'the method get': [head('get /v1/pets HTTP/1.1', host), 'method_not_implemented'],
  'a method of 64 letters': [
    head(`${'A'.repeat(64)} /v1/pets HTTP/1.1`, host),
    'method_not_implemented',
  ],
  // No registered method is nearly as long.
  'a method of 65 letters': [
    head(`${'A'.repeat(65)} /v1/pets HTTP/1.1`, host),
    'malformed_request',
  ],
  TRACE: [
    head('TRACE /v1/pets HTTP/1.1', host, auth, close),
    'method_not_allowed',
    { check: expectAllow },
  ],
  CONNECT: [
    head('CONNECT localhost:80 HTTP/1.1', host, auth),
    'method_not_allowed',
    { check: expectAllow },
  ],
  QUERY: [
    head('QUERY /v1/pets HTTP/1.1', host, auth, close),
    'method_not_allowed',
    { check: expectAllow },
  ],
  'DELETE on the collection': [
    head('DELETE /v1/pets HTTP/1.1', host, auth, close),
    'method_not_allowed',
    { check: expectAllow },
  ],
  // It asks about the server as a whole (RFC 9110 §9.3.7).
  'OPTIONS *': [head('OPTIONS * HTTP/1.1', host, close), 204, { check: expectAllow }],
  'Content-Length beside Transfer-Encoding': [
    post(`${size}\r\n${animal}\r\n0\r\n\r\n`, { 'Transfer-Encoding': 'chunked' }),
    'malformed_request',
  ],
  'Content-Length twice, equal': [
    head(create, host, auth, json, 'Content-Length: 29', 'Content-Length: 29') + animal,
    'malformed_request',
  ],
  'Content-Length twice, different': [
    head(create, host, auth, json, 'Content-Length: 29', 'Content-Length: 2') + animal,
    'malformed_request',
  ],
  'Content-Length +2': [post('{}', { 'Content-Length': '+2' }), 'malformed_request'],
  'Content-Length 2^64': [
    post('{}', { 'Content-Length': '18446744073709551616' }),
    'malformed_request',
  ],
  'Content-Length -1': [post('{}', { 'Content-Length': '-1' }), 'malformed_request'],
  // A transfer coding that a server does not know is 501 (RFC 9112 §6.1).
  'Transfer-Encoding: gzip, chunked': [
    `${head(create, host, auth, close, json, 'Transfer-Encoding: gzip, chunked')}${size}\r\n${animal}\r\n0\r\n\r\n`,
    'transfer_coding_not_implemented',
  ],
  // Unless chunked comes last, the end of the body is unknown (RFC 9112 §6.3).
  'Transfer-Encoding: xchunked': [
    `${head(create, host, auth, json, 'Transfer-Encoding: xchunked')}${size}\r\n${animal}\r\n0\r\n\r\n`,
    'malformed_request',
  ],
  // The 400 that §6.3 of RFC 9112 demands goes before the 501 that §6.1 recommends for an
  // unknown coding.
  'Transfer-Encoding: gzip': [
    `${head(create, host, auth, json, 'Transfer-Encoding: gzip')}${size}\r\n${animal}\r\n0\r\n\r\n`,
    'malformed_request',
  ],
  'Transfer-Encoding: chunked, gzip': [
    `${head(create, host, auth, json, 'Transfer-Encoding: chunked, gzip')}${size}\r\n${animal}\r\n0\r\n\r\n`,
    'malformed_request',
  ],
  // Unknown chunk extensions are ignored (RFC 9112 §7.1.1).
  'a chunk extension': [
    `${head(create, host, auth, close, json, chunked)}${size};note=1\r\n${animal}\r\n0\r\n\r\n`,
    201,
  ],
  'a huge chunk size': [
    `${head(create, host, auth, json, chunked)}ffffffffffffffffff\r\n${animal}`,
    'malformed_request',
  ],
  'chunks without the last one, on an open connection': [
    `${head(create, host, auth, json, chunked)}${size}\r\n${animal}\r\n`,
    'request_timeout',
  ],
  'chunks without the last one, then the end': [
    `${head(create, host, auth, json, chunked)}${size}\r\n${animal}\r\n`,
    'malformed_request',
    { halfClose: true },
  ],
  // A trailer must not be taken for a header (RFC 9110 §6.5.1).
  'the only key in a trailer': [
    `${head(create, host, close, json, chunked)}${size}\r\n${animal}\r\n0\r\n${auth}\r\n\r\n`,
    'missing_api_key',
  ],
  'a wrong key in a trailer, after a good one': [
    `${head(create, host, auth, close, json, chunked)}${size}\r\n${animal}\r\n0\r\nAuthorization: Bearer x\r\n\r\n`,
    201,
  ],
  'bare line feeds': [`${list}\n${host}\n${auth}\n\n`, 'malformed_request'],
  'a folded header': [head(list, host, 'X-Note: a', ' b', auth), 'malformed_request'],
  'a space before the colon': [
    head(list, host, `Authorization : Bearer ${key}`),
    'malformed_request',
  ],
  'two requests at once, then the end': [
    head(list, host, auth) + head('GET /v1/pets/1 HTTP/1.1', host, auth),
    200,
    {
      before: [200],
      halfClose: true,
      check: ({ answers }) => {
        expect(JSON.parse(answers[0]?.text ?? '')).toHaveLength(20);
        expect(JSON.parse(answers[1]?.text ?? '').id).toBe(1);
      },
    },
  ],
  // Whole requests are answered first, in order.
  'two requests and garbage at once': [
    `${head(list, host, auth)}${head(create, host, auth, json, 'Content-Length: 29')}${animal}\0\0\r\n\r\n`,
    'malformed_request',
    { before: [200, 201] },
  ],
  'the first bytes of TLS': [Buffer.from('16030100f0010000ec0303', 'hex'), 'malformed_request'],
};

function expectAllow({
  answers,
}: {
  answers: readonly { headers: Record<string, string> }[];
}): void {
  expect(answers[0]?.headers).toMatchObject(allowed);
}
