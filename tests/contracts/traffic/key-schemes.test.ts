import { expect, it } from 'vitest';
import type { Report } from '../../../contracts/report/events.ts';
import type { RawHeader } from '../../../contracts/transcript/exchange.ts';
import { compile } from '../../../openapi/index.ts';
import { documentOf } from '../../support/document-of.ts';
import { judgeTraffic, passed } from '../../support/traffic.ts';
import { resultOf } from '../../support/verify-writes.ts';

const baseUrl = 'http://shop.test';

/** The ways in that documents describe, and one credential for each. */
const securitySchemes = {
  header: { type: 'apiKey', in: 'header', name: 'X-Shop-Key' },
  query: { type: 'apiKey', in: 'query', name: 'appid' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
  authorization: { type: 'apiKey', in: 'header', name: 'Authorization' },
  basic: { type: 'http', scheme: 'basic' },
  bearer: { type: 'http', scheme: 'bearer' },
  oauth: { type: 'oauth2', flows: {} },
  openId: { type: 'openIdConnect', openIdConnectUrl: 'https://id.test' },
  certificate: { type: 'mutualTLS' },
};
type Sent = { headers?: RawHeader[]; query?: string };
const own = (value: string): Sent => ({ headers: [['X-Shop-Key', value]] });
const authorized = (value: string): Sent => ({ headers: [['Authorization', value]] });
const basic = (pair: string) => authorized(`Basic ${btoa(pair)}`);

const documentWith = (security: object[]) =>
  compile(
    documentOf(
      `
      listThings: GET /things -> [{ id!: int }], 401
      readThing: GET /things/{id} -> { id!: int }, 404
      `,
      {},
      { security, components: { securitySchemes } },
    ),
  );

type Call = { path?: string; status?: number; body?: unknown } & Sent;

/** Judges calls that were made a minute after each other. */
function judgeCalls(security: object[], calls: Call[]): Promise<Report> {
  const recorded = calls.map(
    ({ path = '/things', query = '', headers = [], status = 200, body }, index) => {
      const shown = status < 300 ? (path === '/things' ? [] : { id: 1 }) : {};
      return passed({
        ...{ url: `${baseUrl}${path}${query && `?${query}`}`, sent: headers, status },
        ...{ answer: body ?? shown, sentAt: index * 60_000 + 0.5 },
      });
    },
  );
  return judgeTraffic(recorded, { baseUrl, document: documentWith(security), keys: [] });
}

/** Returns what is wrong besides statuses that the document does not list. */
const broken = ({ findings }: Report) =>
  findings
    .filter(({ verdict }) => verdict !== 'undocumented')
    .map(({ check, verdict, operations }) => [check, verdict, operations.length]);

const ways: [name: string, security: object[], valid: Sent, other: Sent][] = [
  ['a key in a header', [{ header: [] }], own('alpha-1'), own('alpha-2')],
  ['a key in the query', [{ query: [] }], { query: 'appid=alpha-1' }, { query: 'appid=alpha-2' }],
  [
    'a key in a cookie',
    [{ cookie: [] }],
    { headers: [['Cookie', 'theme=dark; sid=alpha-1']] },
    { headers: [['Cookie', 'theme=dark; sid=alpha-2']] },
  ],
  ['a key in Authorization', [{ authorization: [] }], authorized('alpha-1'), authorized('alpha-2')],
  [
    'a key in Authorization behind a word',
    [{ authorization: [] }],
    authorized('Token alpha-1'),
    authorized('Token alpha-2'),
  ],
  ['Basic', [{ basic: [] }], basic('me:secret'), basic('me:wrong')],
  ['a bearer token', [{ bearer: [] }], authorized('Bearer alpha-1'), authorized('Bearer alpha-2')],
  ['OAuth', [{ oauth: ['read'] }], authorized('Bearer alpha-1'), authorized('Bearer alpha-2')],
  ['OpenID', [{ openId: [] }], authorized('Bearer alpha-1'), authorized('Bearer alpha-2')],
  ['one of two', [{ basic: [] }, { header: [] }], own('alpha-1'), basic('me:wrong')],
  [
    'two at once',
    [{ query: [], header: [] }],
    { ...own('alpha-1'), query: 'appid=a' },
    { ...own('alpha-2'), query: 'appid=a' },
  ],
];

it.each(ways)('knows %s by what succeeded', async (...way) => {
  const [, security, valid, other] = way;
  const refused = { status: 401, body: { error: 'no' } };
  const kept = await judgeCalls(security, [valid, { ...other, ...refused }, { ...refused }]);
  expect(broken(kept)).toEqual([['challenge', 'standard', 1]]);
  expect(resultOf(kept, 'success-status')).toMatchObject({ verdict: 'kept', held: 1 });
  expect(resultOf(kept, 'key-required')).toMatchObject({ verdict: 'kept', held: 1 });
  expect(kept.targets[0]?.keys).toHaveLength(2);
  // Refused now and then, it is blamed.
  const again = { ...valid, status: 401 };
  const unsteady = await judgeCalls(security, [valid, again, valid, again, valid]);
  expect(unsteady.findings).toContainEqual(
    expect.objectContaining({ check: 'success-status', verdict: 'drift', count: 2 }),
  );
  // A call without any credential is seen as one.
  const open = await judgeCalls(security, [valid, {}, { status: 401 }]);
  expect(open.findings).toContainEqual(
    expect.objectContaining({ check: 'key-required', verdict: 'drift', count: 1 }),
  );
  // No key is shown, also where an answer repeats it.
  const repeated = await judgeCalls(security, [{ ...valid, status: 500, body: valid }]);
  expect(JSON.stringify(repeated.findings)).not.toMatch(/alpha-1|secret|bWU6/);
});

it.each<[what: string, security: object[], call: Call]>([
  ['part of what is needed', [{ query: [], header: [] }], own('alpha-1')],
  ['a session that nobody describes', [{ header: [] }], { headers: [['Cookie', 'session=1']] }],
  ['a header that may hold a key', [{ header: [] }], { headers: [['X-Private-Token', 'a']] }],
  ['a scheme that nobody describes', [{ header: [] }], authorized('Negotiate abc')],
  ['a parameter that may hold a key', [{ cookie: [] }], { query: 'access_token=abc' }],
  ['a certificate, perhaps', [{ certificate: [] }], {}],
  ['nothing, where it may be left out', [{ header: [] }, {}], {}],
])('does not say that a call with %s had no key', async (_, security, call) => {
  expect(broken(await judgeCalls(security, [call, call]))).toEqual([]);
});

it('blames nobody for refusing a credential that need not be sent, or that is not seen', async () => {
  const refused = { status: 403 };
  expect(broken(await judgeCalls([{ header: [] }, {}], [{ ...own('old'), ...refused }]))).toEqual(
    [],
  );
  expect(broken(await judgeCalls([{ certificate: [] }], [refused]))).toEqual([]);
});

it('blames nobody for keys that may not have each item, or not with each operation', async () => {
  const calls = ['alpha-1', 'alpha-2'].flatMap((key) =>
    [1, 2, 3].flatMap((round): Call[] => [
      { ...own(key), path: '/things/1' },
      { ...own(key), path: `/things/${round + 1}`, status: 403 },
      { ...own(key), status: 401 },
    ]),
  );
  const report = await judgeCalls([{ header: [] }], calls);
  expect(report.findings.filter(({ verdict }) => verdict === 'drift')).toEqual([]);
});

it('judges what a deployment without its security answers, and says that once', async () => {
  const report = await judgeCalls(
    [{ header: [] }],
    [{}, { path: '/things/1' }, {}, { path: '/things/7', status: 404 }, { body: [{ id: 'x' }] }],
  );
  expect(broken(report)).toEqual([
    ['key-required', 'drift', 2],
    ['body-schema', 'drift', 1],
  ]);
  expect(resultOf(report, 'success-status')).toMatchObject({ verdict: 'kept', held: 4 });
  expect(resultOf(report, 'unknown-id')).toMatchObject({ verdict: 'kept', held: 1 });
});
