import { expect, it } from 'vitest';
import { builtInDocument, loadDocument } from '../../../contracts/description/document.ts';
import { keyFieldsOf } from '../../../contracts/traffic/credentials.ts';
import { createKeyBook } from '../../../contracts/traffic/key-book.ts';
import { toCall } from '../../../contracts/traffic/to-call.ts';

const document = await loadDocument(builtInDocument);
const baseUrl = 'http://127.0.0.1:4010/v1';

async function spanOf(
  sentAt: number,
  endedAt: number,
): Promise<{ sentAt: number; endedAt: number }> {
  const { exchange } = await toCall(
    {
      request: { method: 'GET', url: `${baseUrl}/pets`, headers: [] },
      response: { status: 200, headers: [], body: { bytes: Buffer.from('[]') } },
      ...{ sentAt, endedAt },
    },
    '/pets',
    1,
    { document, bodies: new Map(), fields: keyFieldsOf(document), keys: createKeyBook([]) },
  );
  return exchange;
}

it('takes exchanges within one recorded millisecond as under way together', async () => {
  const [first, second] = [await spanOf(1000, 1000), await spanOf(1000, 1001)];
  expect(first.endedAt).toBeGreaterThan(first.sentAt);
  expect(first.endedAt).toBeGreaterThan(second.sentAt);
});

it('takes precise times as they are', async () => {
  expect(await spanOf(1000.25, 1000.5)).toMatchObject({ sentAt: 1000.25, endedAt: 1000.5 });
});
