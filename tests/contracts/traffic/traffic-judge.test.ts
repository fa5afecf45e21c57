import { expect, it, onTestFinished } from 'vitest';
import type { Report } from '../../../contracts/report/events.ts';
import type { RecordedExchange } from '../../../contracts/traffic/read-outcome.ts';
import type { RawHeader } from '../../../contracts/transcript/exchange.ts';
import { compile } from '../../../openapi/index.ts';
import { type DeploymentOptions, openDeployment } from '../../../tools/lab/deployment.ts';
import { documentOf } from '../../support/document-of.ts';
import { recordTranscript } from '../../support/recorded-transcript.ts';
import {
  type ClientCall,
  judgeTraffic,
  passed,
  record,
  toRecorded,
} from '../../support/traffic.ts';
import { resultOf } from '../../support/verify-writes.ts';

const key = 'k-pro-1';
const rex = { name: 'Rex of the hill', categoryId: 1, status: 'available' };

/** Makes calls one after the other, and judges what passed. */
async function judgeCalls(options: DeploymentOptions, calls: ClientCall[]): Promise<Report> {
  const { url, close } = await openDeployment(options);
  onTestFinished(close);
  const recorded = [];
  for (const call of calls) recorded.push(await record(url, { key, ...call }));
  return judgeTraffic(recorded, { baseUrl: url });
}

const gating = ({ findings }: Report) => findings.filter(({ verdict }) => verdict !== 'client');

it('finds nothing in the traffic of a client of a true deployment', async () => {
  const report = await judgeCalls({}, [
    { path: '/pets' },
    { path: '/pets?status=sold&limit=5' },
    { path: '/pets', method: 'POST', body: rex },
    { path: '/pets/46' },
    { path: '/pets/7777' },
    { path: '/pets', method: 'POST', body: { name: 'Nobody of note' } },
    { path: '/store/orders' },
    { path: '/elsewhere' },
    { path: '/pets?limit=0' },
  ]);
  expect(gating(report)).toEqual([]);
  expect(report).toMatchObject({ verdict: 'clean', targets: [{ requests: 9 }] });
  const open = report.silences.find(({ id }) => id === 'limit-out-of-range');
  expect(open?.observed.target).toMatch(/^\?limit=0: 400/);
  expect(resultOf(report, 'unknown-id')).toEqual({ verdict: 'kept', held: 1 });
  expect(resultOf(report, 'created-as-sent')).toEqual({ verdict: 'kept', held: 1 });
  expect(resultOf(report, 'operation-exists')).toEqual({ verdict: 'kept', held: 1 });
  expect(resultOf(report, 'retry-works')).toEqual({
    verdict: 'unobserved',
    held: 0,
    reason: 'no refused call was sent again after its Retry-After',
  });
});

it('counts what a browser opens as calls of its operation, although it asks for a page', async () => {
  const headers = { Accept: 'text/html,application/xml;q=0.9,*/*;q=0.8' };
  const report = await judgeCalls({}, [
    { path: '/pets', headers },
    { path: '/pets/46', headers },
  ]);
  expect(report.operations).toMatchObject([
    { id: 'listPets', results: { target: { calls: 1 } } },
    { id: 'createPet', results: { target: { calls: 0 } } },
    { id: 'getPet', results: { target: { calls: 1 } } },
    { id: 'listOrders', results: { target: { calls: 0 } } },
  ]);
  expect(resultOf(report, 'body-schema')).toMatchObject({ verdict: 'unobserved' });
});

it('counts a call that nobody answered as left out, and says so where the proxy ended first', async () => {
  const one = passed({
    ...{ url: 'http://shop.test/v1/pets', sentAt: Date.UTC(2030, 0, 1), took: 60_000 },
    failure: { kind: 'aborted', message: 'net::ERR_ABORTED' },
  });
  const ended: RecordedExchange = {
    ...one,
    // A fault of its client would count the call once more.
    request: { ...one.request, url: `${one.request.url}/1?api_key=some-key` },
    failure: { kind: 'aborted', message: 'the proxy ended before the answer' },
  };
  const report = await judgeTraffic([one, one, ended], { baseUrl: 'http://shop.test/v1' });
  expect(report).toMatchObject({
    verdict: 'incomplete',
    findings: [],
    incomplete: [
      '1 call was without a complete answer when the proxy ended',
      'no call of the target was judged',
    ],
    targets: [{ requests: 0, seconds: expect.closeTo(60, 1) }],
    traffic: {
      leftOut: [
        { reason: 'given up by the client', count: 2 },
        { reason: 'without a complete answer when the proxy ended', count: 1 },
      ],
      from: '2030-01-01T00:00:00.000Z',
    },
  });
});

it('knows which credentials are certainly none', async () => {
  const baseUrl = 'http://shop.test/v1';
  const judgeAnswer = async (credential: string, status: number) => {
    const answer = status < 300 ? [] : { code: 'refused', message: 'Refused.', status };
    const sent: RawHeader[] = [['authorization', credential]];
    return judgeTraffic([passed({ url: `${baseUrl}/pets`, sent, status, answer })], { baseUrl });
  };
  expect(resultOf(await judgeAnswer('Bearer not-known', 401), 'key-required')).toEqual({
    verdict: 'unobserved',
    held: 0,
    reason: 'no call was made that certainly had no valid key; an unknown key may be valid',
  });
  const basic = await judgeAnswer(`Basic ${btoa('somebody:else')}`, 200);
  expect(gating(basic)[0]?.message).toBe('listPets answers 200 to a call with Basic credentials');
});

it('takes the name of a key for the key in a recording of ours, and for a key of its own elsewhere', async () => {
  const baseUrl = 'http://shop.test/v1';
  const headers: RawHeader[] = [
    ['X-RateLimit-Limit', '61'],
    ['X-RateLimit-Remaining', '3'],
    ['X-RateLimit-Reset', '60'],
  ];
  const callWith = (key: string, sentAt: number) =>
    passed({ url: `${baseUrl}/pets`, sent: [['Authorization', `Bearer ${key}`]], headers, sentAt });
  const keys = [{ plan: 'free', secret: 'demo-free' }];
  const [one, ofRun] = [callWith('free-1', 1.5), callWith('target-free-1', 3.5)];
  const [ours, other] = [
    await judgeTraffic([one, ofRun], { baseUrl, keys, takesKeyNames: true }),
    await judgeTraffic([one], { baseUrl, keys }),
  ];
  expect(resultOf(ours, 'rate-limit-plan')).toMatchObject({ verdict: 'drift' });
  expect(ours.targets[0]?.keys).toEqual(['free-1']);
  expect(resultOf(other, 'rate-limit-plan')).toMatchObject({ verdict: 'unobserved' });
  expect(other.targets[0]?.keys).toEqual(['free-1', 'key-1']);
});

it('judges no secret that a token stands for in a recording of ours', async () => {
  const baseUrl = 'http://shop.test';
  const document = compile(
    documentOf('GET /locks/{id} -> Lock', {
      Lock: { type: 'object', properties: { code: { type: 'string', minLength: 9 }, name: {} } },
    }),
  );
  const judgeCode = async (code: unknown, takesKeyNames: boolean) => {
    const call = passed({ url: `${baseUrl}/locks/1`, answer: { code } });
    const { findings } = await judgeTraffic([call], { document, baseUrl, keys: [], takesKeyNames });
    return findings.map(({ check }) => check);
  };
  expect(await judgeCode('made-1', true)).toEqual([]);
  expect(await judgeCode('short', true)).toEqual(['body-schema']);
  expect(await judgeCode('made-1', false)).toEqual(['body-schema']);
});

const left = 'the client left before an answer';

it.each([
  ['a call that hung while others were answered at once', 10, 5000, 5, left, 1],
  ['a client that left soon', 10, 3000, 5, left, 0],
  ['a client that left where others took long', 900, 5000, 5, left, 0],
  ['a client that left where little else was seen', 10, 5000, 4, left, 0],
])('tells %s', async (_, takes, waits, others, message, findings) => {
  const baseUrl = 'http://shop.test/v1';
  const sent: RawHeader[] = [['Authorization', 'Bearer k-pro-1']];
  const call = { url: `${baseUrl}/pets`, sent };
  const answered = Array.from({ length: others }, (__, at) =>
    passed({ ...call, sentAt: 1000 * at + 0.5, took: takes }),
  );
  const failure = { kind: 'aborted', message } as const;
  const hung = passed({ ...call, failure, sentAt: 9000.5, took: waits });
  const report = await judgeTraffic([...answered, hung], { baseUrl });
  const unanswered = report.findings.filter(({ verdict }) => verdict === 'unanswered');
  expect(unanswered.map(({ message: said }) => said)).toEqual(
    findings === 0 ? [] : ['calls got no answer within 5 s, after which the client left'],
  );
  expect(report.targets[0]?.requests).toBe(others + findings);
});

it('leaves a clause open where calls got no answer', async () => {
  const failure = { kind: 'timeout', message: 'no answer within 2 s' } as const;
  const call = passed({ url: 'http://shop.test/v1/pets', failure, took: 2000 });
  const report = await judgeTraffic([call], { baseUrl: 'http://shop.test/v1' });
  expect(report.findings).toMatchObject([
    { verdict: 'unanswered', message: 'calls got no answer within 2 s', count: 1 },
  ]);
  expect(resultOf(report, 'reliable-answers')).toEqual({
    verdict: 'inconclusive',
    held: 1,
    reason: 'calls got no answer within 2 s',
  });
});

it('finds nothing in all that the suite sends to a true deployment', async () => {
  const { exchanges, target } = await recordTranscript();
  const recorded = exchanges.map((one) => toRecorded(one, target.url, (name) => `k-${name}`));
  const report = await judgeTraffic(recorded, { baseUrl: target.url });
  expect(report.findings.filter(({ verdict }) => verdict === 'drift')).toEqual([]);
  const ofKind = (verdict: string) =>
    report.clauses.filter(({ results }) => results.target?.verdict === verdict).length;
  expect(ofKind('kept')).toBeGreaterThan(26);
  expect(report.defects).toEqual([]);
}, 120_000);

it('finds an operation that refuses every key, and believes that one key is not meant for it', async () => {
  const shut: DeploymentOptions = {
    mutate: (truth) => ({
      authenticate: (call) =>
        call.operation === 'createPet' ? undefined : truth.authenticate(call),
    }),
  };
  const callsWith = (...keys: string[]): ClientCall[] =>
    keys.flatMap((one) => [
      { path: '/pets', key: one },
      { path: '/pets', method: 'POST', key: one, body: rex },
    ]);
  const driftOf = async (calls: ClientCall[]) =>
    (await judgeCalls(shut, calls)).findings.filter(({ verdict }) => verdict === 'drift');
  expect(await driftOf(callsWith(key))).toEqual([]);
  expect(await driftOf(callsWith(key, 'k-free-1'))).toMatchObject([
    { check: 'success-status', message: 'createPet answers 401 to a valid call', count: 2 },
  ]);
});

it.each([401, 403])(
  'finds a limit that answers %i, and takes it for no key that is not valid',
  async (status) => {
    const disguised: DeploymentOptions = {
      mutate: (truth) => ({
        answer: (call, answer) => {
          const given = truth.answer?.(call, answer) ?? answer;
          return given.status === 429 ? { ...given, status } : given;
        },
      }),
    };
    const calls = Array.from(
      { length: 64 },
      (): ClientCall => ({ path: '/pets?limit=1', key: 'k-free-1' }),
    );
    const { findings } = await judgeCalls(disguised, calls);
    expect(
      findings.flatMap(({ check, related }) => [check, ...related.map((one) => one.check)]),
    ).toContain('rate-limit-refusal');
  },
);
