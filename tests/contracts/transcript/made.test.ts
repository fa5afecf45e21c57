import { expect, it } from 'vitest';
import type { Exchange } from '../../../contracts/transcript/exchange.ts';
import { createdAt, idInAnswer, showsSent } from '../../../contracts/transcript/made.ts';
import { compile, type Resource } from '../../../openapi/index.ts';
import { documentOf } from '../../support/document-of.ts';

const document = compile(
  documentOf(`
    GET /silences/ -> [Silence]
    POST /silences/ Silence -> { silenceID }
    GET /silence/{silenceID:uuid} -> Silence
    DELETE /silence/{silenceID:uuid} -> 204
    Silence: { id, comment }
  `),
);
const [resource] = document.resources as [Resource];

const answerOf = (body: unknown, headers: [string, string][] = []) =>
  ({
    case: { operation: resource.operations.create },
    request: { path: '/silences/' },
    response: { status: 200, headers, json: body },
  }) as unknown as Exchange;

it.each([
  [answerOf({ id: 'a1', comment: 'x' })],
  [answerOf({ silenceID: 'a1' })],
  [answerOf(undefined, [['Location', '/api/v2/silence/a1']])],
  [answerOf({}, [['location', 'http://alerts.example/silence/a1?x=1']])],
])('finds the id of what was created: %j', (answer) => {
  expect(idInAnswer(answer, resource)).toBe('a1');
});

it.each([
  [answerOf({ silences: [] })],
  [answerOf([{ id: 'a1' }, { id: 'a2' }])],
  [answerOf(true)],
  [answerOf(undefined, [['Location', '/silences']])],
])('takes nothing else for it: %j', (answer) => {
  expect(idInAnswer(answer, resource)).toBeUndefined();
});

const isMarked = (leaf: unknown) => /f00ba4|1000017|2031/.test(String(leaf));

it.each([
  [{ name: 'Team f00ba4' }, { slug: 'team-f00ba4' }, true],
  [{ name: ' Team f00ba4 ' }, { a: [{ b: 'TEAM F00BA4' }] }, true],
  [{ size: 1_000_017 }, { size: 1_000_017 }, true],
  [{ at: '2031-01-02T00:00:00.000Z' }, { at: '2031-01-02T01:00:00+01:00' }, true],
  [{ name: 'top 1 f00ba4' }, { name: 'top 10 f00ba4' }, false],
  [{ name: 'Team f00ba4' }, { name: 'Team' }, false],
  [{ name: 'Team' }, { name: 'Team' }, undefined],
])('tells whether an item shows what only one request sent: %j in %j', (sent, item, shows) => {
  expect(showsSent(item, sent, isMarked)).toBe(shows);
});

it.each([
  [{ title: 'urgent 228025' }, 'with id 228025', false],
  [{ title: 'Item 5' }, 'Thing 5', false],
  [{ at: '2031-03-04T05:06:07+02:00' }, '2031-03-04T03:06:07Z', true],
  [{ at: '2031-03-04 03:06:07Z' }, '2031-03-04T03:06:07.000Z', true],
  [{ at: 'Tue, 04 Mar 2031 03:06:07 GMT' }, '2031-03-04T03:06:07Z', true],
])('compares instants, and takes no text with a number for one: %j, %j', (shown, sent, isShown) => {
  expect(showsSent(shown, sent, () => true)).toBe(isShown);
});

it.each([
  [{ creator: 'user 7' }, undefined],
  [{ created: '2031-03-04T03:06:07Z', creator: 'user 7' }, Date.UTC(2031, 2, 4, 3, 6, 7)],
])('knows when %j was created', (item, instant) => {
  expect(createdAt(item)).toBe(instant);
});
