import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect } from 'vitest';
import { animal, type BadInputs, post } from '../../support/bad-input.ts';

const typed = (type: string | undefined, body: string | Buffer = animal) =>
  post(body, { 'Content-Type': type });
const coded = (coding: string, body: Buffer) => post(body, { 'Content-Encoding': coding });
const gzipped = gzipSync(animal);
const million = Buffer.alloc(20_000_000, ' ');

/** Content-Type and Content-Encoding. */
export const contentType: BadInputs = {
  'no Content-Type': [typed(undefined), 'unsupported_media_type', { check: expectAccept }],
  'text/plain': [typed('text/plain'), 'unsupported_media_type', { check: expectAccept }],
  // Bodies are application/json (§1, §4.2); this is another media type.
  'application/vnd.x+json': [typed('application/vnd.x+json'), 'unsupported_media_type'],
  // Types are case-insensitive (RFC 9110 §8.3.1).
  'a type in capitals': [typed('APPLICATION/JSON'), 201],
  'charset=UTF-8': [typed('application/json; charset=UTF-8'), 201],
  'charset="utf-8"': [typed('application/json;charset="utf-8"'), 201],
  'charset=utf-16': [
    typed('application/json; charset=utf-16', Buffer.from(animal, 'utf16le')),
    'unsupported_media_type',
  ],
  'charset=utf-7': [
    typed('application/json; charset=utf-7', '{"name":"+ADw-script+AD4-","categoryId":1}'),
    'unsupported_media_type',
  ],
  'charset=iso-8859-1': [typed('application/json; charset=iso-8859-1'), 'unsupported_media_type'],
  'two types with a comma': [typed('application/json, text/plain'), 'unsupported_media_type'],
  // The type is clear, and JSON gives its parameters no meaning (RFC 8259 §11).
  'a parameter that is not one': [typed('application/json; charset; =x'), 201],
  'multipart/form-data': [
    typed(
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nRex\r\n--b--\r\n',
    ),
    'unsupported_media_type',
  ],
  'a form': [
    typed('application/x-www-form-urlencoded', 'name=Rex&categoryId=1'),
    'unsupported_media_type',
  ],
  gzip: [coded('gzip', gzipped), 201],
  'GZIP in capitals': [coded('GZIP', gzipped), 201],
  'gzip in two members': [
    coded('gzip', Buffer.concat([gzipSync('{"name":"Rex",'), gzipSync('"categoryId":1}')])),
    201,
  ],
  deflate: [coded('deflate', deflateSync(animal)), 201],
  br: [coded('br', brotliCompressSync(animal)), 201],
  zstd: [coded('zstd', zstdCompressSync(animal)), 201],
  'gzip, gzip': [
    coded('gzip, gzip', gzipSync(gzipped)),
    'unsupported_media_type',
    {
      check: ({ answers }) =>
        expect(answers[0]?.headers['accept-encoding']).toBe('gzip, deflate, br, zstd'),
    },
  ],
  'an unknown coding': [coded('lzma', gzipped), 'unsupported_media_type'],
  'a broken gzip': [coded('gzip', Buffer.from(animal)), 'malformed_json'],
  'half a gzip': [coded('gzip', gzipped.subarray(0, 20)), 'malformed_json'],
  'a broken br': [coded('br', Buffer.from(animal)), 'malformed_json'],
  'a broken deflate': [coded('deflate', Buffer.from(animal)), 'malformed_json'],
  'a broken zstd': [coded('zstd', Buffer.from(animal)), 'malformed_json'],
  'gzip and more behind it': [
    coded('gzip', Buffer.concat([gzipped, Buffer.from('more')])),
    'malformed_json',
  ],
  'a gzip bomb': [coded('gzip', gzipSync(million)), 'payload_too_large'],
  'a br bomb': [coded('br', brotliCompressSync(million)), 'payload_too_large'],
  'a zstd bomb': [coded('zstd', zstdCompressSync(million)), 'payload_too_large'],
  // One coding is named, so one layer is taken off; what is left is no JSON.
  'a bomb in a bomb': [coded('gzip', gzipSync(gzipSync(million))), 'malformed_json'],
};

function expectAccept({
  answers,
}: {
  answers: readonly { headers: Record<string, string> }[];
}): void {
  expect(answers[0]?.headers.accept).toBe('application/json');
}
