import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { startServer } from '../../support/start-server.ts';
import { resultOf, verify } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

const securitySchemes = {
  header: { type: 'apiKey', in: 'header', name: 'X-Shop-Key' },
  query: { type: 'apiKey', in: 'query', name: 'shop_key' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'shop' },
  basic: { type: 'http', scheme: 'basic' },
};

const names = Object.keys(securitySchemes) as (keyof typeof securitySchemes)[];

/** A document with an operation for each scheme, and one that is open. */
function writeShop() {
  const lines = [...names, 'open'].map((name) => `GET /${name} -> object, 401`);
  const secured = names.map((name) => [`GET /${name}`, { security: [{ [name]: [] }] }]);
  const operations = Object.fromEntries(secured);
  return writeJson(
    documentOf(lines.join('\n'), {}, { operations, components: { securitySchemes } }),
  );
}

/** A shop that asks for its key as the document says, but for the operations in `open`. */
function startShop(...open: string[]): Promise<string> {
  return startServer(({ segments: [name = ''], query, headers }) => {
    const sent: Record<string, unknown> = {
      header: headers['x-shop-key'],
      query: query.get('shop_key'),
      cookie: headers.cookie?.replace('shop=', ''),
      basic: Buffer.from(headers.authorization?.slice(6) ?? '', 'base64')
        .toString()
        .split(':')[1],
    };
    const isIn = name === 'open' || open.includes(name) || sent[name] === 'k-1';
    const challenge = { 'WWW-Authenticate': 'Shop realm="shop"' };
    return { status: isIn ? 200 : 401, body: {}, headers: challenge };
  });
}

const verifyShop = async (url: string, key = 'k-1') =>
  verify({
    ...{ allowWrites: true, twin: false, spec: await writeShop() },
    target: { url, keys: [key] },
  });

it('sends the key where the document asks for it', async () => {
  const report = await verifyShop(await startShop());
  expect(report.findings).toEqual([]);
  expect(resultOf(report, 'key-required')).toEqual({ verdict: 'kept', held: 8 });
});

it.each(names)('finds that a key in the %s is not asked for', async (name) => {
  const { findings } = await verifyShop(await startShop(name));
  expect(findings.map(({ check, operation }) => [check, operation])).toEqual([
    ['key-required', `GET /${name}`],
  ]);
  expect(findings[0]?.message).toContain('a call without a key');
  expect(JSON.stringify(findings)).not.toContain('k-1');
});

it('says that a key is refused, and not that the operations are wrong', async () => {
  const url = await startShop();
  await expect(verifyShop(url, 'k-2')).rejects.toThrow(
    `The target at ${url} accepts none of the keys (it answered 401). Give a valid one with keys.`,
  );
});

it('takes an operation that anybody may call for open, with a key for its scheme too', async () => {
  const keys: unknown[] = [];
  const url = await startServer(({ headers }) => {
    keys.push(headers['x-shop-key']);
    return { status: 200, body: {} };
  });
  const operations = { 'GET /shop': { security: [{ header: [] }, {}] } };
  const more = { operations, components: { securitySchemes } };
  const spec = await writeJson(documentOf('GET /shop -> object, 401', {}, more));
  const given = [{ key: 'k-1', scheme: 'header' }];
  const { findings } = await verify({ twin: false, spec, target: { url, keys: given } });
  expect(findings).toEqual([]);
  expect(keys).toContain('k-1');
});
