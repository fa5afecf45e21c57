import { expect, it } from 'vitest';
import type { PlayedStep, Step } from '../../../contracts/fuzz/player.ts';
import {
  findSubjects,
  type Input,
  inputOf,
  plainInput,
  type Subject,
} from '../../../contracts/fuzz/subject.ts';
import { findSymptom } from '../../../contracts/fuzz/symptoms.ts';
import { toCase } from '../../../contracts/fuzz/to-case.ts';
import type { Exchange } from '../../../contracts/transcript/exchange.ts';
import { compile } from '../../../openapi/index.ts';
import { documentOf } from '../../support/document-of.ts';

/** Plays calls of tickets, whose bodies have a media type, and gives the check that finds a fault. */
function openTickets(mediaType: string) {
  const document = compile(
    documentOf(`
      POST /tickets ${mediaType} Ticket! -> 201 Shown, 400
      GET /tickets/{id} -> Shown, 404
      DELETE /tickets/{id} -> 204, 404
      Ticket: { title!: text(maxLength=80), seats: int, weight: number, tags: [text], open: bool }
      Shown: { id: int, title, at: date-time, isGone: bool }
    `),
  );
  const subjects = findSubjects(document, { writes: true, isChosen: () => true, lessons: [] });
  const play = (kind: string, json?: object, more: Partial<Step> = {}): PlayedStep => {
    const subject = subjects.find(({ operation }) => operation.kind === kind) as Subject;
    const step: Step = { subject, input: plainInput, ...more };
    const one = toCase(document, subject, { input: step.input, number: 1 });
    const { method, path, body = '' } = one;
    const value =
      body === '' ? undefined : JSON.parse(body.replaceAll(/\{\{[^{}]*\}\}/g, '100001'));
    const request = { method, path, headers: {}, body, value };
    const status = kind === 'create' ? 201 : kind === 'delete' ? 204 : 200;
    const response = { status, headers: [], text: JSON.stringify(json ?? ''), json };
    return { step, exchange: { case: one, request, response } as unknown as Exchange };
  };
  const find = (...played: PlayedStep[]) =>
    findSymptom({ document, hasKey: false, plainly: new Set(), refusesTwice: new Set() }, played)
      ?.check;
  return { play, find };
}

const form = 'application/x-www-form-urlencoded';

it.each([
  [form, 'title', 0, undefined],
  [form, 'title', 'x'.repeat(81), 'invalid-input'],
  [form, 'seats', '12', undefined],
  [form, 'seats', 'twelve', 'invalid-input'],
  [form, 'seats', 1.5, 'invalid-input'],
  [form, 'weight', [null], undefined],
  [form, 'tags', 'one', undefined],
  [form, 'tags', [0], undefined],
  ['multipart/form-data', 'title', 0, undefined],
  ['application/json', 'title', 0, 'invalid-input'],
  ['application/json', 'seats', '12', 'invalid-input'],
  ['application/json', 'tags', 'one', 'invalid-input'],
  ['application/json', 'tags', ['one'], undefined],
])('judges in %s that a server took: %s %j', (mediaType, name, value, check) => {
  const { play, find } = openTickets(mediaType);
  const input: Input = inputOf(name, { in: 'body', at: [name], value });
  expect(find(play('create', {}, { input }))).toBe(check);
});

const made = { id: 7, title: '100001100001', at: '2026-01-01T00:00:00Z' };

it.each([
  ['as it was', made, 'use-after-delete'],
  [
    'as it was, beside what the create did not show',
    { ...made, isGone: false },
    'use-after-delete',
  ],
  ['with another value', { ...made, at: '2026-02-02T00:00:00Z' }, undefined],
  ['without what was sent', { id: 7, isGone: true }, undefined],
])(
  'finds a deleted item that is shown %s, unless it may be marked as deleted',
  (_, shown, check) => {
    const { play, find } = openTickets('application/json');
    const steps = [play('create', made), play('delete', undefined, { on: 0 })];
    expect(find(...steps, play('read', shown, { on: 0 }))).toBe(check);
  },
);
