import { expect, it } from 'vitest';
import type { BaselineEntry } from '../../../contracts/judging/baseline.ts';
import type { Finding, Report } from '../../../contracts/report/events.ts';
import { isGating } from '../../../contracts/report/summary.ts';
import type { RawHeader } from '../../../contracts/transcript/exchange.ts';
import { compile } from '../../../openapi/index.ts';
import type { VerifySettings } from '../../../package/verify.ts';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { jsonOf } from '../../support/serve-document.ts';
import { startServer } from '../../support/start-server.ts';
import { judgeTraffic } from '../../support/traffic.ts';
import { verify } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

const note = schemaOf('{ text! }');

/** Notes, whose document describes no failure unless it is given. */
function toNotes(more: object = {}, responses: object = { 200: jsonOf(note) }): object {
  const lines = `
    listNotes: GET /notes -> [{ text! }]
    addNote: POST /notes { text! } -> 200
    getNote: GET /notes/{id:text} -> 200
  `;
  const operations = { 'POST /notes': { responses }, 'GET /notes/{id}': { responses } };
  return documentOf(lines, {}, { operations, ...more });
}

type Call = { method?: string; path?: string; status: number; headers?: RawHeader[] };

const baseUrl = 'http://notes.test';

/** Judges calls of somebody else; a note is added where nothing else is said. */
async function judgeCalls(
  document: object,
  calls: readonly Call[],
  baseline: readonly BaselineEntry[] = [],
): Promise<Report> {
  const recorded = calls.map(({ method = 'POST', path = '/notes', status, headers = [] }, at) => ({
    request: {
      method,
      url: baseUrl + path,
      headers: [...headers, ['Content-Type', 'application/json'] satisfies RawHeader],
      ...(method === 'POST' && { body: { bytes: Buffer.from('{"text":1}') } }),
    },
    response: {
      status,
      headers: [['Content-Type', 'application/json'] satisfies RawHeader],
      body: { bytes: Buffer.from('{"text":"mine"}') },
    },
    sentAt: at * 1000,
    endedAt: at * 1000 + 5,
  }));
  const file = await writeJson(document);
  return judgeTraffic(recorded, {
    ...{ baseUrl, keys: [], baseline },
    document: await compile(file),
  });
}

function undocumentedIn({ findings }: Report): Finding[] {
  return findings.filter(({ verdict }) => verdict === 'undocumented');
}

const briefly = ({ message, problems, expected, actual, count, exchange }: Finding) => ({
  message,
  problems,
  expected,
  actual,
  count,
  status: exchange?.response?.status,
});

const times = (number: number, call: Call) => Array.from({ length: number }, () => call);

it('reports all statuses of an operation once, those seen most first', async () => {
  const report = await judgeCalls(toNotes(), [
    ...times(2, { status: 409 }),
    ...times(40, { status: 201 }),
    { status: 404 },
    ...times(3, { status: 403 }),
    { status: 200 },
  ]);
  expect(undocumentedIn(report).map(briefly)).toEqual([
    {
      message:
        'addNote answers 201 (40 times), 403 (3 times) and 2 more where the document describes 200',
      problems: ['201 (40 times)', '403 (3 times)', '409 (2 times)', '404 (1 time)'],
      expected: '200',
      actual: '201 {"text":"mine"}',
      count: 46,
      status: 201,
    },
  ]);
  expect(report.clauses.find(({ id }) => id === 'described-status')).toMatchObject({
    basis: 'described',
    results: { target: { verdict: 'undocumented', held: 47 } },
  });
});

it('names two statuses without a list of them', async () => {
  const report = await judgeCalls(toNotes(), [...times(2, { status: 201 }), { status: 403 }]);
  const [{ message, problems } = expect.fail()] = undocumentedIn(report);
  expect(message).toContain('addNote answers 201 (2 times) and 403 (1 time) where');
  expect(problems).toBeUndefined();
});

it('says of a status of several operations whether it is described anywhere', async () => {
  const document = documentOf('a: POST /a -> any\nb: POST /b -> any\nc: POST /c -> any, 409');
  const calls = ['/a', '/b'].map((path) => ({ path, status: 409 }));
  expect(undocumentedIn(await judgeCalls(document, calls)).map(({ message }) => message)).toEqual([
    '2 operations answer 409, which the document does not describe',
  ]);
});

it('reports a status that is nowhere described once for all operations', async () => {
  const document = documentOf(`
    a: POST /a { text! } -> { text! }
    b: POST /b { text! } -> { text! }
  `);
  const report = await judgeCalls(document, [
    ...times(3, { path: '/a', status: 401 }),
    ...times(2, { path: '/b', status: 401 }),
    { path: '/b', status: 418 },
  ]);
  expect(undocumentedIn(report).map(({ message, count }) => [message, count])).toEqual([
    ['2 operations answer 401, which is nowhere described', 5],
    ['b answers 418 where the document describes 200', 1],
  ]);
});

it('does not fail a run, and fails one that is strict', async () => {
  const report = await judgeCalls(toNotes(), [{ status: 201 }]);
  const [finding = expect.fail()] = undocumentedIn(report);
  expect(report.verdict).toBe('clean');
  expect(finding.clause.source).toBe('#/paths/~1notes/post');
  expect([isGating(finding, { strict: false }), isGating(finding, { strict: true })]).toEqual([
    false,
    true,
  ]);
});

it.each([
  ['its range', { 200: jsonOf(note), '2XX': jsonOf(note) }],
  ['default', { 200: jsonOf(note), default: jsonOf(note) }],
  ['itself', { 201: jsonOf(note) }],
  ['an operation without responses', {}],
])('accepts a status that is described by %s', async (_, responses) => {
  const report = await judgeCalls(toNotes({}, responses), [{ status: 201 }]);
  expect(undocumentedIn(report)).toEqual([]);
});

it('counts no answer to what is no call of an operation, no redirect and no failure', async () => {
  const report = await judgeCalls(toNotes(), [
    { method: 'HEAD', status: 204 },
    { method: 'DELETE', status: 405 },
    { path: '/elsewhere', status: 404 },
    { status: 307 },
    { status: 101 },
    { status: 503 },
    { method: 'GET', status: 304, headers: [['If-None-Match', '"1"']] },
  ]);
  expect(undocumentedIn(report)).toEqual([]);
  expect(report.findings.map(({ check }) => check)).toEqual(['reliable-answers']);
});

it('respects the silence of a document that words its clauses', async () => {
  const clauses = { 'x-clauses': [{ id: 'read-back', source: '§1', text: 'A note lasts.' }] };
  expect(undocumentedIn(await judgeCalls(toNotes(clauses), [{ status: 201 }]))).toEqual([]);
});

/** Verifies a server that lists notes for money alone. */
async function verifyNotes(settings: VerifySettings = {}): Promise<Report> {
  const url = await startServer(({ method, path, sent }) => {
    if (path !== '/notes') return { status: 404, body: {} };
    if (method === 'GET') return { status: 402, body: {} };
    return typeof sent?.text === 'string' ? { status: 201, body: sent } : { status: 400, body: {} };
  });
  const spec = await writeJson(toNotes());
  return verify({ target: { url, keys: [] }, allowWrites: true, spec, ...settings });
}

it('is no second finding where another check reports the status', async () => {
  const { findings } = await verifyNotes({ twin: false });
  expect(findings.map(({ operation, check, verdict }) => [operation, check, verdict])).toEqual([
    ['listNotes', 'success-status', 'drift'],
    ['getNote', 'described-status', 'undocumented'],
  ]);
  expect(findings[0]?.related).toMatchObject([
    { check: 'described-status', verdict: 'undocumented', isConsequence: true },
  ]);
});

it('finds a success without a header that is required', async () => {
  const headers = { 'X-Total': { required: true, schema: { type: 'integer' } }, 'X-Other': {} };
  const document = toNotes({}, { 200: { ...jsonOf(note), headers } });
  const report = await judgeCalls(document, [{ status: 200 }, { status: 200 }]);
  expect(undocumentedIn(report)).toMatchObject([
    {
      check: 'required-headers',
      message: 'addNote answers 200 without the header X-Total',
      count: 2,
    },
  ]);
  const others = await judgeCalls(toNotes(), [{ status: 200 }]);
  expect(others.clauses.map(({ id }) => id)).not.toContain('required-headers');
});
