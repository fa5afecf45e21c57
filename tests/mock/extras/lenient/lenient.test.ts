import { expect, it } from 'vitest';
import { jsonOf, serveDocument, toDocument } from '../../../support/serve-document.ts';

/** What the journal says was tolerated in the last request. */
async function toleratedBy(origin: string): Promise<string[] | undefined> {
  const response = await fetch(`${origin}/__admin/requests?limit=1`);
  // biome-ignore lint/suspicious/noExplicitAny: the test looks into an entry.
  const { requests } = (await response.json()) as { requests: any[] };
  return requests[0].reason.tolerated;
}

const thing = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
const one = { get: { responses: { 200: jsonOf(thing) } } };

it('answers with the default media type where Accept fits nothing, and notes it', async () => {
  const { call, origin } = await serveDocument(toDocument({ '/thing': one }));
  const html = { headers: { Accept: 'text/html' } };
  expect(await call('/thing', html)).toMatchObject({ status: 200, type: 'application/json' });
  expect(await toleratedBy(origin)).toEqual([
    'Accept allows no media type of the response: text/html.',
  ]);
  const vendor = { headers: { Accept: 'application/vnd.shop.v3+json;version=2' } };
  expect(await call('/thing', vendor)).toMatchObject({ status: 200, type: 'application/json' });
  expect(await toleratedBy(origin)).toBeUndefined();
});

it('refuses it with strictRequests, and where the document says so', async () => {
  const html = { headers: { Accept: 'text/html' } };
  const asked = await serveDocument(toDocument({ '/thing': one }), { strictRequests: true });
  expect(await asked.call('/thing', html)).toMatchObject({ status: 406 });
  const strict = { 'x-twin': { requests: 'strict' } };
  const described = await serveDocument(toDocument({ '/thing': one }, strict));
  expect(await described.call('/thing', html)).toMatchObject({ status: 406 });
});
