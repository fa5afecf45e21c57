import { rfcUrl } from '../../common/look/source-links.ts';
import { toSourceParts } from '../../common/look/source-parts.ts';
import { createRedactor } from '../../common/secrets/texts.ts';
import type { Api } from '../../openapi/index.ts';
import type { Check } from '../clauses/check.ts';
import { type Judgement, toClauseResults } from '../judging/judge.ts';
import {
  type ClauseResult,
  clauseVerdicts,
  type Finding,
  type NotApplicable,
  type Report,
  type SilenceResult,
  verdicts,
} from '../report/events.ts';
import { isGating } from '../report/summary.ts';
import type { Defect } from '../transcript/transcript.ts';

/** A target as its report shows it, and how often each operation was called there. */
type CalledTarget = Report['targets'][number] & {
  callsOf: (operation: string) => number;
  /** Counts those of them that were answered with a success; traffic does not. */
  successesOf?: (operation: string) => number;
};

/** The parts of a report that do not depend on who made the calls. */
export type ReportParts = {
  document: Api;
  checks: readonly Check[];
  notApplicable: readonly NotApplicable[];
  targets: readonly CalledTarget[];
  /** By target. */
  judgements: ReadonlyMap<string, Judgement>;
  findings: readonly Finding[];
  silences: readonly SilenceResult[];
  /** Why not everything was tried or judged, a sentence each. */
  incomplete: readonly string[];
  defects: readonly Defect[];
};

/** The members of a report that depend on who made the calls. */
type OwnMembers = Pick<Report, 'startedAt' | 'seconds'> &
  Partial<
    Pick<
      Report,
      | 'plan'
      | 'traffic'
      | 'notCalled'
      | 'refused'
      | 'notFuzzed'
      | 'learned'
      | 'residue'
      | 'leftAlone'
      | 'ended'
    >
  >;

export type ReportSettings = {
  strict: boolean;
  /** The published reference of the document, for links: a folder or an HTML page. */
  docs?: string | undefined;
  /** The texts that no link may show. */
  secrets: readonly string[];
};

/** Puts a report together, of a run or of traffic; its texts may still show what a target repeats. */
export function toReport(
  parts: ReportParts,
  own: OwnMembers,
  { strict, docs, secrets }: ReportSettings,
): Report {
  const { document, checks, targets, judgements, defects } = parts;
  const links = createLinks(document, docs && createRedactor([...secrets])(docs));
  const findings = parts.findings.toSorted(byWeight).map((one) => withUrls(one, links));
  const clauses = toClauseResults(checks, judgements, findings.flatMap(withRelated)).map((one) =>
    withUrl(one, links.clause(one)),
  );
  const incomplete = [
    ...parts.incomplete,
    ...defects.map(({ message }) => `a bug in the suite: ${message}`),
  ];
  return {
    verdict: toVerdict(findings, incomplete, strict),
    incomplete,
    defects: defects.map(({ message }) => message),
    ...(defects.length > 0 && { defectDetails: [...defects] }),
    document: { title: document.title, version: document.version },
    targets: targets.map(({ callsOf: _, successesOf: __, ...target }) => target),
    operations: toOperations(document, targets, findings),
    totals: toTotals(targets, clauses, findings),
    findings,
    clauses,
    notApplicable: [...parts.notApplicable],
    silences: parts.silences.map((one) => withUrl(one, links.silence(one.id))),
    notCalled: [],
    residue: [],
    ...own,
  };
}

/** The whole run in a word. */
function toVerdict(
  findings: readonly Finding[],
  incomplete: readonly string[],
  strict: boolean,
): Report['verdict'] {
  const gating = findings.filter((finding) => isGating(finding, { strict }));
  if (gating.length === 0) return incomplete.length > 0 ? 'incomplete' : 'clean';
  return gating.every(({ verdict }) => verdict === 'unanswered') ? 'unanswered' : 'drift';
}

/**
 * Orders findings: the heaviest first, then those that most exchanges show. Differences have an
 * order of their own.
 */
function byWeight(left: Finding, right: Finding): number {
  return (
    verdicts.indexOf(left.verdict) - verdicts.indexOf(right.verdict) ||
    (left.verdict === 'difference' ? 0 : right.count - left.count)
  );
}

/** A finding, and each that has its cause too. */
function withRelated(finding: Finding): Pick<Finding, 'check' | 'target' | 'verdict'>[] {
  return [finding, ...finding.related.map((one) => ({ ...one, target: finding.target }))];
}

/** How often each operation was called on each target, and how many findings show it. */
function toOperations(
  { operations }: Api,
  targets: readonly CalledTarget[],
  findings: readonly Finding[],
): Report['operations'] {
  const areAbout = (id: string, name: string) =>
    findings.filter(
      ({ target, operations: shownBy, verdict, clause }) =>
        target === name &&
        (verdict === 'drift' || (verdict === 'mock' && clause.basis === 'stated')) &&
        shownBy.some((operation) => operation.id === id),
    );
  return operations.map(({ id, method, path }) => ({
    ...{ id, method, path },
    results: Object.fromEntries(
      targets.map(({ name, callsOf, successesOf }) => [
        name,
        {
          calls: callsOf(id),
          findings: areAbout(id, name).length,
          ...(successesOf && { successes: successesOf(id) }),
        },
      ]),
    ),
  }));
}

/** The clauses of each target by what became of them, and its findings by how they weigh. */
function toTotals(
  targets: readonly CalledTarget[],
  clauses: readonly ClauseResult[],
  findings: readonly Finding[],
): Report['totals'] {
  return Object.fromEntries(
    targets.map(({ name }) => {
      const results = clauses.map((clause) => clause.results[name]?.verdict);
      const own = findings.filter(({ target }) => target === name);
      const weights = own.map(({ verdict }) => verdict);
      const totals = {
        clauses: countBy(clauseVerdicts, results),
        findings: countBy(verdicts, weights),
      };
      return [name, totals];
    }),
  );
}

/** How often each name stands among values. */
export function countBy<Name extends string>(
  names: readonly Name[],
  values: readonly (Name | undefined)[],
): Record<Name, number> {
  return Object.fromEntries(
    names.map((name) => [name, values.filter((value) => value === name).length]),
  ) as Record<Name, number>;
}

/** Gives the address of what a report names; undefined if unknown. */
interface Links {
  clause(clause: Pick<Finding['clause'], 'id' | 'basis' | 'source'>): string | undefined;
  silence(id: string): string | undefined;
}

/**
 * Links into the reference of a document, published at `docs`; a clause of an RFC leads to the RFC.
 */
export function createLinks(document: Api, docs: string | undefined): Links {
  const clauses = new Set(document.clauses.map(({ id }) => id));
  const toUrl = (file: string, id: string) =>
    docs === undefined ? undefined : new URL(`${file}#${encodeURIComponent(id)}`, docs).href;
  return {
    clause({ id, basis, source }) {
      const [rfc] = toSourceParts(source).flatMap((part) => part.rfc ?? []);
      if (basis === 'standard') return rfc && rfcUrl(rfc);
      return basis === 'stated' && clauses.has(id) ? toUrl('', id) : undefined;
    },
    silence: (id) => toUrl('silences.html', id),
  };
}

/** Something with the address where it can be read, if there is one. */
function withUrl<T extends object>(one: T, url: string | undefined): T & { url?: string } {
  return { ...one, ...(url !== undefined && { url }) };
}

/** A finding whose clauses lead to where they can be read. */
function withUrls(finding: Finding, links: Links): Finding {
  const linked = <T extends Pick<Finding, 'clause'>>(one: T): T => ({
    ...one,
    clause: withUrl(one.clause, links.clause(one.clause)),
  });
  return { ...linked(finding), related: finding.related.map(linked) };
}
