import { expect, it } from 'vitest';
import { createToOutcome } from '../../../contracts/fidelity/outcome.ts';
import { compile } from '../../../openapi/index.ts';
import { jsonOf, toDocument } from '../../support/serve-document.ts';

const text = { type: 'string' };
const object = (properties: object, required: string[] = []) => ({
  ...{ type: 'object', properties, required },
});
const success = object({ ok: { const: true }, note: text, message: text }, ['ok', 'note']);
const refusal = object({ ok: { type: 'boolean' }, message: text, error: text });
const document = compile(
  toDocument({ '/notes': { post: { responses: { 200: jsonOf(success), 400: jsonOf(refusal) } } } }),
);
const toOutcome = createToOutcome(document);

it.each([
  [200, { ok: true, note: 'a', error: '' }, 'success'],
  [200, { ok: false, error: 'taken' }, 'refusal'],
  [200, { ok: false, note: null, error: 'taken' }, 'refusal'],
  [200, { ok: 1, note: 'a', error: 'none' }, 'success'],
  [200, { ok: true, note: 7, error: 'none' }, 'success'],
  [200, { ok: false, message: 'taken' }, 'success'],
  [400, { ok: true, note: 'a' }, 'refusal'],
  [302, { error: 'a' }, 'neither'],
])('takes %i with %j for a %s', (status, json, outcome) => {
  const [operation] = document.operations;
  expect(toOutcome({ status, json }, operation)).toBe(outcome);
});
