import type { Finding, Report, ReportedExchange } from '../../contracts/report/events.ts';
import { noClauses, noFindings } from './report.ts';

/** An exchange in which the target answers a valid create with 200. */
function sampleExchange(changes: Partial<ReportedExchange> = {}): ReportedExchange {
  return {
    case: 'createPet/valid',
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:8080/v1/pets',
      headers: { 'Content-Type': 'application/json', Authorization: 'Bearer $KEY' },
      body: '{"name":"Rex","categoryId":1}',
    },
    response: {
      status: 200,
      headers: [
        ['Content-Type', 'application/json'],
        ['X-RateLimit-Limit', '60'],
      ],
      body: '{"id":9007199254740993,"name":"Rex","categoryId":1}',
    },
    ...changes,
  };
}

/** A finding of drift on the target's createPet. */
export function sampleFinding(changes: Partial<Finding> = {}): Finding {
  const { operation = 'createPet', count = 12 } = changes;
  return {
    operations: [{ id: operation, count }],
    related: [],
    target: 'target',
    verdict: 'drift',
    check: 'success-status',
    operation: 'createPet',
    clause: {
      id: 'success-status',
      basis: 'stated',
      source: '§4.2',
      text: 'A valid call is answered with exactly the stated success status.',
    },
    message: 'createPet answers a valid call with another status than the stated one',
    expected: '201',
    actual: '200',
    count: 12,
    exchange: sampleExchange(),
    curl: `curl -i -H 'Content-Type: application/json' -H "Authorization: Bearer $KEY" --data-binary '{"name":"Rex","categoryId":1}' 'http://127.0.0.1:8080/v1/pets'`,
    ...changes,
  };
}

/** A run on a twin and on a target that drifts, with a finding of each verdict. */
export function sampleReport(changes: Partial<Report> = {}): Report {
  return {
    verdict: 'drift',
    incomplete: [],
    defects: [],
    document: { title: 'Pet Store Service', version: '1.0.0' },
    plan: { seed: 1, hash: '10325c82ae90', cases: 172 },
    targets: [
      {
        name: 'twin',
        url: 'http://127.0.0.1:4010/v1',
        requests: 262,
        seconds: 0.94,
        keys: ['free-1', 'free-2'],
      },
      {
        name: 'target',
        url: 'http://127.0.0.1:8080/v1',
        requests: 1301,
        seconds: 12.5,
        keys: ['pro-1'],
      },
    ],
    operations: [
      {
        id: 'listPets',
        method: 'GET',
        path: '/pets',
        results: { twin: { calls: 147, findings: 0 }, target: { calls: 1138, findings: 0 } },
      },
      {
        id: 'createPet',
        method: 'POST',
        path: '/pets',
        results: { twin: { calls: 69, findings: 0 }, target: { calls: 117, findings: 1 } },
      },
      {
        id: 'listOrders',
        method: 'GET',
        path: '/store/orders',
        results: { twin: { calls: 0, findings: 0 }, target: { calls: 0, findings: 0 } },
      },
    ],
    totals: {
      twin: { clauses: { ...noClauses, kept: 5, inconclusive: 1 }, findings: noFindings },
      target: {
        clauses: {
          ...noClauses,
          ...{ kept: 1, drift: 1, standard: 1, undocumented: 1, known: 1, vacuous: 1 },
        },
        findings: {
          ...noFindings,
          ...{ drift: 1, standard: 1, undocumented: 1, difference: 1, known: 1 },
        },
      },
    },
    findings: [
      sampleFinding(),
      sampleFinding({
        verdict: 'standard',
        check: 'challenge',
        operation: 'listPets',
        clause: {
          id: 'challenge',
          basis: 'standard',
          source: 'RFC 9110 §11.6.1',
          text: 'A 401 carries a challenge.',
        },
        message: 'listPets answers 401 without a full WWW-Authenticate challenge',
        expected: 'WWW-Authenticate: Bearer realm="..."',
        actual: 'no WWW-Authenticate',
        count: 2,
      }),
      sampleFinding({
        verdict: 'undocumented',
        check: 'described-status',
        clause: {
          id: 'described-status',
          basis: 'described',
          source: '#/paths',
          text: 'An operation answers with a status that the document describes for it.',
        },
        message: 'createPet answers 418 where the document describes 201, 400',
        count: 1,
      }),
      sampleFinding({
        verdict: 'known',
        check: 'filter',
        operation: 'listPets',
        clause: {
          id: 'filter',
          basis: 'stated',
          source: '§4.1',
          text: 'A filtered list holds only items with that value.',
        },
        message: 'listPets lists items that its filter excludes',
        count: 22,
        exchange: { ...withoutResponse(), failure: 'socket hang up' },
      }),
      sampleFinding({
        verdict: 'difference',
        check: 'comparison',
        operation: '',
        clause: {
          id: 'comparison',
          basis: 'none',
          source: 'nothing is stated',
          text: 'The interface does not specify this, so a difference is no error.',
        },
        message: 'HEAD /pets: target differs from twin in its headers',
        expected: 'twin: vary',
        actual: 'target: none of these',
        count: 1,
      }),
    ],
    clauses: [
      {
        id: 'success-status',
        basis: 'stated',
        source: '§4.2',
        text: 'A valid call is answered with exactly the stated success status.',
        results: { twin: { verdict: 'kept', held: 150 }, target: { verdict: 'drift', held: 189 } },
      },
      {
        id: 'retry-works',
        basis: 'stated',
        source: '§8',
        text: 'After Retry-After the key works again.',
        results: {
          twin: {
            verdict: 'inconclusive',
            held: 0,
            reason: 'the wait is longer than the wait allowed',
          },
          target: { verdict: 'vacuous', held: 0, reason: 'nothing to judge' },
        },
      },
    ],
    notApplicable: [],
    silences: [
      {
        id: 'list-order',
        source: '§4.1',
        question: 'In which order are animals listed?',
        observed: { twin: 'by id, ascending', target: 'by id, ascending' },
      },
      {
        id: 'limit-out-of-range',
        source: '§4.1',
        question: 'How is a limit below 1 answered?',
        observed: { twin: '400, Error', target: '200, 20 items' },
      },
      {
        id: 'body-size',
        source: '§4.2',
        question: 'How large may a body be?',
        observed: { twin: 'not observed', target: 'not observed' },
      },
    ],
    notCalled: [],
    residue: [
      { target: 'twin', operation: 'createPet', id: '121' },
      { target: 'target', operation: 'createPet', id: '9007199254740993' },
    ],
    startedAt: '2026-01-15T12:00:00.000Z',
    seconds: 13.75,
    ...changes,
  };
}

function withoutResponse(): ReportedExchange {
  const { response: _, ...exchange } = sampleExchange();
  return exchange;
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
