import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { builtInDocument } from '../../../common/built-in-document.ts';
import { keyFieldsOf } from '../../../contracts/traffic/credentials.ts';
import { createKeyBook } from '../../../contracts/traffic/key-book.ts';
import { type RecordedBody, readOutcome } from '../../../contracts/traffic/read-outcome.ts';
import { toCall } from '../../../contracts/traffic/to-call.ts';
import { compile } from '../../../openapi/index.ts';

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
