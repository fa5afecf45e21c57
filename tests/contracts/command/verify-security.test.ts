import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { listenOn } from '../../support/listen-on.ts';
import { verify } from '../../support/verify-writes.ts';
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
  const json = { 'application/json': { schema: { type: 'object' } } };
  const responses = {
    200: { description: 'ok', content: json },
    401: { description: 'refused' },
  };
  const paths = Object.fromEntries(
    names.map((name) => [`/${name}`, { get: { security: [{ [name]: [] }], responses } }]),
  );
  return writeJson({
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    components: { securitySchemes },
    paths: { ...paths, '/open': { get: { responses } } },
  });
}

/** A shop that asks for its key as the document says, but for the operations in `open`. */
async function startShop(...open: string[]): Promise<string> {
  const server = createServer(({ url = '', headers }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://shop');
    const sent: Record<string, unknown> = {
      header: headers['x-shop-key'],
      query: searchParams.get('shop_key'),
      cookie: headers.cookie?.replace('shop=', ''),
      basic: Buffer.from(headers.authorization?.slice(6) ?? '', 'base64')
        .toString()
        .split(':')[1],
    };
    const name = pathname.slice(1);
    const isIn = name === 'open' || open.includes(name) || sent[name] === 'k-1';
    response
      .writeHead(isIn ? 200 : 401, {
        'WWW-Authenticate': 'Shop realm="shop"',
        'Content-Type': 'application/json',
      })
      .end('{}');
  });
  onTestFinished(() => void server.close());
  return listenOn(server);
}

it('sends the key where the document asks for it', async () => {
  const report = await verify({
    allowWrites: true,
    target: { url: await startShop(), keys: ['k-1'] },
    twin: false,
    spec: await writeShop(),
  });
  expect(report.findings).toEqual([]);
  expect(report.clauses.find(({ id }) => id === 'key-required')?.results.target).toEqual({
    verdict: 'kept',
    held: 8,
  });
});

it.each(names)('finds that a key in the %s is not asked for', async (name) => {
  const { findings } = await verify({
    allowWrites: true,
    target: { url: await startShop(name), keys: ['k-1'] },
    twin: false,
    spec: await writeShop(),
  });
  expect(findings.map(({ check, operation }) => [check, operation])).toEqual([
    ['key-required', `GET /${name}`],
  ]);
  expect(findings[0]?.message).toContain('a call without a key');
  expect(JSON.stringify(findings)).not.toContain('k-1');
});

it('says that a key is refused, and not that the operations are wrong', async () => {
  const spec = await writeShop();
  const url = await startShop();
  await expect(
    verify({ allowWrites: true, target: { url, keys: ['k-2'] }, twin: false, spec }),
  ).rejects.toThrow(
    `The target at ${url} accepts none of the keys (it answered 401). Give a valid one with keys.`,
  );
});
