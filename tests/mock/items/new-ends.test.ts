import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

const time = { type: 'string', format: 'date-time', example: '2021-02-03T04:05:06Z' };
const orNull = { ...time, type: ['string', 'null'], readOnly: true };
const item = {
  type: 'object',
  required: ['id', 'name', 'deleted_at', 'cancelledAt', 'is_archived', 'expires_at', 'valid_until'],
  properties: {
    id: { type: 'integer', readOnly: true },
    name: { type: 'string' },
    deleted_at: orNull,
    cancelledAt: { ...orNull, format: undefined },
    is_archived: { type: 'boolean', readOnly: true },
    revoked_at: { ...time, readOnly: true },
    expires_at: { ...time, readOnly: true },
    valid_until: { ...time, readOnly: true, format: 'date', example: '2021-02-03' },
  },
};
const document = documentOf(
  'GET /tokens -> [Item]\nPOST /tokens Item -> 201 Item\nGET /tokens/{id} -> Item',
  { Item: item },
);

it('begins with nothing deleted, archived, cancelled or expired, and makes nothing such', async () => {
  const { send } = await serveDocument(document, { pets: 6 });
  const { json: made } = await send('POST', '/tokens', { name: 'CI' });
  const { json: seeds } = await send('GET', '/tokens');
  for (const token of [made, ...seeds]) {
    expect(token).toMatchObject({ deleted_at: null, cancelledAt: null, is_archived: false });
    expect(token).not.toHaveProperty('revoked_at');
    for (const name of ['expires_at', 'valid_until'])
      expect(Date.parse(token[name])).toBeGreaterThan(Date.UTC(2034));
  }
});
