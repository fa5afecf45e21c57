import { expect, it } from 'vitest';
import {
  describeEffect,
  describeHits,
  describeMatch,
  describeTurns,
} from '../../../../mock/extras/console/browser/describe-fault.ts';
import {
  type FaultDraft,
  fieldOf,
  newFault,
  toFaultDraft,
  toFaultJson,
  withContent,
} from '../../../../mock/extras/console/browser/fault-draft.ts';
import type { FaultView } from '../../../../mock/extras/forced/fault-handlers.ts';

const counts = { calls: 0, hits: 0 };

/** What the form sends for a draft. */
const sent = (draft: Partial<FaultDraft>) => toFaultJson({ ...newFault, ...draft });

it.each<FaultView>([
  { id: 'a', status: 503, ...counts },
  { id: 'b', operation: 'listPets', every: 3, times: 2, status: 429, body: '', ...counts },
  { id: 'c', key: '</script>', probability: 0.5, seed: 7, fault: 'EMPTY_RESPONSE', ...counts },
  { id: 'd', delay: { type: 'lognormal', median: 300, sigma: 0.5 }, ...counts },
  {
    id: 'e',
    status: 502,
    headers: { 'Retry-After': '5', 'Set-Cookie': ['a=1', 'b=2'] },
    body: { code: 'x', list: [1, null] },
    delay: { type: 'uniform', lower: 1, upper: 2 },
    ...counts,
  },
])('sends a rule as it was read: $id', ({ calls, hits, ...rule }) => {
  expect(JSON.parse(String(toFaultJson(toFaultDraft({ ...rule, calls, hits }))))).toEqual(rule);
});

it('sends a body of JSON to the digit', () => {
  expect(sent({ content: 'json', body: ' {"id": 9007199254740993, "price": 1.10} ' })).toBe(
    '{"status":503,"body":{"id": 9007199254740993, "price": 1.10}}',
  );
  expect(sent({ content: 'json', body: '1e400', status: '' })).toBe('{"body":1e400}');
});

it('sends what is no number as it is, for the twin to judge', () => {
  expect(sent({ status: 'soon', times: ' 2 ', seed: '1e3' })).toBe(
    '{"seed":"1e3","times":2,"status":"soon"}',
  );
});

it('sends nothing of an effect that is not chosen', () => {
  expect(sent({ effect: 'delay', headers: 'a: b', body: 'x', content: 'text' })).toBe('{}');
});

it('starts a body of JSON as an Error object, and keeps one that is there', () => {
  const { body } = withContent({ ...newFault, status: '404' }, 'json');
  expect(JSON.parse(body)).toEqual({ code: 'my_code', message: 'My message.', status: 404 });
  expect(withContent({ ...newFault, body: 'x' }, 'json').body).toBe('x');
  expect(withContent(newFault, 'text').body).toBe('');
});

it('says what it cannot send', () => {
  expect(sent({ content: 'json', body: '{' })).toMatchObject({ field: 'body' });
  expect(sent({ headers: 'X-One: 1\nX-Two' })).toEqual({
    field: 'headers',
    message: 'Line 2 has no colon. Write it as "Name: value".',
  });
});

it.each([
  ['The body is not a valid Fault. "every" must be an integer, but is "x".', 'every'],
  ['"headers/X-A" must contain only visible characters.', 'headers'],
  ['"delay": A fixed delay has "milliseconds", and nothing else.', 'delay'],
  ['"delay": "upper" must be at least "lower".', 'delay'],
  ['The id "status" is taken.', 'id'],
  ['A rule with "body" needs the "status" of the answer.', 'body'],
  ['A sandbox has at most 1000 faults.', undefined],
])('finds the field of a refusal: %s', (message, field) => {
  expect(fieldOf(message)).toBe(field);
});

it('describes a rule in words', () => {
  expect(describeMatch({})).toBe('all operations');
  expect(describeMatch({ operation: 'listPets', key: 'demo-free' })).toBe(
    'listPets with the key demo-free',
  );
  const rule = { id: 'a', ...counts };
  expect([1, 2, 3, 11, 22].map((every) => describeTurns({ ...rule, every }))).toEqual([
    'every call',
    'every 2nd call',
    'every 3rd call',
    'every 11th call',
    'every 22nd call',
  ]);
  expect(describeTurns({ ...rule, probability: 0.1, seed: 7 })).toBe(
    'with probability 0.1, seed 7',
  );
  const delay = { type: 'fixed', milliseconds: 1500 } as const;
  expect(describeEffect({ ...rule, delay })).toBe('The usual response, after 1,500 ms');
  expect(describeEffect({ ...rule, status: 503, body: '', delay })).toBe(
    'Respond with 503 and a body, after 1,500 ms',
  );
  expect(describeHits({ ...rule, calls: 9, hits: 3, times: 5 })).toBe(
    'fired on 3 of 9 calls, 2 of 5 left',
  );
});
