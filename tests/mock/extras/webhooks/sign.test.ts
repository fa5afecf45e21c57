import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { makeSecret, signatureOf } from '../../../../mock/extras/webhooks/sign.ts';
import { toDocumentHint } from '../../../../openapi/hint.ts';

const signed = { id: 'msg_1', body: '{"id":1}' };

it('signs by Standard Webhooks, with a secret of its form or any other', () => {
  const at = Date.now();
  const own = makeSecret();
  const headers = signatureOf({ ...signed, at, secret: own }, undefined);
  expect(new Webhook(own).verify(signed.body, headers)).toEqual({ id: 1 });
  const plain = signatureOf({ ...signed, at, secret: 'not base64!' }, undefined);
  expect(new Webhook('not base64!', { format: 'raw' }).verify(signed.body, plain)).toEqual({
    id: 1,
  });
  expect(makeSecret()).not.toBe(own);
});

it('signs with the header that a document names', () => {
  const hint = toDocumentHint({
    'x-twin': {
      webhooks: {
        header: 'Shop-Signature',
        signs: '{timestamp}.{body}',
        value: 't={timestamp},v1={signature}',
      },
    },
  });
  const hex = createHmac('sha256', 's3cret').update('1700000000.{"id":1}').digest('hex');
  expect(
    signatureOf({ ...signed, at: 1_700_000_000_999, secret: 's3cret' }, hint.webhooks),
  ).toEqual({
    'webhook-id': 'msg_1',
    'webhook-timestamp': '1700000000',
    'Shop-Signature': `t=1700000000,v1=${hex}`,
  });
  const base64 = createHmac('sha1', 's3cret').update(signed.body).digest('base64');
  const other = { header: 'X-Signature', algorithm: 'sha1', encoding: 'base64' } as const;
  expect(signatureOf({ ...signed, at: 0, secret: 's3cret' }, other)['X-Signature']).toBe(base64);
});

it.each(['Shop', 'X-Seal', 'X-Gitlab-Token', 'Authorization', 'Content-Digest', 'x.mac'])(
  'signs in any header that has no other use: %s',
  (header) => {
    expect(toDocumentHint({ 'x-twin': { webhooks: { header } } })).toEqual({
      webhooks: { header },
    });
  },
);

it.each([
  [{ header: 'a b' }],
  [{ header: 'a:b' }],
  [{ header: '' }],
  [{ header: ['Shop'] }],
  [{ header: 'A', algorithm: 'md5' }],
  [{ header: 'A', encoding: 'utf8' }],
  [{ header: 'A', signs: 1 }],
  ['A'],
])('leaves out a hint that is no signature: %j', (webhooks) => {
  expect(toDocumentHint({ 'x-twin': { webhooks } })).toEqual({});
});
