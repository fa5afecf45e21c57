import { expect, it } from 'vitest';
import type { Case, Purpose } from '../../../contracts/cases/case.ts';
import { successStatus } from '../../../contracts/checks/success-status.ts';
import type { Violation } from '../../../contracts/clauses/check.ts';
import { ownRun, traffic } from '../../../contracts/transcript/transcript.ts';
import { compile } from '../../../openapi/index.ts';
import {
  answeredTranscript,
  document as pets,
  type Reply,
} from '../../support/answered-transcript.ts';
import { documentOf } from '../../support/document-of.ts';

const lines = `
  listJobs: GET /jobs -> [Job]
  addJob: POST /jobs Job! -> 201 Job, 202, 400
  getJob: GET /jobs/{id} -> Job, 404
  headJob: HEAD /jobs/{id} -> Job
  changeJob: PATCH /jobs/{id} { name } -> Job, 404
  replaceJob: PUT /jobs/{id} { name! } -> Job, 404
  findJobs: GET /search?word!&size!&page -> [text]
  ping: GET /ping -> text, 204
  restart: POST /restart -> 2XX, 409
  fail: GET /fail -> 404
  former: GET /former -> text
  Job: { readonly id: int, name!, readonly state }
`;
const removed = { deprecated: true, 'x-deprecated-sunset': '2026-11-22' };
const components = { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } };
const documents = {
  jobs: compile(documentOf(lines, {}, { operations: { 'GET /former': removed } }) as never),
  keyed: compile(documentOf(lines, {}, { components, security: [{ key: [] }] }) as never),
  // Words its clauses, and takes values of new items from lists.
  pets,
};

/** A call of an operation, by its id or kind, and the answer. */
type Call = Partial<
  Omit<Reply, 'case'> & Pick<Case, 'path' | 'purpose' | 'isMadeUp' | 'marker'>
> & {
  on: string;
};
type Options = { of?: keyof typeof documents; observer?: typeof ownRun };

const item = (id: number) => ({ id, name: `item ${id}`, status: 'sold', categoryId: 1 });
const list = (ids: number[], more: object = {}): Call => ({
  on: 'list',
  purpose: { kind: 'list', filters: {} },
  body: ids.map(item),
  ...more,
});
const create = (id: number, status = 201, more: object = {}): Call => ({
  on: 'create',
  purpose: { kind: 'create', ...more },
  status,
  body: item(id),
});
const read = (id: number, status = 200, more: object = {}): Call => ({
  ...{ on: 'read', path: `/${id}`, purpose: { kind: 'read', id: `${id}` } },
  ...{ status, body: item(id), ...more },
});
const change = (id: number, status = 200, how: string = 'json', on = 'update'): Call => ({
  ...{ on, path: `/${id}`, status, body: item(id) },
  purpose: { kind: 'change', how, id: `${id}`, expected: {} } as unknown as Purpose,
});
const call = (on: string, status = 200, more: object = {}): Call => ({
  ...{ on, purpose: { kind: 'call' }, status, body: {}, ...more },
});
const probe = (status: number, more: object = {}): Call => ({
  ...create(50, status),
  purpose: { kind: 'silence', silence: 'repeated-create', probe: 'sent again', ...more },
});

/** Judges calls, one after another: `ok`, what is wrong, or why nothing is decided. */
function judge(calls: readonly Call[], { of = 'jobs', observer = ownRun }: Options = {}) {
  const document = documents[of];
  const [{ path: base } = expect.fail()] = document.resources;
  const given = calls.map(({ on: name, status = 200, body, headers, key, ...one }, at) => {
    const operation = document.operations.find(({ id, kind }) => [id, kind].includes(name));
    const isOfItems = operation?.kind !== undefined;
    const path = (isOfItems ? base : operation?.path) + (one.path ?? '');
    const made = { id: `${at}`, operation, method: operation?.method, credential: 'valid' };
    const answer = { status, body, ...(headers && { headers }), ...(key && { key }) };
    return { case: { ...made, ...one, path } as Case, ...answer };
  });
  const verdicts: string[] = [];
  const violations: Omit<Violation, 'exchange'>[] = [];
  successStatus.judge(
    { ...answeredTranscript(given), document, observer },
    {
      hold(isHeld, _, violation) {
        verdicts.push(isHeld ? ok : wrong);
        if (!isHeld) violations.push(violation());
      },
      inconclusive: (reason) => verdicts.push(reason),
    },
  );
  return { verdicts, violations };
}

const [ok, wrong] = ['ok', 'wrong'];
const says = (words: string): string => expect.stringContaining(words);
const made = says('refused what was made for it');
const accepted = says('that was only accepted (202)');
const unknownKey = says('no operation that asks for credentials accepts free-1');
const noValues = says('no item was seen whose values a valid body could reuse');
const noWord = says('findJobs needs word, size, which no call sends');

const failing = { status: 500 };
const unavailable = { status: 503 };
const empty = { body: undefined };
const ofTeam = (id: number): Call => read(id, 200, { body: { ...item(id), state: 'taken' } });
const few = [create(1), create(2), create(3)];

type Row = [what: string, calls: Call[], verdicts: string[], options?: Options];

it.each<Row>([
  ['the stated status', [list([])], [ok]],
  ['a failure', [list([], failing)], [wrong]],
  ['a refusal by the limiter', [list([], { status: 429 })], []],
  ['each stated status', [call('ping'), call('ping', 204)], [ok, ok]],
  ['a status of a stated range', [call('restart', 202), call('restart', 300)], [ok, wrong]],
  ['a refusal that is described', [call('restart', 409), call('restart', 410)], [wrong]],
  ['an operation that states no success', [call('fail', 200)], []],
  ['an operation after its removal', [call('former', 404)], []],
  [
    'a call that is not known to be valid',
    [list([], { ...failing, purpose: { kind: 'observed' } })],
    [],
  ],
  ['values that the run made up', [list([], { status: 400, isMadeUp: true })], []],
  ['a failure on such values', [list([], { ...failing, isMadeUp: true })], [wrong]],
  [
    'a call without a required parameter',
    [call('findJobs'), call('findJobs', 500)],
    [noWord, noWord],
  ],
  ['one with it', [call('findJobs', 500, { path: '?word=a&size=1' })], [wrong]],
  ['a failure before a success', [list([], unavailable), list([])], [ok]],
  ['a failure after a success', [list([]), list([], unavailable)], [ok, wrong]],
  ['a refused change that succeeds later', [change(1, 404), change(1)], [ok]],
  ['a refused change that succeeded before', [change(1), change(1, 404)], [ok, wrong]],
  ['a refused change of another item', [change(1, 404), change(2)], [wrong, ok]],
  ['a change in another way', [change(1, 404), change(1, 200, 'merge-patch')], [wrong, ok]],
  [
    'a change by another operation',
    [change(1, 404), change(1, 200, 'json', 'replace')],
    [wrong, ok],
  ],
  ['a failed change that succeeds later', [change(1, 410), change(1)], [wrong, ok]],
])('judges %s', (_, calls, verdicts) => {
  expect(judge(calls).verdicts).toEqual(verdicts);
});

it.each<Row>([
  ['described', [list([], { status: 202 })], []],
  ['described, in an answer without its body', [list([], { status: 202, ...empty })], [wrong]],
  ['described, in one that has none', [list([], { status: 204, ...empty })], []],
  ['described, in one to HEAD', [call('headJob', 202, empty)], []],
  ['described, where one without a body is', [call('ping', 202, empty)], []],
  ['stated', [list([1], { status: 202 })], [wrong], { of: 'pets' }],
])('judges a success that is not %s', (_, calls, verdicts, options) => {
  expect(judge(calls, options).verdicts).toEqual(verdicts);
});

it.each<Row>([
  ['a refusal', [create(1, 409), list([])], [ok, made]],
  ['a failure', [create(1, 500)], [wrong]],
])('judges %s of a create', (_, calls, verdicts) => {
  expect(judge(calls).verdicts).toEqual(verdicts);
});

it.each<Row>([
  ['its values', [list([1]), create(2, 400)], [ok, wrong]],
  ['values of items, which no list showed', [list([]), create(2, 400)], [noValues, ok]],
  ['such values, by 422', [list([]), create(2, 422)], [noValues, ok]],
  ['such values, by 404', [list([]), create(2, 404)], [noValues, ok, wrong]],
  ['such values after a list that failed', [list([1], failing), create(2, 400)], [noValues, wrong]],
  ['such values after a create that showed an item', [create(1), create(2, 400)], [ok, wrong]],
  ['such values of others', [list([]), create(2, 400)], [ok, wrong], { observer: traffic }],
])('judges a deployment of a stated interface that refuses %s', (_, calls, verdicts, options) => {
  expect(judge(calls, { of: 'pets', ...options }).verdicts).toEqual(verdicts);
});

const refusable = { mayRefuse: true };
const unused = { mayRefuse: true, unused: 'name' };
const other = { probe: 'sent with another value' };
const marked: Call = { ...create(2, 409, refusable), marker: 'name of this run' };

it.each<[what: string, probes: Call[], refused: Call, verdicts: string[]]>([
  ['a body that a deployment may refuse', [], create(2, 400, refusable), []],
  ['such a body, by a failure', [], create(2, 500, refusable), [wrong]],
  ['an unused value, as others of it', [probe(400, unused)], create(2, 400, unused), []],
  ['an unused value, and takes another', [probe(201, unused)], create(2, 400, unused), [wrong]],
  [
    'an unused value, and takes one of two',
    [probe(400, unused), probe(201, unused)],
    create(2, 400, unused),
    [wrong],
  ],
  [
    'an unused value, and takes one of another property',
    [probe(201, { unused: 'id' })],
    create(2, 400, unused),
    [],
  ],
  ['what may be there, by 409', [], create(2, 409, refusable), []],
  ['what this run alone sends, by 409', [], marked, [wrong]],
  ['what it refused again', [probe(201), probe(403)], create(2, 403, refusable), []],
  ['what it refused otherwise again', [probe(201), probe(404)], create(2, 403, refusable), [wrong]],
  ['what it refused at once', [probe(403)], create(2, 403, refusable), [wrong]],
  ['another value', [probe(201), probe(403, other)], create(2, 403, refusable), [wrong]],
  [
    'what it refused for another reason',
    [probe(201), probe(403, { silence: 'empty-name' })],
    create(2, 403, refusable),
    [wrong],
  ],
])('judges a deployment that refuses %s', (_, probes, refused, verdicts) => {
  expect(judge([list([1]), ...probes, refused], { of: 'pets' }).verdicts).toEqual([
    ok,
    ...verdicts,
  ]);
});

it.each<Row>([
  ['a key that nothing accepts', [read(1, 401)], [unknownKey]],
  ['a key that another call accepts', [list([]), read(1, 401)], [ok, wrong]],
  ['another key', [list([], { key: 'pro-1' }), read(1, 401)], [ok, unknownKey]],
  ['a right that a caller may lack', [list([]), read(1, 403)], [ok, says('may lack a right')]],
  ['a key that is known to be valid', [read(1, 401)], [wrong], { observer: traffic }],
  ['a key, where the interface is stated', [list([1]), read(1, 403)], [ok, wrong], { of: 'pets' }],
])('judges a refusal of %s', (_, calls, verdicts, options) => {
  expect(judge(calls, { of: 'keyed', ...options }).verdicts).toEqual(verdicts);
});

it.each<Row>([
  ['is not there', [create(1), read(1, 404)], [ok, wrong]],
  ['was only accepted', [create(1, 202), read(1, 404)], [ok, accepted]],
  ['is not ready', [create(1, 202), read(1, 409)], [ok, accepted]],
  ['was accepted and fails', [create(1, 202), read(1, 500)], [ok, wrong]],
  ['was accepted as another', [create(1, 202), read(2, 404)], [ok, wrong]],
  ['was accepted and seen', [create(1, 202), read(1), read(1, 404)], [ok, ok, wrong]],
  ['was accepted and is seen later', [create(1, 202), read(1, 404), read(1)], [ok, accepted, ok]],
  ['comes late', [create(1), read(1, 404), read(1)], [ok, ok]],
  [
    'comes too late',
    [create(1), list([]), list([]), read(1, 404), read(1)],
    [ok, ok, ok, wrong, ok],
  ],
  ['another client changed', [...few, ofTeam(1), read(1, 404)], [ok, ok, ok, ok]],
  ['another client removed', [...few, read(1, 404)], [ok, ok, ok]],
  ['is gone as most are', [...few, read(1, 404), read(2, 404)], [ok, ok, ok, wrong, wrong]],
  ['was changed, and fails', [...few, ofTeam(1), read(1, 410)], [ok, ok, ok, ok, wrong]],
  ['others may have removed', [list([1]), read(1, 404)], [ok], { observer: traffic }],
  [
    'others see come and go',
    [list([1]), read(1, 404), list([1]), read(1, 404), list([1])],
    [ok, wrong, ok, wrong, ok],
    { observer: traffic },
  ],
])('judges a read of an item that %s', (_, calls, verdicts, options) => {
  expect(judge(calls, options).verdicts).toEqual(verdicts);
});

it('knows an accepted item by its Location alone', () => {
  const headers = { Location: '/jobs/1' };
  const calls = [{ ...create(1, 202), headers, ...empty }, read(1, 404)];
  expect(judge(calls).verdicts).toEqual([ok, accepted]);
});

it('names what is wrong, and the item or the status that it is about', () => {
  const calls = [read(7, 404, empty), read(8, 500, empty), call('ping', 404)];
  expect(judge(calls).violations).toEqual([
    {
      message: 'getJob answers 404 to a valid call',
      ...{ expected: '200', actual: '404', about: ['item 7'] },
    },
    {
      message: 'getJob answers 500 to a valid call',
      ...{ expected: '200', actual: '500', about: ['500 of getJob'] },
    },
    {
      message: 'ping answers 404 to a valid call',
      ...{ expected: '200 or 204', actual: '404 {}', about: ['404 of ping'] },
    },
  ]);
});
