import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readOutcome } from '../../../contracts/traffic/read-outcome.ts';
import type { RecordedBody } from '../../../contracts/traffic/recorded-exchange.ts';

const bytes = Buffer.from('[{"id":9007199254740993}]');

function readGzip(body: RecordedBody) {
  const headers = [['content-encoding', 'gzip']] as const;
  return readOutcome({ response: { status: 200, headers, body } });
}

it('takes the content encoding off, and reads large integers exactly', async () => {
  expect(await readGzip({ bytes: gzipSync(bytes) })).toMatchObject({
    response: { status: 200, json: [{ id: 9007199254740993n }], size: bytes.length },
  });
});

it('takes no encoding off that a recording has taken off before', async () => {
  expect(await readGzip({ bytes, isDecoded: true })).toMatchObject({
    response: { text: bytes.toString() },
  });
});

it('judges no body of which only the beginning was recorded', async () => {
  const cut = { bytes: gzipSync(bytes).subarray(0, 10), isCut: true };
  expect(await readGzip(cut)).toMatchObject({
    response: { json: undefined, unjudged: 'only the beginning was recorded' },
  });
});

it('says of a body of which nothing was recorded that there is none', async () => {
  expect(await readGzip({ bytes: Buffer.alloc(0), isCut: true })).toMatchObject({
    response: { unjudged: 'no body was recorded' },
  });
});

it('reports bytes that do not fit their encoding', async () => {
  expect(await readGzip({ bytes })).toEqual({
    failure: { kind: 'undecodable', message: 'the body does not match its Content-Encoding' },
  });
});

it('reads no more than a bound of a body that decodes to too much', async () => {
  const bomb = gzipSync(Buffer.alloc(9 * 1024 * 1024));
  expect(await readGzip({ bytes: bomb })).toMatchObject({
    response: { tooLarge: 'an answer of more than 8 MiB' },
  });
});

it('reports what was recorded instead of an answer', async () => {
  const failure = { kind: 'dropped', message: 'ECONNRESET' } as const;
  expect(await readOutcome({ failure })).toEqual({ failure });
});
