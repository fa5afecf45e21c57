import { expect, it } from 'vitest';
import type { Entry } from '../../../mock/journal/entry.ts';
import {
  type ExplainedEntry,
  explainEntry,
  explainReason,
  toTone,
} from '../../../mock/journal/explain-reason.ts';
import type { Reason } from '../../../mock/journal/reason.ts';
import { bearer, startTwin } from '../../support/twin.ts';

const clock = '2030-12-06T10:00:26.000Z';
const at = (instant: string) => Date.parse(instant) / 1000;
const delay = { milliseconds: 5000, by: 'settings' };

function entry(status: number | null, reason: Reason, message?: string): ExplainedEntry {
  return { status, reason, key: 'demo-free', operation: 'getPet', clock, message: message ?? null };
}

const window = {
  limit: 60,
  remaining: 0,
  reset: at('2030-12-06T10:01:00Z'),
  per: 'minute',
} as const;
const limits = { step: 'limits', plan: 'free', window } as const;
const problem = { pointer: '/name', problem: '"name" is required.' };

const sentences: Record<string, ExplainedEntry> = {
  '408: Too late.': entry(408, { step: 'connection' }, 'Too late.'),
  '403: the request is not allowed on any path': entry(403, { step: 'guard' }),
  '400: the name of the sandbox is invalid': entry(400, { step: 'sandbox' }),
  '200: the admin ran patchItem': entry(200, { step: 'admin', operation: 'patchItem' }),
  '400: Not so.': entry(400, { step: 'admin', operation: 'putItem' }, 'Not so.'),
  '204: the request asked which methods the path has': entry(204, { step: 'options' }),
  '404: There is no operation at /v1/pet.': entry(
    404,
    { step: 'routing' },
    'There is no operation at /v1/pet.',
  ),
  '401: the API key or token is unknown': entry(401, { step: 'credentials', problem: 'unknown' }),
  '401: no API key or other credentials were sent': entry(401, {
    step: 'credentials',
    problem: 'missing',
  }),
  '429: the minute of demo-free is used up, 60 of 60; free again in 34 s': entry(429, {
    ...limits,
    outcome: 'exceeded',
  }),
  '429: the day of demo-free is used up, 1,000 of 1,000; free again in 13 h 59 min': entry(429, {
    ...limits,
    outcome: 'exceeded',
    window: { limit: 1000, remaining: 0, reset: at('2030-12-07T00:00:00Z'), per: 'day' },
  }),
  '429: demo-free is banned for 5 min, for calls after a 429; free again in 34 s': entry(429, {
    ...limits,
    outcome: 'banned',
    ban: { until: window.reset, seconds: 300 },
  }),
  '404: the request asked for this response: Prefer: code=404': entry(404, {
    step: 'forced',
    preference: 'code=404',
  }),
  '503: the fault "f" answered with 503': entry(503, { step: 'fault', rule: 'f', code: 503 }),
  'No response: the fault "f" broke the connection (EMPTY_RESPONSE)': entry(null, {
    step: 'fault',
    rule: 'f',
    fault: 'EMPTY_RESPONSE',
  }),
  '410: getPet was removed on 5 December 2030, and the clock shows 6 December 2030': entry(410, {
    step: 'removal',
    sunset: '2030-12-05T00:00:00.000Z',
  }),
  '400: query parameter "limit" must be at most 100, but is 101': entry(400, {
    step: 'query',
    parameter: 'limit',
    problem: 'must be at most 100, but is 101',
  }),
  '400: "name" is required. "name" is required.': entry(400, {
    step: 'body',
    problems: [problem, problem],
  }),
  '415: Send JSON.': entry(415, { step: 'body' }, 'Send JSON.'),
  '200: forwarded to https://api.example.com/v1/pets, which sent the response': entry(200, {
    step: 'forwarded',
    url: 'https://api.example.com/v1/pets',
  }),
  '404: the magic value "9" triggers this response': entry(404, { step: 'magic', value: '9' }),
  '200: getPet read a stored item': entry(200, { step: 'behaviour', kind: 'read' }),
  '200: getPet acted on the stored item in its path': entry(200, {
    step: 'behaviour',
    kind: 'action',
  }),
  '404: No pet has it.': entry(404, { step: 'behaviour', kind: 'read' }, 'No pet has it.'),
  '200: getPet read a stored item; delayed by 5,000 ms by the settings': entry(200, {
    step: 'behaviour',
    kind: 'read',
    delay,
  }),
  'No response: getPet read a stored item; it would have been delayed by 5,000 ms by the settings':
    entry(null, { step: 'behaviour', kind: 'read', delay }),
  '404: No pet has it. Start with --auth any.': entry(
    404,
    { step: 'behaviour', kind: 'read', advice: 'Start with --auth any.' },
    'No pet has it.',
  ),
  '200: getPet read a stored item. Start with --auth any.': entry(200, {
    step: 'behaviour',
    kind: 'read',
    advice: 'Start with --auth any.',
  }),
  '503: the store cannot be used: Redis is gone.': entry(503, {
    step: 'store',
    message: 'Redis is gone.',
  }),
  '500: the mock failed because of a bug in it: a\\x1b[31m\\u202eb': entry(500, {
    step: 'failure',
    message: 'a\x1b[31m\u202eb',
  }),
  '200: getPet read a stored item; tolerated: The path is read as /pets/1. The body has no Content-Type.':
    entry(200, {
      step: 'behaviour',
      kind: 'read',
      tolerated: ['The path is read as /pets/1.', 'The body has no Content-Type.'],
    }),
};

it.each(Object.entries(sentences))('says %s', (sentence, explained) => {
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

it('explains what a twin has in its journal', async () => {
  const { app, origin, api } = await startTwin();
  app.clock.freeze(Date.parse('2030-01-01T12:00:00Z'));
  const explainLatest = async () => {
    const latest = await fetch(`${origin}/__admin/requests/latest`);
    return explainEntry((await latest.json()) as Entry);
  };
  const list = (path = '/pets') => fetch(api + path, { headers: bearer('demo-free') });
  await list('/pets/999');
  expect(await explainLatest()).toMatch(/^404: .*999/);
  for (let call = 0; call < 60; call++) await (await list()).arrayBuffer();
  expect(await explainLatest()).toMatch(
    /^429: the minute of demo-free is used up, 60 of 60; free again in (?:\d+ s|1 min)$/,
  );
});
