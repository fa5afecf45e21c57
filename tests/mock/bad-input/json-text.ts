import { expect } from 'vitest';
import { animal, type BadInputs, post } from '../../support/bad-input.ts';
import type { RawExchange } from '../../support/raw-socket.ts';

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
export const jsonText: BadInputs = {
  'an empty body': [post(''), 'malformed_json'],
  'a body of spaces': [post(' \r\n'), 'malformed_json'],
  // A parser may ignore it (RFC 8259 §8.1).
  'a byte order mark': [post(`\ufeff${animal}`), 201],
  'UTF-16': [post(Buffer.from(animal, 'utf16le')), 'malformed_json'],
  'invalid UTF-8': [
    post(Buffer.from('{"name":"R\xffx","categoryId":1}', 'latin1')),
    'malformed_json',
  ],
  'half a JSON': [post(animal.slice(0, -1)), 'malformed_json'],
  'JSON and more': [post(`${animal}{}`), 'malformed_json'],
  'a trailing comma': [post('{"name":"Rex","categoryId":1,}'), 'malformed_json'],
  'a comment': [post(`${animal}// Rex`), 'malformed_json'],
  'single quotes': [post("{'name':'Rex','categoryId':1}"), 'malformed_json'],
  NaN: [category('NaN'), 'malformed_json'],
  'a scalar': [post('"Rex"'), 'invalid_body'],
  null: [post('null'), 'invalid_body'],
  'an array': [post(`[${animal}]`), 'invalid_body'],
  // Names should be unique (RFC 8259 §4), but need not be; the last one counts.
  'a name given twice': [post('{"name":"Max","categoryId":1,"name":"Rex"}'), 201, { check: plain }],
  'a name given twice, once escaped': [
    post('{"name":"Max","categoryId":1,"\\u006eame":"Rex"}'),
    201,
    { check: plain },
  ],
  // They are two keys that the interface does not describe.
  'keys that differ in normalization alone': [
    post('{"name":"Rex","categoryId":1,"\u00e9":1,"e\u0301":2}'),
    201,
    { check: plain },
  ],
  '__proto__ as a key': [
    post('{"name":"Rex","categoryId":1,"__proto__":{"status":"sold","polluted":1}}'),
    201,
    { check: expectUnpolluted },
  ],
  'the required fields inside __proto__': [post(`{"__proto__":${animal}}`), 'invalid_body'],
  '__proto__ as a key beside a large number': [
    post(
      '{"name":"Rex","categoryId":1,"note":9007199254740993,"__proto__":{"status":"sold","polluted":1}}',
    ),
    201,
    { check: expectUnpolluted },
  ],
  'constructor.prototype as keys': [
    post('{"name":"Rex","categoryId":1,"constructor":{"prototype":{"polluted":1}}}'),
    201,
    { check: expectUnpolluted },
  ],
  'a number beyond any double': [category('1e400'), 'invalid_body'],
  // A double cannot tell it from 0.
  'a fraction below any double': [category('1e-400'), 201],
  '-0': [category('-0'), 201, { check: answers('"name":"Rex","categoryId":0') }],
  // It is an integer (JSON Schema 2020-12 §6.1.1).
  '1.0': [category('1.0'), 201, { check: plain }],
  '1e0': [category('1e0'), 201, { check: plain }],
  'the largest int64': [
    category('9223372036854775807'),
    201,
    { check: answers('"name":"Rex","categoryId":9223372036854775807') },
  ],
  'one more than the largest int64': [category('9223372036854775808'), 'invalid_body'],
  'the smallest int64': [
    category('-9223372036854775808'),
    201,
    { check: answers('"name":"Rex","categoryId":-9223372036854775808') },
  ],
  'one less than the smallest int64': [category('-9223372036854775809'), 'invalid_body'],
  'arrays 999 deep inside of an object': [note(nested(999)), 201, { check: plain }],
  'arrays 999 deep around a large number': [
    note(nested(999, '9007199254740993')),
    201,
    { check: plain },
  ],
  // A parser may limit depth (RFC 8259 §9), and this one does so whatever numbers there are.
  'arrays 1,000 deep inside of an object': [
    note(nested(1000)),
    'malformed_json',
    {
      check: ({ answers }) =>
        expect(answers[0]?.text).toContain(
          'The body is nested too deeply: at most 1,000 levels of arrays and objects are allowed.',
        ),
    },
  ],
  'arrays 1,000 deep around a large number': [
    note(nested(1000, '9007199254740993')),
    'malformed_json',
  ],
  'brackets in strings, behind escaped quotes and backslashes': [
    note(
      `["${'['.repeat(2000)}", "\\"${'{'.repeat(2000)}", "\\\\", ["\\\\\\"${'['.repeat(2000)}"]]`,
    ),
    201,
    { check: plain },
  ],
  '3,000 arrays side by side': [note(`[${Array(3000).fill('[]')}]`), 201, { check: plain }],
  'arrays 10^5 deep': [post(nested(100_000)), 'malformed_json'],
  'arrays 10^5 deep around a large number': [
    note(nested(100_000, '9007199254740993')),
    'malformed_json',
  ],
  'arrays 10^5 deep, never closed': [post('['.repeat(100_000)), 'malformed_json'],
  'arrays 10^6 deep': [post(nested(1_000_000)), 'payload_too_large'],
  'arrays 10^6 deep, never closed': [post('['.repeat(1_000_000)), 'malformed_json'],
  '10^5 keys': [note(keys((index) => index.toString(36), 100_000)), 201, { check: plain }],
  'keys that are array indexes and collide': [
    note(keys((index) => String(index * 65_536), 60_000)),
    201,
    { check: plain },
  ],
  'a body of 100 KB and a byte': [sized(100 * 1024 + 1), 201],
  'a body of 1 MiB': [sized(1024 * 1024), 201],
  'a body of 1 MiB and a byte': [sized(1024 * 1024 + 1), 'payload_too_large'],
  'a body shorter than its Content-Length': [
    post(animal, { 'Content-Length': '30' }),
    'request_timeout',
  ],
  'a body shorter than its Content-Length, then the end': [
    post(animal, { 'Content-Length': '30' }),
    'malformed_request',
    { halfClose: true },
  ],
  // The rest is the start of a next request, and none.
  'a body longer than its Content-Length': [
    post(animal, { 'Content-Length': '28', Connection: undefined }),
    'malformed_request',
    {
      before: [400],
      check: (exchange) =>
        expect(JSON.parse(exchange.answers[0]?.text ?? '').code).toBe('malformed_json'),
    },
  ],
};

function expectUnpolluted(exchange: RawExchange): void {
  plain(exchange);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(({} as Record<string, unknown>).status).toBeUndefined();
}
