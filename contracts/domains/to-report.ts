import type { ApiDocument, StatedClause } from '../description/document.ts';
import { toServerText } from '../dns/name-server.ts';
import type { ClauseResult, Finding, RelatedFinding, Report } from '../report/events.ts';
import { byWeight, toVerdict } from '../verify/to-report.ts';
import { toTotals } from '../verify/totals.ts';
import type { CheckAllOptions, CheckedDomain } from './check-domain.ts';
import { toNameText } from './domain-name.ts';
import { questions } from './notes.ts';
import type { Ruling } from './ruling.ts';

export type ReportParts = Pick<CheckAllOptions, 'rules' | 'servers' | 'platform'> & {
  document: ApiDocument;
  checked: readonly CheckedDomain[];
  strict: boolean;
  /** Unix milliseconds. */
  started: number;
  ended: number;
};

type Clause = Finding['clause'];

/** Clauses on where a name leads: the certificate that a server shows there follows from them. */
const waysTo = ['cname', 'apex', 'no-address'];

/** What became of domains as a report: each domain is a target. */
export function toReport(parts: ReportParts): Report {
  const { rules, servers, platform, document, checked, strict, started, ended } = parts;
  const clauses = [
    ...rules.clauses.map((clause) => toClause(clause, 'stated')),
    ...standards.map((clause) => toClause(clause, 'standard')),
  ];
  const findings = checked
    .flatMap((domain) => groupFindings(toFindings(domain, clauses)))
    .toSorted(byWeight);
  const results = clauses.map((clause) => toClauseResult(clause, checked));
  const names = checked.map(({ domain }) => toNameText(domain));
  const incomplete = checked.flatMap(whyIncomplete);
  return {
    verdict: toVerdict(findings, incomplete, strict),
    incomplete,
    defects: [],
    document: { title: document.title, version: document.version },
    domains: {
      nameServers: servers.map(toServerText),
      ...(platform !== undefined && { platform }),
    },
    targets: checked.map(({ domain, requests, seconds }) => ({
      name: toNameText(domain),
      url: `https://${toNameText(domain)}/`,
      requests,
      seconds,
      keys: [],
    })),
    operations: [],
    totals: toTotals(names, results, findings),
    findings,
    clauses: results,
    notApplicable: [],
    silences: toSilences(checked),
    sections: [
      {
        id: 'Appendix',
        title: rules.title,
        statements: rules.clauses.map(({ id, text }) => ({ text, clauses: [id] })),
      },
    ],
    notCalled: [],
    residue: [],
    startedAt: new Date(started).toISOString(),
    seconds: (ended - started) / 1000,
  };
}

function whyIncomplete({ domain, rulings }: CheckedDomain): string[] {
  return [...rulings].flatMap(([id, ruling]) =>
    ruling.verdict === 'inconclusive'
      ? [`${toNameText(domain)}: ${id} is not decided, as ${ruling.reason}`]
      : [],
  );
}

/** What was seen of what the interface does not state, by domain. */
function toSilences(checked: readonly CheckedDomain[]): Report['silences'] {
  const noted = checked.flatMap(({ domain, notes }) =>
    notes.map((note) => ({ ...note, name: toNameText(domain) })),
  );
  return Object.entries(questions).map(([id, { source, question }]) => {
    const ofId = noted.filter((note) => note.id === id);
    const observed = Object.fromEntries(ofId.map(({ name, observed: seen }) => [name, seen]));
    return { id, source, question, observed };
  });
}

function toClause({ id, source, text }: StatedClause, basis: Clause['basis']): Clause {
  return { id, basis, source, text };
}

function toFindings({ domain, rulings }: CheckedDomain, clauses: readonly Clause[]): Finding[] {
  return clauses.flatMap((clause): Finding[] => {
    const ruling = rulings.get(clause.id);
    if (ruling?.verdict !== 'broken' && ruling?.verdict !== 'unanswered') return [];
    const { message, problems, expected, actual, again, exchange } = ruling;
    const broken = clause.basis === 'standard' ? 'standard' : 'drift';
    return [
      {
        target: toNameText(domain),
        verdict: ruling.verdict === 'broken' ? broken : 'unanswered',
        check: clause.id,
        operation: '',
        clause,
        message,
        ...(problems && { problems }),
        expected,
        actual,
        count: 1,
        operations: [{ id: '', count: 1 }],
        related: [],
        ...(exchange && { exchange }),
        ...(again !== undefined && { curl: again }),
      },
    ];
  });
}

/** The findings on a domain by their causes: one that leads elsewhere shows another certificate. */
function groupFindings(findings: readonly Finding[]): Finding[] {
  const way = findings.find(({ verdict, check }) => verdict === 'drift' && waysTo.includes(check));
  const isRelated = ({ verdict, check }: Finding) =>
    way !== undefined && verdict === 'drift' && check === 'certificate';
  return findings
    .filter((finding) => !isRelated(finding))
    .map((finding) =>
      finding === way ? { ...way, related: findings.filter(isRelated).map(toRelated) } : finding,
    );
}

function toRelated(finding: Finding): RelatedFinding {
  const { verdict, check, clause, message, count, operations } = finding;
  return { verdict, check, clause, message, count, operations, isConsequence: true };
}

function toClauseResult(
  { id, basis, source, text }: Clause,
  checked: readonly CheckedDomain[],
): ClauseResult {
  return {
    ...{ id, basis, source, text },
    results: Object.fromEntries(
      checked.map(({ domain, rulings }) => {
        const ruling = rulings.get(id) ?? { verdict: 'unobserved', reason: 'nothing looks at it' };
        return [toNameText(domain), toResult(ruling, basis)];
      }),
    ),
  };
}

function toResult(ruling: Ruling, basis: Clause['basis']): ClauseResult['results'][string] {
  if (ruling.verdict === 'kept') return { verdict: 'kept', held: 1 };
  if (ruling.verdict === 'broken')
    return { verdict: basis === 'standard' ? 'standard' : 'drift', held: 1 };
  if ('message' in ruling) return { verdict: 'inconclusive', held: 0, reason: ruling.message };
  return { verdict: ruling.verdict, held: 0, reason: ruling.reason };
}

/** Clauses of RFCs where the interface states nothing. */
export const standards = [
  {
    id: 'cname-alone',
    source: 'RFC 1034 §3.6.2',
    text: 'A name that has a CNAME record has no AAAA record.',
  },
] as const;
