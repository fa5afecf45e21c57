import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type ExplainedEntry,
  explainReason,
  toTone,
} from '../../../../mock/extras/pages/browser/explain-reason.ts';
import { faultNames } from '../../../../mock/faults/fault-rules.ts';
import { type ReasonView, steps } from '../../../../mock/journal/reason.ts';
import { bearer, startTwin } from '../../../support/twin.ts';

const clock = '2030-12-06T10:00:26.000Z';
const at = (instant: string) => Date.parse(instant) / 1000;
const delay = { milliseconds: 5000, by: 'settings' };

function entry(status: number | null, reason: ReasonView, message?: string): ExplainedEntry {
  const body = message === undefined ? null : JSON.stringify({ code: 'x', message, status });
  const response = { headers: {}, body, bytes: body?.length ?? 0, truncated: false };
  return { status, reason, key: 'demo-free', operation: 'getPet', clock, response };
}

const window = {
  limit: 60,
  remaining: 0,
  reset: at('2030-12-06T10:01:00Z'),
  per: 'minute',
} as const;
const limits = { step: 'limits', plan: 'free', window } as const;
const problem = { pointer: '/name', problem: '"name" is required.' };

it.each<[string, ExplainedEntry]>([
  ['408: Too late.', entry(408, { step: 'connection' }, 'Too late.')],
  ['403: the request is not allowed for any path', entry(403, { step: 'guard' })],
  ['400: the request names its sandbox wrongly', entry(400, { step: 'sandbox' })],
  ['200: the admin carried out patchItem', entry(200, { step: 'admin', operation: 'patchItem' })],
  ['400: Not so.', entry(400, { step: 'admin', operation: 'putItem' }, 'Not so.')],
  ['204: the request asked for the methods of the path', entry(204, { step: 'options' })],
  [
    '404: There is no operation at /v1/pet.',
    entry(404, { step: 'routing' }, 'There is no operation at /v1/pet.'),
  ],
  ['401: the API key or token is unknown', entry(401, { step: 'credentials', problem: 'unknown' })],
  [
    '401: no API key or other credentials were sent',
    entry(401, { step: 'credentials', problem: 'missing' }),
  ],
  [
    '429: the minute of demo-free is used up, 60 of 60; free again in 34 s',
    entry(429, { ...limits, outcome: 'exceeded' }),
  ],
  [
    '429: the day of demo-free is used up, 1,000 of 1,000; free again in 13 h 59 min',
    entry(429, {
      ...limits,
      outcome: 'exceeded',
      window: { limit: 1000, remaining: 0, reset: at('2030-12-07T00:00:00Z'), per: 'day' },
    }),
  ],
  [
    '429: demo-free is banned for 5 min, as it called on after a 429; free again in 34 s',
    entry(429, { ...limits, outcome: 'banned', ban: { until: window.reset, seconds: 300 } }),
  ],
  [
    '404: the request asked for this response: Prefer: code=404',
    entry(404, { step: 'forced', preference: 'code=404' }),
  ],
  ['503: the fault "f" answered with 503', entry(503, { step: 'fault', rule: 'f', code: 503 })],
  [
    'No response: the fault "f" broke the connection (EMPTY_RESPONSE)',
    entry(null, { step: 'fault', rule: 'f', fault: 'EMPTY_RESPONSE' }),
  ],
  [
    '410: getPet was removed on 5 December 2030, and the clock shows 6 December 2030',
    entry(410, { step: 'removal', sunset: '2030-12-05T00:00:00.000Z' }),
  ],
  [
    '400: query parameter "limit" must be at most 100, but is 101',
    entry(400, { step: 'query', parameter: 'limit', problem: 'must be at most 100, but is 101' }),
  ],
  [
    '400: "name" is required. "name" is required. "name" is required. 2 more.',
    entry(400, { step: 'body', problems: Array(5).fill(problem) }),
  ],
  ['415: Send JSON.', entry(415, { step: 'body' }, 'Send JSON.')],
  ['404: the magic value "9" asks for this response', entry(404, { step: 'magic', value: '9' })],
  ['200: getPet read a stored item', entry(200, { step: 'behaviour', kind: 'read' })],
  ['404: No pet has it.', entry(404, { step: 'behaviour', kind: 'read' }, 'No pet has it.')],
  [
    '200: getPet read a stored item; delayed by 5,000 ms by the settings',
    entry(200, { step: 'behaviour', kind: 'read', delay }),
  ],
  [
    'No response: getPet read a stored item; it was to be delayed by 5,000 ms by the settings',
    entry(null, { step: 'behaviour', kind: 'read', delay }),
  ],
  [
    '503: the store cannot be used: Redis is gone.',
    entry(503, { step: 'store', message: 'Redis is gone.' }),
  ],
  [
    '500: the twin failed, which is a bug in it: a\\x1b[31m\\u202eb',
    entry(500, { step: 'failure', message: 'a\x1b[31m\u202eb' }),
  ],
])('says %s', (sentence, explained) => {
  expect(explainReason(explained)).toBe(sentence);
});

it.each([
  [200, 'is-kept'],
  [304, 'is-difference'],
  [429, 'is-standard'],
  [500, 'is-drift'],
  [null, 'is-drift'],
])('colours %s as %s', (status, tone) => {
  expect(toTone(status)).toBe(tone);
});

const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 1000 });
const instant = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
const seconds = instant.map((date) => Math.floor(date.getTime() / 1000));
const windows = fc.record({
  limit: fc.nat(),
  remaining: fc.constant(0),
  reset: seconds,
  per: fc.constantFrom('minute' as const, 'day' as const),
});
const some = <Shape extends object>(shape: { [name in keyof Shape]: fc.Arbitrary<Shape[name]> }) =>
  fc.record(shape, { requiredKeys: [] });

/** What each step may leave; a step without a row would not compile. */
const details: Record<ReasonView['step'], fc.Arbitrary<object>> = {
  connection: fc.constant({}),
  guard: fc.constant({}),
  sandbox: fc.constant({}),
  domain: fc.record({
    domain: text,
    outcome: fc.constantFrom('served', 'redirected', 'removed', 'waiting'),
  }),
  admin: fc.record({ operation: text }),
  oauth: fc.record({ endpoint: text, problem: text }, { requiredKeys: ['endpoint'] }),
  options: fc.constant({}),
  routing: fc.constant({}),
  credentials: fc.record(
    {
      problem: fc.constantFrom('missing', 'malformed', 'unknown', 'expired', 'insufficient_scope'),
      expected: text,
    },
    { requiredKeys: ['problem'] },
  ),
  limits: fc.oneof(
    fc.record({ outcome: fc.constant('exceeded'), plan: text, window: windows }),
    fc.record({
      outcome: fc.constant('banned'),
      plan: text,
      window: windows,
      ban: fc.record({ until: seconds, seconds: fc.nat() }),
    }),
  ),
  forced: some({ preference: text }),
  fault: fc.oneof(
    fc.record({ rule: text, code: fc.nat(599) }),
    fc.record({ rule: text, fault: fc.constantFrom(...faultNames) }),
  ),
  removal: fc.record({ sunset: instant.map((date) => date.toISOString()) }),
  query: some({ parameter: text, problem: text }),
  body: some({
    problems: fc.array(fc.record({ pointer: text, problem: text }), { maxLength: 20 }),
  }),
  magic: fc.record({ value: text }),
  behaviour: fc.record({
    kind: fc.constantFrom('list', 'create', 'read', 'singleton', 'action', 'example'),
  }),
  store: fc.record({ message: text }),
  failure: fc.record({ message: text }),
};

it.each(steps)('explains each reason of the step %s on one safe line', (step) => {
  const delays = fc.record({ milliseconds: fc.nat(), by: text });
  const explained = fc.record({
    status: fc.option(fc.integer({ min: 200, max: 599 })),
    reason: fc
      .tuple(details[step], fc.option(delays, { nil: undefined }))
      .map(([detail, delay]) => ({ step, ...detail, ...(delay && { delay }) }) as ReasonView),
    key: fc.option(text),
    operation: fc.option(text),
    clock: instant.map((date) => date.toISOString()),
    response: fc.option(
      fc.record({
        headers: fc.constant({}),
        body: fc.option(
          fc.oneof(
            text,
            text.map((message) => JSON.stringify({ message })),
          ),
        ),
        bytes: fc.nat(),
        truncated: fc.boolean(),
      }),
    ),
  });
  fc.assert(
    fc.property(explained, (one) => {
      const sentence = explainReason(one);
      expect(sentence).toMatch(/^(?:\d{3}|No response): ./);
      expect(sentence).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      expect(sentence.length).toBeLessThanOrEqual(1200);
    }),
  );
});

it('explains what a twin has in its journal', async () => {
  const { app, origin, api } = await startTwin();
  app.clock.freeze(Date.parse('2030-01-01T12:00:00Z'));
  const list = () => fetch(`${api}/pets`, { headers: bearer('demo-free') });
  for (let call = 0; call < 61; call++) await (await list()).arrayBuffer();
  const latest = await fetch(`${origin}/__admin/requests/latest`);
  expect(explainReason((await latest.json()) as ExplainedEntry)).toMatch(
    /^429: the minute of demo-free is used up, 60 of 60; free again in \d+ s$/,
  );
});
