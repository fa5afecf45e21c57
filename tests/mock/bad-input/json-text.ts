import { expect } from 'vitest';
import { animal, type BadInput, post } from '../../support/bad-input.ts';
import type { RawExchange } from '../../support/raw-socket.ts';

const malformed = { status: 400, code: 'malformed_json' } as const;
const invalid = { status: 400, code: 'invalid_body' } as const;
const stored = { status: 201, creates: 1 } as const;
const category = (number: string) => post(`{"name":"Rex","categoryId":${number}}`);
const note = (json: string) => post(`{"name":"Rex","categoryId":1,"note":${json}}`);
const nested = (depth: number, core = '') => '['.repeat(depth) + core + ']'.repeat(depth);
const sized = (bytes: number) => post(animal + ' '.repeat(bytes - animal.length));
const keys = (of: (index: number) => string, count: number) =>
  `{${Array.from({ length: count }, (_, index) => `"${of(index)}":0`)}}`;
const answers = (fields: string) => (exchange: RawExchange) =>
  expect(exchange.answers[0]?.text.replace(/^\{"id":\d+,/, '{')).toBe(`{${fields}}`);
const plain = answers('"name":"Rex","categoryId":1');

/** JSON texts (RFC 8259). */
export const jsonText: BadInput[] = [
  { id: 133, name: 'an empty body', send: post(''), ...malformed },
  { id: 133, name: 'a body of spaces', send: post(' \r\n'), ...malformed },
  {
    id: 134,
    name: 'a byte order mark',
    send: post(`\ufeff${animal}`),
    ...stored,
    why: 'A parser may ignore it (RFC 8259 §8.1).',
  },
  { id: 135, name: 'UTF-16', send: post(Buffer.from(animal, 'utf16le')), ...malformed },
  {
    id: 136,
    name: 'invalid UTF-8',
    send: post(Buffer.from('{"name":"R\xffx","categoryId":1}', 'latin1')),
    ...malformed,
  },
  { id: 137, name: 'half a JSON', send: post(animal.slice(0, -1)), ...malformed },
  { id: 138, name: 'JSON and more', send: post(`${animal}{}`), ...malformed },
  { id: 139, name: 'a trailing comma', send: post('{"name":"Rex","categoryId":1,}'), ...malformed },
  { id: 140, name: 'a comment', send: post(`${animal}// Rex`), ...malformed },
  { id: 141, name: 'single quotes', send: post("{'name':'Rex','categoryId':1}"), ...malformed },
  { id: 142, name: 'NaN', send: category('NaN'), ...malformed },
  { id: 143, name: 'a scalar', send: post('"Rex"'), ...invalid },
  { id: 144, name: 'null', send: post('null'), ...invalid },
  { id: 145, name: 'an array', send: post(`[${animal}]`), ...invalid },
  {
    id: 146,
    name: 'a name given twice',
    send: post('{"name":"Max","categoryId":1,"name":"Rex"}'),
    ...stored,
    why: 'Names should be unique (RFC 8259 §4), but need not be; the last one counts.',
    check: plain,
  },
  {
    id: 147,
    name: 'a name given twice, once escaped',
    send: post('{"name":"Max","categoryId":1,"\\u006eame":"Rex"}'),
    ...stored,
    check: plain,
  },
  {
    id: 148,
    name: 'keys that differ in normalization alone',
    send: post('{"name":"Rex","categoryId":1,"\u00e9":1,"e\u0301":2}'),
    ...stored,
    why: 'They are two keys that the interface does not describe.',
    check: plain,
  },
  {
    id: 149,
    name: '__proto__ as a key',
    send: post('{"name":"Rex","categoryId":1,"__proto__":{"status":"sold","polluted":1}}'),
    ...stored,
    check: expectUnpolluted,
  },
  {
    id: 149,
    name: 'the required fields inside __proto__',
    send: post(`{"__proto__":${animal}}`),
    ...invalid,
  },
  {
    id: 149,
    name: '__proto__ as a key beside a large number',
    send: post(
      '{"name":"Rex","categoryId":1,"note":9007199254740993,"__proto__":{"status":"sold","polluted":1}}',
    ),
    ...stored,
    check: expectUnpolluted,
  },
  {
    id: 150,
    name: 'constructor.prototype as keys',
    send: post('{"name":"Rex","categoryId":1,"constructor":{"prototype":{"polluted":1}}}'),
    ...stored,
    check: expectUnpolluted,
  },
  { id: 151, name: 'a number beyond any double', send: category('1e400'), ...invalid },
  {
    id: 152,
    name: 'a fraction below any double',
    send: category('1e-400'),
    ...stored,
    why: 'A double cannot tell it from 0.',
  },
  {
    id: 153,
    name: '-0',
    send: category('-0'),
    ...stored,
    check: answers('"name":"Rex","categoryId":0'),
  },
  {
    id: 154,
    name: '1.0',
    send: category('1.0'),
    ...stored,
    why: 'It is an integer (JSON Schema 2020-12 §6.1.1).',
    check: plain,
  },
  { id: 154, name: '1e0', send: category('1e0'), ...stored, check: plain },
  {
    id: 155,
    name: 'the largest int64',
    send: category('9223372036854775807'),
    ...stored,
    check: answers('"name":"Rex","categoryId":9223372036854775807'),
  },
  {
    id: 155,
    name: 'one more than the largest int64',
    send: category('9223372036854775808'),
    ...invalid,
  },
  {
    id: 155,
    name: 'the smallest int64',
    send: category('-9223372036854775808'),
    ...stored,
    check: answers('"name":"Rex","categoryId":-9223372036854775808'),
  },
  {
    id: 155,
    name: 'one less than the smallest int64',
    send: category('-9223372036854775809'),
    ...invalid,
  },
  {
    id: 156,
    name: 'arrays 999 deep inside of an object',
    send: note(nested(999)),
    ...stored,
    check: plain,
  },
  {
    id: 156,
    name: 'the same around a large number',
    send: note(nested(999, '9007199254740993')),
    ...stored,
    check: plain,
  },
  {
    id: 156,
    name: 'arrays 1,000 deep inside of an object',
    send: note(nested(1000)),
    ...malformed,
    why: 'A parser may limit depth (RFC 8259 §9), and this one does so whatever numbers there are.',
    check: ({ answers }) =>
      expect(answers[0]?.text).toContain(
        'The body is nested too deeply: at most 1,000 levels of arrays and objects are allowed.',
      ),
  },
  {
    id: 156,
    name: 'the same around a large number',
    send: note(nested(1000, '9007199254740993')),
    ...malformed,
  },
  {
    id: 156,
    name: 'brackets in strings, behind escaped quotes and backslashes',
    send: note(
      `["${'['.repeat(2000)}", "\\"${'{'.repeat(2000)}", "\\\\", ["\\\\\\"${'['.repeat(2000)}"]]`,
    ),
    ...stored,
    check: plain,
  },
  {
    id: 156,
    name: '3,000 arrays side by side',
    send: note(`[${Array(3000).fill('[]')}]`),
    ...stored,
    check: plain,
  },
  { id: 156, name: 'arrays 10^5 deep', send: post(nested(100_000)), ...malformed },
  {
    id: 156,
    name: 'arrays 10^5 deep around a large number',
    send: note(nested(100_000, '9007199254740993')),
    ...malformed,
  },
  {
    id: 156,
    name: 'arrays 10^5 deep, never closed',
    send: post('['.repeat(100_000)),
    ...malformed,
  },
  {
    id: 156,
    name: 'arrays 10^6 deep',
    send: post(nested(1_000_000)),
    status: 413,
    code: 'payload_too_large',
  },
  {
    id: 156,
    name: 'arrays 10^6 deep, never closed',
    send: post('['.repeat(1_000_000)),
    ...malformed,
  },
  {
    id: 157,
    name: '10^5 keys',
    send: note(keys((index) => index.toString(36), 100_000)),
    ...stored,
    check: plain,
  },
  {
    id: 158,
    name: 'keys that are array indexes and collide',
    send: note(keys((index) => String(index * 65_536), 60_000)),
    ...stored,
    check: plain,
  },
  { id: 159, name: 'a body of 100 KB and a byte', send: sized(100 * 1024 + 1), ...stored },
  { id: 159, name: 'a body of 1 MiB', send: sized(1024 * 1024), ...stored },
  {
    id: 159,
    name: 'a body of 1 MiB and a byte',
    send: sized(1024 * 1024 + 1),
    status: 413,
    code: 'payload_too_large',
  },
  {
    id: 160,
    name: 'a body shorter than its Content-Length',
    send: post(animal, { 'Content-Length': '30' }),
    status: 408,
    code: 'request_timeout',
  },
  {
    id: 160,
    name: 'a body shorter than its Content-Length, then the end',
    send: post(animal, { 'Content-Length': '30' }),
    halfClose: true,
    status: 400,
    code: 'malformed_request',
  },
  {
    id: 160,
    name: 'a body longer than its Content-Length',
    send: post(animal, { 'Content-Length': '28', Connection: undefined }),
    status: [400, 400],
    code: 'malformed_request',
    why: 'The rest is the start of a next request, and none.',
    check: (exchange) =>
      expect(JSON.parse(exchange.answers[0]?.text ?? '').code).toBe('malformed_json'),
  },
];

function expectUnpolluted(exchange: RawExchange): void {
  plain(exchange);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(({} as Record<string, unknown>).status).toBeUndefined();
}
