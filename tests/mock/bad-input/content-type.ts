import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect } from 'vitest';
import { animal, type BadInput, post } from '../../support/bad-input.ts';

const refused = { status: 415, code: 'unsupported_media_type' } as const;
const stored = { status: 201, creates: 1 } as const;
const malformed = { status: 400, code: 'malformed_json' } as const;
const tooLarge = { status: 413, code: 'payload_too_large' } as const;
const typed = (type: string | undefined, body: string | Buffer = animal) =>
  post(body, { 'Content-Type': type });
const coded = (coding: string, body: Buffer) => post(body, { 'Content-Encoding': coding });
const gzipped = gzipSync(animal);
const million = Buffer.alloc(20_000_000, ' ');

/** Content-Type and Content-Encoding. */
export const contentType: BadInput[] = [
  { id: 114, name: 'no Content-Type', send: typed(undefined), ...refused, check: expectAccept },
  { id: 115, name: 'text/plain', send: typed('text/plain'), ...refused, check: expectAccept },
  {
    id: 116,
    name: 'application/vnd.x+json',
    send: typed('application/vnd.x+json'),
    ...refused,
    why: 'Bodies are application/json (§1, §4.2); this is another media type.',
  },
  {
    id: 117,
    name: 'a type in capitals',
    send: typed('APPLICATION/JSON'),
    ...stored,
    why: 'Types are case-insensitive (RFC 9110 §8.3.1).',
  },
  { id: 118, name: 'charset=UTF-8', send: typed('application/json; charset=UTF-8'), ...stored },
  { id: 118, name: 'charset="utf-8"', send: typed('application/json;charset="utf-8"'), ...stored },
  {
    id: 119,
    name: 'charset=utf-16',
    send: typed('application/json; charset=utf-16', Buffer.from(animal, 'utf16le')),
    ...refused,
  },
  {
    id: 120,
    name: 'charset=utf-7',
    send: typed('application/json; charset=utf-7', '{"name":"+ADw-script+AD4-","categoryId":1}'),
    ...refused,
  },
  {
    id: 121,
    name: 'charset=iso-8859-1',
    send: typed('application/json; charset=iso-8859-1'),
    ...refused,
  },
  {
    id: 122,
    name: 'two types with a comma',
    send: typed('application/json, text/plain'),
    ...refused,
  },
  {
    id: 123,
    name: 'a parameter that is not one',
    send: typed('application/json; charset; =x'),
    ...stored,
    why: 'The type is clear, and JSON gives its parameters no meaning (RFC 8259 §11).',
  },
  {
    id: 124,
    name: 'multipart/form-data',
    send: typed(
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nRex\r\n--b--\r\n',
    ),
    ...refused,
  },
  {
    id: 125,
    name: 'a form',
    send: typed('application/x-www-form-urlencoded', 'name=Rex&categoryId=1'),
    ...refused,
  },
  { id: 126, name: 'gzip', send: coded('gzip', gzipped), ...stored },
  { id: 126, name: 'GZIP in capitals', send: coded('GZIP', gzipped), ...stored },
  {
    id: 126,
    name: 'gzip in two members',
    send: coded('gzip', Buffer.concat([gzipSync('{"name":"Rex",'), gzipSync('"categoryId":1}')])),
    ...stored,
  },
  { id: 126, name: 'deflate', send: coded('deflate', deflateSync(animal)), ...stored },
  { id: 127, name: 'br', send: coded('br', brotliCompressSync(animal)), ...stored },
  { id: 128, name: 'zstd', send: coded('zstd', zstdCompressSync(animal)), ...stored },
  {
    id: 129,
    name: 'gzip, gzip',
    send: coded('gzip, gzip', gzipSync(gzipped)),
    ...refused,
    check: ({ answers }) =>
      expect(answers[0]?.headers['accept-encoding']).toBe('gzip, deflate, br, zstd'),
  },
  { id: 129, name: 'an unknown coding', send: coded('lzma', gzipped), ...refused },
  { id: 130, name: 'a broken gzip', send: coded('gzip', Buffer.from(animal)), ...malformed },
  { id: 130, name: 'half a gzip', send: coded('gzip', gzipped.subarray(0, 20)), ...malformed },
  { id: 130, name: 'a broken br', send: coded('br', Buffer.from(animal)), ...malformed },
  { id: 130, name: 'a broken deflate', send: coded('deflate', Buffer.from(animal)), ...malformed },
  { id: 130, name: 'a broken zstd', send: coded('zstd', Buffer.from(animal)), ...malformed },
  {
    id: 131,
    name: 'gzip and more behind it',
    send: coded('gzip', Buffer.concat([gzipped, Buffer.from('more')])),
    ...malformed,
  },
  { id: 132, name: 'a gzip bomb', send: coded('gzip', gzipSync(million)), ...tooLarge },
  { id: 132, name: 'a br bomb', send: coded('br', brotliCompressSync(million)), ...tooLarge },
  { id: 132, name: 'a zstd bomb', send: coded('zstd', zstdCompressSync(million)), ...tooLarge },
  {
    id: 132,
    name: 'a bomb in a bomb',
    send: coded('gzip', gzipSync(gzipSync(million))),
    ...malformed,
    why: 'One coding is named, so one layer is taken off; what is left is no JSON.',
  },
];

function expectAccept({
  answers,
}: {
  answers: readonly { headers: Record<string, string> }[];
}): void {
  expect(answers[0]?.headers.accept).toBe('application/json');
}
