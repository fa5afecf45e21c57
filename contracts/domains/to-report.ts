import { toServerText } from '../../common/dns/name-server.ts';
import type { Api, StatedClause } from '../../openapi/index.ts';
import type { ClauseResult, Finding, Report } from '../report/events.ts';
import { byWeight, toVerdict } from '../verify/to-report.ts';
import { toTotals } from '../verify/totals.ts';
import type { CheckedDomain, CheckOptions } from './check-domains.ts';
import { type Ruling, unobserved } from './ruling.ts';

export type ReportParts = Pick<CheckOptions, 'rules' | 'servers' | 'platform'> & {
  document: Api;
  checked: readonly CheckedDomain[];
  /** Unix milliseconds. */
  started: number;
  ended: number;
};

/** What became of domains as a report: each domain is a target. */
export function toReport(parts: ReportParts): Report {
  const { rules, servers, platform, document, checked, started, ended } = parts;
  const findings = checked
    .flatMap((domain) => rules.clauses.flatMap((clause) => toFindings(domain, clause)))
    .toSorted(byWeight);
  const clauses = rules.clauses.map((clause) => toClauseResult(clause, checked));
  const names = checked.map(({ name }) => name);
  const incomplete = checked.flatMap(whyIncomplete);
  return {
    verdict: toVerdict(findings, incomplete, false),
    incomplete,
    defects: [],
    document: { title: document.title, version: document.version },
    domains: {
      nameServers: servers.map(toServerText),
      ...(platform !== undefined && { platform }),
    },
    targets: checked.map(({ name, requests, seconds }) => ({
      ...{ name, requests, seconds },
      url: `https://${name}/`,
      keys: [],
    })),
    operations: [],
    totals: toTotals(names, clauses, findings),
    findings,
    clauses,
    notApplicable: [],
    silences: [],
    notCalled: [],
    residue: [],
    startedAt: new Date(started).toISOString(),
    seconds: (ended - started) / 1000,
  };
}

function whyIncomplete({ name, rulings }: CheckedDomain): string[] {
  return [...rulings].flatMap(([id, ruling]) =>
    ruling.verdict === 'inconclusive' ? [`${name}: ${id} is not decided, as ${ruling.reason}`] : [],
  );
}

/** The finding on a clause, if there is one. */
function toFindings({ name, rulings }: CheckedDomain, clause: StatedClause): Finding[] {
  const ruling = rulings.get(clause.id);
  if (ruling?.verdict !== 'drift' && ruling?.verdict !== 'unanswered') return [];
  const { verdict, message, expected, actual, again, exchange } = ruling;
  const { id, source, text } = clause;
  return [
    {
      ...{ target: name, verdict, check: id, operation: '', message, expected, actual },
      clause: { id, basis: 'stated', source, text },
      count: 1,
      operations: [{ id: '', count: 1 }],
      related: [],
      ...(exchange && { exchange }),
      ...(again !== undefined && { curl: again }),
    },
  ];
}

const notAsked = unobserved('no NAME, --redirect or --removed asks for it');

function toClauseResult(
  { id, source, text }: StatedClause,
  checked: readonly CheckedDomain[],
): ClauseResult {
  const results = checked.map(({ name, rulings }) => [name, toResult(rulings.get(id) ?? notAsked)]);
  return { id, basis: 'stated', source, text, results: Object.fromEntries(results) };
}

function toResult(ruling: Ruling): ClauseResult['results'][string] {
  if ('reason' in ruling) return { verdict: ruling.verdict, held: 0, reason: ruling.reason };
  return ruling.verdict === 'unanswered'
    ? { verdict: 'inconclusive', held: 0, reason: ruling.message }
    : { verdict: ruling.verdict, held: 1 };
}
