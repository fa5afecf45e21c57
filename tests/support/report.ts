import { PassThrough } from 'node:stream';
import type { Finding, Report } from '../../contracts/report/events.ts';
import { formats } from '../../contracts/report/files.ts';
import { toGithubReport } from '../../contracts/report/github.ts';
import { notObserved, type ReportOptions } from '../../contracts/report/summary.ts';
import { toTerminalReport } from '../../contracts/report/terminal/terminal.ts';

/** Writes a report in each format, and as text for a pipe. */
const outputs = {
  json: formats.json.write,
  junit: formats.junit.write,
  html: formats.html.write,
  markdown: formats.markdown.write,
  github: toGithubReport,
  text: (report: Report, options: ReportOptions) =>
    toTerminalReport(report, { ...options, out: new PassThrough() as never }),
};

/** The names of the formats. */
export const outputNames = Object.keys(outputs) as (keyof typeof outputs)[];

/** A report in a format, of a run that is strict or not. */
export function printed(report: Report, as: keyof typeof outputs, strict = false): string {
  return outputs[as](report, { strict });
}

/**
 * A type with all that is optional in it required, so that an example of it shows each property.
 */
export type Whole<T> = T extends readonly unknown[]
  ? { [K in keyof T]: Whole<T[K]> }
  : T extends object
    ? { [K in keyof T]-?: Whole<T[K]> }
    : T;

const finding: Whole<Finding> = {
  target: 'target',
  verdict: 'drift',
  check: 'success-status',
  operation: 'listPets',
  clause: {
    id: 'success-status',
    basis: 'stated',
    source: '§4.1, §4.2',
    text: 'A valid call is answered with exactly the stated success status.',
    url: 'https://docs.test/petstore/#success-status',
  },
  message: 'listPets answers a valid call with another status than the stated one',
  problems: ['the status is 204', 'and 2 more'],
  expected: '200',
  actual: '204',
  count: 3,
  operations: [
    { id: 'listPets', count: 2 },
    { id: 'createPet', count: 1 },
  ],
  related: [
    {
      verdict: 'drift',
      check: 'body-schema',
      clause: {
        id: 'body-schema',
        basis: 'stated',
        source: '§2, §4',
        text: 'A success body matches its schema.',
        url: 'https://docs.test/petstore/#body-schema',
      },
      message: 'listPets answers with a body that breaks its schema',
      count: 2,
      operations: [{ id: 'listPets', count: 2 }],
      isConsequence: true,
    },
  ],
  exchange: {
    case: 'listPets/limit=1',
    request: {
      method: 'GET',
      url: 'http://127.0.0.1:8080/v1/pets?limit=1',
      headers: { Authorization: 'Bearer $KEY' },
      body: '{"name":"Rex"}',
    },
    response: { status: 204, headers: [['Content-Type', 'application/json']], body: '{"id":1}' },
    failure: 'the connection broke off',
  },
  before: [
    {
      exchange: {
        case: 'createPet/plain',
        request: {
          method: 'POST',
          url: 'http://127.0.0.1:8080/v1/pets',
          headers: { Authorization: 'Bearer $KEY' },
          body: '{"name":"Max"}',
        },
        response: { status: 201, headers: [['Location', '/v1/pets/2']], body: '{"id":2}' },
        failure: 'no answer came',
      },
      curl: "curl -i -X POST 'http://127.0.0.1:8080/v1/pets'",
    },
  ],
  curl: `curl -i -H "Authorization: Bearer $KEY" 'http://127.0.0.1:8080/v1/pets?limit=1'`,
};

/** The counts of clauses and findings, of which there are none. */
const noClauses = {
  kept: 0,
  drift: 0,
  standard: 0,
  undocumented: 0,
  known: 0,
  inconclusive: 0,
  vacuous: 0,
  unobserved: 0,
};
const noFindings = {
  drift: 0,
  unanswered: 0,
  standard: 0,
  undocumented: 0,
  moved: 0,
  mock: 0,
  difference: 0,
  known: 0,
  client: 0,
};

const createCall = { operation: 'createPet', method: 'POST', path: '/pets' };
const left = { target: 'target', operation: 'createPet', deletedBy: 'deletePet' };

/** A report of a broken target beside a clean twin, in which each property of the type stands. */
export const drifted: Whole<Report> = {
  verdict: 'drift',
  incomplete: ['target: 3 cases were not made, as the quota of the keys is short'],
  defects: [],
  defectDetails: [],
  document: { title: 'Pet Store Service', version: '1.0.0' },
  plan: { seed: 1, hash: '10325c82ae90', cases: 172 },
  traffic: {
    leftOut: [{ reason: 'to another address', count: 2 }],
    from: '2026-11-22T09:00:00.000Z',
    until: '2026-11-22T09:05:00.000Z',
  },
  targets: [
    {
      name: 'twin',
      url: 'http://127.0.0.1:4010/v1',
      requests: 40,
      seconds: 1.25,
      keys: ['free-1'],
    },
    {
      name: 'target',
      url: 'http://127.0.0.1:8080/v1',
      requests: 40,
      seconds: 2.5,
      keys: ['pro-1'],
    },
  ],
  operations: [
    {
      id: 'listPets',
      method: 'GET',
      path: '/pets',
      results: {
        twin: { calls: 30, findings: 0, successes: 30 },
        target: { calls: 30, findings: 1, successes: 28 },
      },
    },
    {
      id: 'createPet',
      method: 'POST',
      path: '/pets',
      results: {
        twin: { calls: 10, findings: 0, successes: 10 },
        target: { calls: 0, findings: 0, successes: 0 },
      },
    },
  ],
  totals: {
    twin: { clauses: { ...noClauses, kept: 1, vacuous: 1 }, findings: noFindings },
    target: {
      clauses: { ...noClauses, drift: 1, inconclusive: 1 },
      findings: { ...noFindings, drift: 1 },
    },
  },
  findings: [finding],
  clauses: [
    {
      id: 'success-status',
      basis: 'stated',
      source: '§4.1, §4.2',
      text: 'A valid call is answered with exactly the stated success status.',
      url: 'https://docs.test/petstore/#success-status',
      results: {
        twin: { verdict: 'kept', held: 20, reason: 'not all calls were made' },
        target: { verdict: 'drift', held: 20, reason: 'not all calls were made' },
      },
    },
    {
      id: 'challenge',
      basis: 'standard',
      source: 'RFC 9110 §11.6.1',
      text: 'A 401 names the scheme.',
      url: 'https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1',
      results: {
        twin: { verdict: 'vacuous', held: 0, reason: 'nothing to judge' },
        target: { verdict: 'inconclusive', held: 1, reason: 'no call was refused' },
      },
    },
  ],
  notApplicable: [
    { id: 'sunset-date', reason: 'the document has no removal date (x-deprecated-sunset)' },
  ],
  silences: [
    {
      id: 'list-order',
      source: '§4.1',
      question: 'In which order are animals listed?',
      url: 'https://docs.test/petstore/silences.html#list-order',
      observed: { twin: 'by id, ascending', target: 'by id, descending' },
    },
  ],
  notCalled: [
    {
      operation: 'deletePet',
      method: 'DELETE',
      path: '/pets/{petId}',
      reason: 'no cases for this kind',
    },
  ],
  notFuzzed: ['target: listPets (refresh)'],
  learned: [{ ...createCall, target: 'target', without: ['status'], with: ['categoryId'] }],
  refused: [{ ...createCall, target: 'target', reason: '403 {"code":"forbidden"}' }],
  residue: [{ ...left, id: '121', reason: 'deletePet answered 409', sent: '{"name":"Rex"}' }],
  leftAlone: [{ ...left, id: '7', reason: 'it was there before', sent: '{"name":"Tom"}' }],
  ended: ['target: key free-1 stopped working'],
  startedAt: '2026-11-21T02:04:56.496Z',
  seconds: 3.75,
};

/** The same report about a run alone, its findings replaced. */
export function reportOf(findings: Partial<Finding>[], more: Partial<Report> = {}): Report {
  const { traffic: _, ...run } = drifted;
  return { ...run, findings: findings.map((one) => ({ ...finding, ...one })), ...more };
}

const clauseOf = (id: string, basis: Finding['clause']['basis'], source: string, text: string) => ({
  check: id,
  clause: { id, basis, source, text },
});

/** A run on a twin and on a target that drifts, with a finding of each verdict. */
export function sampleReport(changes: Partial<Report> = {}): Report {
  const { exchange } = finding;
  const [twin, target] = drifted.targets;
  const [order] = drifted.silences;
  const ofNothing = { twin: { calls: 0, findings: 0 }, target: { calls: 0, findings: 0 } };
  const report = reportOf(
    [
      { problems: [], related: [], before: [] },
      {
        ...clauseOf('challenge', 'standard', 'RFC 9110 §11.6.1', 'A 401 has it.'),
        verdict: 'standard',
      },
      {
        ...clauseOf('described-status', 'described', '#/paths', 'It is described.'),
        verdict: 'undocumented',
      },
      {
        ...clauseOf(
          'filter',
          'stated',
          '§4.1',
          'A filtered list holds only items with that value.',
        ),
        verdict: 'known',
        exchange: { case: exchange.case, request: exchange.request, failure: 'socket hang up' },
      },
      {
        ...clauseOf('comparison', 'none', 'nothing is stated', 'A difference is no error.'),
        ...{ verdict: 'difference', operation: '' },
      },
    ],
    {
      targets: [
        { ...twin, requests: 262, seconds: 0.94 },
        { ...target, requests: 1301, seconds: 12.5 },
      ] as Report['targets'],
      operations: [
        ...drifted.operations,
        { id: 'listOrders', method: 'GET', path: '/store/orders', results: ofNothing },
      ],
      silences: [
        { ...order, observed: { twin: 'by id', target: 'by id' } },
        { ...order, id: 'limit', question: 'A limit of 0?' },
        {
          ...order,
          id: 'body-size',
          question: 'How large?',
          observed: { twin: notObserved, target: notObserved },
        },
      ] as never,
    },
  );
  return withoutUrls({ ...report, incomplete: [], notCalled: [], ...changes });
}

/** The same report of a run that knew of no reference. */
export function withoutUrls(report: Report): Report {
  const isLink = (name: string, value: unknown) =>
    name === 'url' && String(value).startsWith('https://');
  return JSON.parse(
    JSON.stringify(report, (name, value) => (isLink(name, value) ? undefined : value)),
  );
}

/** Text with everything in it that could act on a terminal, a page, a parser or a workflow. */
export const hostile =
  '\x1b[31mred\x1b]0;title\x07\x9b2J\x7f\x00\x08\r\n::error::x \u202eevil\u200b\u2028 ]]> <script>alert(1)</script> ' +
  '| `code` ``` ~~~ **b** [l](http://x.test) <!-- @octocat #1 ![i](//x.test/i) %0A::stop-commands::x ##[error] ##vso[task.complete] ###teamcity[x] \ud800 \ufffe 犬🐕';

/** The drifted report with a text in the place of all that comes from a target. */
export function reportFull(text: string): Report {
  const { exchange } = finding;
  const call = { operation: text, method: text, path: text };
  const related = finding.related.flatMap((one) => [
    { ...one, message: text },
    { ...one, message: text, isConsequence: false },
  ]);
  return {
    ...reportOf([
      {
        related,
        message: text,
        problems: [text, text],
        expected: text,
        actual: text,
        check: 'success-status',
        operation: text,
      },
      {
        verdict: 'standard',
        message: text,
        expected: text,
        actual: text,
        curl: `curl '${text}'`,
        exchange: {
          case: text,
          request: { ...exchange.request, url: `http://127.0.0.1/v1/${text}`, body: text },
          response: { status: 200, headers: [['Content-Type', text]], body: text },
        },
      },
      {
        verdict: 'undocumented',
        message: text,
        exchange: { case: text, request: exchange.request, failure: text },
      },
      { verdict: 'known', message: text, expected: text, actual: text },
      { verdict: 'difference', message: text, expected: text, actual: text },
    ]),
    incomplete: [text],
    clauses: drifted.clauses.map((clause) => ({
      ...clause,
      results: {
        twin: { verdict: 'vacuous', held: 0, reason: text },
        target: { verdict: 'inconclusive', held: 0, reason: text },
      },
    })),
    silences: drifted.silences.map((silence) => ({
      ...silence,
      observed: { twin: text, target: `${text}!` },
    })),
    notCalled: [{ ...call, reason: text }],
    refused: [{ ...call, target: 'target', reason: text }],
    notFuzzed: [text],
    learned: [{ ...call, target: 'target', without: [text], with: [text] }],
    residue: [{ ...left, id: text, deletedBy: text, reason: text, sent: text }],
  };
}

/** A report in which every text that may come from elsewhere is what `change` makes of it. */
export function withTexts(report: Report, change: (text: string) => string): Report {
  const closed = ['verdict', 'basis'];
  const changed = (value: unknown, field: string): unknown => {
    if (typeof value === 'string') return closed.includes(field) ? value : change(value);
    if (Array.isArray(value)) return value.map((inner) => changed(inner, ''));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        ['results', 'observed', 'totals', 'headers'].includes(field) ? change(name) : name,
        changed(inner, name),
      ]),
    );
  };
  return changed(report, '') as Report;
}
