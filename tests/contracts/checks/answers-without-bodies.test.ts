import { expect, it } from 'vitest';
import type { Case, Purpose } from '../../../contracts/cases/case.ts';
import { keyRequired } from '../../../contracts/checks/key-required.ts';
import { createResponseJudge } from '../../../contracts/judging/judge-response.ts';
import { compile } from '../../../openapi/index.ts';
import { answeredTranscript, document } from '../../support/answered-transcript.ts';
import { jsonOf, serveDocument, toDocument } from '../../support/serve-document.ts';
import { startServer } from '../../support/start-server.ts';
import { useVerify } from '../../support/verify-command.ts';
import { verify } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

const runVerify = useVerify();
const note = { type: 'object', properties: { id: { type: 'integer' } } };
const other = { operationId: 'other', responses: { 200: jsonOf({ type: 'array' }) } };
const list = { operationId: 'list', responses: { 200: jsonOf({ type: 'array', items: note }) } };

type Answer = { status: number; body?: unknown };
type Row = [what: string, answer: (method: string, calls: number) => Answer, isWrong: boolean];

const rows: Row[] = [
  ['a GET that is 200', (method) => ({ status: method === 'HEAD' ? 405 : 200, body: [] }), true],
  ['a GET that is 404', () => ({ status: 404, body: {} }), false],
  ['a GET that is 204', () => ({ status: 204 }), false],
  ['another status', (method) => ({ status: method === 'HEAD' ? 201 : 200, body: [] }), true],
];

it.each(rows)('compares HEAD with GET of the same address: %s', async (_, answer, isWrong) => {
  let calls = 0;
  const url = await startServer(({ method, path }) =>
    path === '/notes' ? answer(method, ++calls) : { status: 200, body: [] },
  );
  const spec = await writeJson(toDocument({ '/notes': { get: list }, '/other': { get: other } }));
  const { out } = await runVerify([
    ...['--spec', spec, '--target', url, '--no-mock', '--only', 'head-as-get', '--json', '-'],
  ]);
  const { findings, clauses } = JSON.parse(out);
  const checks = findings.map(({ check }: { check: string }) => check);
  expect(checks).toEqual(isWrong ? ['head-as-get'] : []);
  expect(clauses[0].results.target.held).toBe(1);
});

const done = { type: 'object', required: ['done'], properties: { done: { type: 'boolean' } } };
const example = { done: true };

/** A document that describes content for answers that have none. */
const described = toDocument({
  '/ping': { get: { operationId: 'ping', responses: { 204: jsonOf(done, { example }) } } },
  '/pong': { get: { operationId: 'pong', responses: { 205: jsonOf(done, { example }) } } },
  '/any': {
    get: { operationId: 'any', responses: { '2XX': jsonOf(done) } },
    head: { operationId: 'head', responses: { 200: jsonOf(done), default: jsonOf(done) } },
  },
});

it.each<[operation: string, status: number, method: string]>([
  ['ping', 204, 'GET'],
  ['pong', 205, 'GET'],
  ['any', 204, 'GET'],
  ['head', 200, 'HEAD'],
  ['head', 404, 'HEAD'],
])('demands no content of %s, answered with %i', async (operation, status, method) => {
  const judge = createResponseJudge(compile(described as never));
  const response = new Response(null, { status });
  const { findings } = await judge(response, operation, { sent: { method } });
  expect(findings).toEqual([]);
});

it('demands content of other answers', async () => {
  const judge = createResponseJudge(compile(described as never));
  const { findings } = await judge(new Response('', { status: 200 }), 'any');
  expect(findings).toMatchObject([{ check: 'body-schema' }]);
});

it('serves such answers without content, and demands none of them', async () => {
  const { call } = await serveDocument(described);
  for (const [path, status] of [
    ['/ping', 204],
    ['/pong', 205],
  ] as const)
    expect(await call(path)).toMatchObject({ status, type: null, text: '' });
  const { verdict } = await verify({ spec: await writeJson(described) });
  expect(verdict).toBe('clean');
});

const credential = (form: string) => ({ kind: 'credential', form }) as Purpose;
const keyed = { kind: 'list', filters: {} } as Purpose;
const first = { kind: 'silence', silence: 'credentials-first' } as Purpose;

it.each<[what: string, Purpose, status: number, holds: boolean[]]>([
  ['no key and 401', credential('none'), 401, [true]],
  ['no key and 403, where 401 is stated', credential('none'), 403, [false]],
  ['an unknown key and a list', credential('unknown'), 200, [false]],
  ['a key in the query that is no parameter', credential('in-query'), 400, [true]],
  ['a key in a header and 400', credential('in-header'), 400, [false]],
  ['what may be a key', credential('unclear'), 200, []],
  ['a valid key', credential('valid'), 200, []],
  ['no key and another fault', first, 400, [true]],
  ['no key and another fault, and a list', first, 200, [false]],
  ['a plain call without a key and a list', keyed, 200, [false]],
  ['a plain call without a key and 401', keyed, 401, []],
])('judges %s', (_, purpose, status, expected) => {
  const operation = document.operations.find(({ id }) => id === 'listPets');
  const sent = { method: 'GET', path: '/pets', credential: 'none', priority: 1, writes: false };
  const one = { id: 'listPets/1', operation, purpose, ...sent } as Case;
  // The key is the only fault of a call that succeeds with a valid one.
  const valid: Case = { ...one, credential: 'valid', purpose: keyed };
  const holds: boolean[] = [];
  const given = answeredTranscript([
    { case: valid, status: 200, body: [] },
    { case: one, status, body: [] },
  ]);
  keyRequired.judge(given, {
    hold: (isHeld) => holds.push(isHeld),
    inconclusive() {},
  });
  expect(holds).toEqual(expected);
});
