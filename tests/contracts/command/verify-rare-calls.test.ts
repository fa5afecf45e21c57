import { expect, it } from 'vitest';
import { serveDocument, toDocument } from '../../support/serve-document.ts';
import { verify } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

const text = { type: 'string' };
const answer = (mediaType: string) => ({
  200: { description: 'Fine.', content: { [mediaType]: { schema: text } } },
});

it('takes the JSON that the document describes, whatever its media type is', async () => {
  const keys = { get: { operationId: 'listKeys', responses: answer('application/jwk-set+json') } };
  const { findings } = await verify({ spec: await writeJson(toDocument({ '/keys': keys })) });
  expect(findings).toEqual([]);
});

it('finds an OPTIONS that the document describes answered as it says', async () => {
  const proxy = { options: { operationId: 'askProxy', responses: answer('application/json') } };
  const document = toDocument({ '/proxy': proxy });
  const { findings } = await verify({ spec: await writeJson(document) });
  expect(findings).toEqual([]);
  const { call } = await serveDocument(document);
  expect(await call('/proxy', { method: 'OPTIONS' })).toMatchObject({ status: 200 });
  const preflight = { Origin: 'https://a.example', 'Access-Control-Request-Method': 'OPTIONS' };
  expect(await call('/proxy', { method: 'OPTIONS', headers: preflight })).toMatchObject({
    status: 204,
  });
});
