import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { builtInDocument } from '../../../common/built-in-document.ts';
import { asRead } from '../../../contracts/traffic/as-read.ts';
import { keyFieldsOf, readCredential } from '../../../contracts/traffic/credentials.ts';
import { createKeyBook } from '../../../contracts/traffic/key-book.ts';
import { type RecordedBody, readOutcome } from '../../../contracts/traffic/read-outcome.ts';
import { sentBodyOf } from '../../../contracts/traffic/sent-body.ts';
import { toCall } from '../../../contracts/traffic/to-call.ts';
import type { RawHeader } from '../../../contracts/transcript/exchange.ts';
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

const keys = createKeyBook([{ secret: 'secret-key-1' }]);
const authorized = (value: string): RawHeader[] => [['authorization', value]];

it.each<[headers: RawHeader[], query: string, form: string]>([
  [authorized('Bearer secret-key-1'), '', 'token'],
  [authorized('bearer secret-key-1'), '', 'token'],
  [authorized('Bearer somebody-elses'), '', 'token'],
  [authorized('Bearer undefined'), '', 'unknown'],
  [authorized('Bearer'), '', 'scheme-only'],
  [authorized(''), '', 'empty'],
  [authorized('secret-key-1'), '', 'no-scheme'],
  [authorized('Token secret-key-1'), '', 'other-scheme'],
  [authorized(`Basic ${btoa('secret-key-1:')}`), '', 'basic'],
  [authorized(`Basic ${btoa('user:password')}`), '', 'basic'],
  [[], '', 'none'],
  [[], 'limit=3', 'none'],
  [[], 'access_token=anything', 'in-query'],
  [[], 'k=secret-key-1', 'in-query'],
  [[['X-API-Key', 'anything']], '', 'unclear'],
  [[['Cookie', 'session=1']], '', 'unclear'],
])('reads the credential of %j ?%s as %s', (headers, query, form) => {
  expect(readCredential(headers, new URLSearchParams(query), keys).form).toBe(form);
});

it('names keys in the order in which they are seen, and no more than it can remember', () => {
  const book = createKeyBook([{ plan: 'free', secret: 'a' }, { secret: 'b' }]);
  expect(['a', 'b', 'c', 'a'].map(book.nameOf)).toEqual(['free-1', 'key-1', 'key-2', 'free-1']);
  for (let number = 0; number < 600; number++) book.nameOf(`wrong-${number}`);
  expect(book.nameOf('one-more')).toBeUndefined();
  expect(book.nameOf('c')).toBe('key-2');
});

const form = 'application/x-www-form-urlencoded';

const multipart = 'multipart/form-data; boundary=X';

/** A form with fields that have these parameters. */
function toParts(...fields: string[]): string {
  const parts = fields.map((one) => `--X\r\nContent-Disposition: form-data; ${one}\r\n\r\n1\r\n`);
  return `${parts.join('')}--X--\r\n`;
}

const readSent = (text: string, type: string) =>
  sentBodyOf({
    method: 'POST',
    url: 'https://host/',
    headers: [['content-type', type]],
    body: { bytes: Buffer.from(text) },
  });

it.each([
  ['{"a":[1]}', 'application/json', { a: [1] }],
  ['no JSON', 'application/json', undefined],
  ['a=1&b=x+y', form, { a: '1', b: 'x y' }],
  ['a[b]=1&a[c][d]=2', `${form}; charset=utf-8`, { a: { b: '1', c: { d: '2' } } }],
  ['a[]=1&a[]=2', form, { a: ['1', '2'] }],
  ['a[0]=1&a[1]=2', form, { a: ['1', '2'] }],
  ['__proto__[x]=1', form, JSON.parse('{"__proto__":{"x":"1"}}')],
  ['=1&[=2', form, { '': '1', '[': '2' }],
  [toParts('name="a"', 'name="b[c]"'), multipart, { a: '1', b: { c: '1' } }],
  [toParts('name="f"; filename="x.txt"'), multipart, { f: { 'filename*': 'x.txt' } }],
  [toParts('name="f"; filename*=utf-8\'\'x'), multipart, { f: { 'filename*': "utf-8''x" } }],
  ['no parts', multipart, {}],
])('reads %s as %s', (text, type, body) => {
  expect(readSent(text, type)).toEqual(body);
});

it('reads no body where there is none', () => {
  expect(sentBodyOf({ method: 'GET', url: 'https://host/', headers: [] })).toBeUndefined();
});

const bytes = Buffer.from('[{"id":9007199254740993}]');
const undecodable = 'the body does not match its Content-Encoding';

it.each<[what: string, body: RecordedBody, outcome: object]>([
  [
    'a packed body, large integers exactly',
    { bytes: gzipSync(bytes) },
    { response: { status: 200, json: [{ id: 9007199254740993n }], size: bytes.length } },
  ],
  [
    'a body that was unpacked before',
    { bytes, isDecoded: true },
    { response: { text: `${bytes}` } },
  ],
  [
    'no body of which only the beginning was recorded',
    { bytes: gzipSync(bytes).subarray(0, 10), isCut: true },
    { response: { json: undefined, unjudged: 'only the beginning was recorded' } },
  ],
  [
    'no body that was not recorded',
    { bytes: Buffer.alloc(0), isCut: true },
    { response: { unjudged: 'no body was recorded' } },
  ],
  [
    'bytes that do not fit their encoding',
    { bytes },
    { failure: { kind: 'undecodable', message: undecodable } },
  ],
  [
    'no more than a bound of a body that decodes to too much',
    { bytes: gzipSync(Buffer.alloc(9 * 1024 * 1024)) },
    { response: { tooLarge: 'an answer of more than 8 MiB' } },
  ],
])('reads %s', async (_, body, outcome) => {
  const headers = [['content-encoding', 'gzip']] as const;
  expect(await readOutcome({ response: { status: 200, headers, body } })).toMatchObject(outcome);
});

it('takes exchanges within one recorded millisecond as under way together, and precise times as they are', async () => {
  const document = await compile(builtInDocument);
  const spanOf = async (sentAt: number, endedAt: number) => {
    const { exchange } = await toCall(
      {
        request: { method: 'GET', url: 'http://127.0.0.1:4010/v1/pets', headers: [] },
        response: { status: 200, headers: [], body: { bytes: Buffer.from('[]') } },
        ...{ sentAt, endedAt },
      },
      '/pets',
      1,
      { document, fields: keyFieldsOf(document), keys: createKeyBook([]) },
    );
    return exchange;
  };
  const [first, second] = [await spanOf(1000, 1000), await spanOf(1000, 1001)];
  expect(first.endedAt).toBeGreaterThan(second.sentAt);
  expect(await spanOf(1000.25, 1000.5)).toMatchObject({ sentAt: 1000.25, endedAt: 1000.5 });
});
