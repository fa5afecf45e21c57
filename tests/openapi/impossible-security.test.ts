import { expect, it } from 'vitest';
import { compile } from '../../openapi/index.ts';
import { alternativesOf } from '../../openapi/security.ts';

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'basic' },
  oauth: { type: 'oauth2', flows: {} },
  openid: { type: 'openIdConnect', openIdConnectUrl: 'https://example.com/' },
  raw: { type: 'apiKey', in: 'header', name: 'authorization' },
  key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  other: { type: 'apiKey', in: 'header', name: 'X-KEY' },
  query: { type: 'apiKey', in: 'query', name: 'X-Key' },
  certificate: { type: 'mutualTLS' },
};

const toRequirement = (names: string[]) => Object.fromEntries(names.map((name) => [name, []]));

it.each([
  ['bearer basic', 'bearer | basic'],
  ['oauth basic key', 'oauth key | basic key'],
  ['raw bearer', 'raw | bearer'],
  ['key other', 'key | other'],
  [
    'bearer basic certificate key other',
    'bearer certificate key | bearer certificate other | basic certificate key | basic certificate other',
  ],
  // One token, or one request, may be all that is asked.
  ['oauth openid bearer', 'oauth openid bearer'],
  ['bearer key query certificate', 'bearer key query certificate'],
])('reads security that needs %s as %s', (names, read) => {
  const asked = names.split(' ');
  const ways = read.split(' | ').map((way) => way.split(' '));
  const ofOperation = [{}, toRequirement(asked)];
  const { operations, written } = compile({
    openapi: '3.1.0',
    components: { securitySchemes },
    security: [toRequirement(asked)],
    paths: {
      '/own': { get: { security: ofOperation, responses: {} } },
      '/general': { get: { responses: {} } },
    },
  });
  const shown = operations.map(({ waysIn }) =>
    waysIn.map((way) => way.map(({ scheme }) => scheme.name).toSorted()),
  );
  const expected = ways.map((way) => way.toSorted());
  expect(shown).toEqual([[[], ...expected], expected]);
  expect(written.warnings.map(({ pointer }) => pointer)).toEqual(
    ways.length > 1 ? ['#/security/0', '#/paths/~1own/get/security/1'] : [],
  );
});

it('reads Swagger in the same way', () => {
  const { operations, written } = compile({
    swagger: '2.0',
    securityDefinitions: {
      basic: { type: 'basic' },
      token: { type: 'apiKey', in: 'header', name: 'Authorization' },
    },
    paths: { '/a': { get: { security: [{ basic: [], token: [] }], responses: {} } } },
  });
  expect(operations[0]?.waysIn).toHaveLength(2);
  expect(written.warnings).toEqual([
    {
      pointer: '#/paths/~1a/get/security/0',
      problem:
        '"basic" and "token" need the same field, so no request meets all; they are read as alternatives',
    },
  ]);
});

it('reads no more alternatives than it keeps', { timeout: 5000 }, () => {
  const names = Array.from({ length: 40 }, (_, index) => [`a${index}`, `b${index}`]).flat();
  const toScheme = (name: string) => ({ type: 'apiKey', in: 'header', name: `X-${name.slice(1)}` });
  const schemes = Object.fromEntries(names.map((name) => [name, toScheme(name)]));
  const raw = { components: { securitySchemes: schemes } };
  expect(alternativesOf(raw, toRequirement(names))?.ways).toHaveLength(100);
});

it.each(['Acme-Version', 'apiVersion'])('asks for no %s, which is no credential', (name) => {
  const version = { type: 'apiKey', in: 'header', name };
  const { operations } = compile({
    openapi: '3.1.0',
    components: { securitySchemes: { key: securitySchemes.key, version } },
    security: [{ key: [], version: [] }],
    paths: { '/pets': { get: { responses: {} } } },
  });
  expect(operations[0]?.waysIn.map((way) => way.map(({ scheme }) => scheme.name))).toEqual([
    ['key'],
  ]);
});
