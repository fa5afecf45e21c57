import type { Check } from '../clauses/check.ts';
import { createRedactor } from '../cli/create-redactor.ts';
import type { ApiDocument } from '../description/document.ts';
import { applyBaseline, type BaselineEntry } from '../judging/baseline.ts';
import { groupByCause, toSingleFindings } from '../judging/causes.ts';
import type { FoundKind } from '../judging/judge.ts';
import { redactReport, withholdTexts } from '../judging/redact.ts';
import { toReported } from '../judging/reported-exchange.ts';
import type { ClauseResult, Finding, NotApplicable, Report } from '../report/events.ts';
import type { Target } from '../transcript/exchange.ts';
import type { Guard } from '../verify/guard.ts';
import { createLinks } from '../verify/links.ts';
import { byWeight, toVerdict, withUrl, withUrls } from '../verify/to-report.ts';
import { toTotals } from '../verify/totals.ts';
import type { ClientFault } from './client-faults.ts';
import type { KeyBook } from './key-book.ts';
import { isOwnWord, mayBeWord } from './secrets.ts';
import type { SilenceNotes } from './silence-notes.ts';
import type { Tally } from './tally.ts';
import type { Totals } from './totals.ts';

/** What a report about traffic is made of. */
export type TrafficParts = {
  document: ApiDocument;
  target: Target;
  checks: readonly Check[];
  notApplicable: readonly NotApplicable[];
  keys: KeyBook;
  tally: Tally;
  totals: Totals;
  silences: SilenceNotes;
  guard: Guard;
};

export type TrafficSettings = {
  strict: boolean;
  baseline: readonly BaselineEntry[];
  docs?: string;
};

/** What a client does wrong, as a finding that gates nothing. */
export function toFaultFinding(fault: ClientFault, target: Target): FoundKind {
  const { check, exchange, source, text, message, expected, actual } = fault;
  const operation = exchange.case.operation?.id ?? '';
  const basis = source.startsWith('RFC') ? 'standard' : 'stated';
  const clause: Finding['clause'] = { id: check, basis, source, text };
  const described = { operation, clause, message, expected, actual };
  const reported = toReported(exchange, target.url);
  return {
    target: target.name,
    verdict: 'client',
    check,
    ...described,
    exchange: reported,
    count: 1,
    kind: message,
    violations: [{ exchange, message, expected, actual }],
    show: () => ({ ...described, exchange: reported }),
  };
}

/** What was found so far, grouped by cause, without keys. */
export function toFindings(parts: TrafficParts, settings: TrafficSettings): Finding[] {
  return toTrafficReport(parts, settings).findings;
}

/** The report about all traffic so far. */
export function toTrafficReport(
  { document, target, checks, notApplicable, keys, tally, totals, silences, guard }: TrafficParts,
  { strict, baseline, docs }: TrafficSettings,
): Report {
  const traffic = totals.traffic();
  const startedAt = traffic.from ?? new Date(0).toISOString();
  const all = tally.found();
  const secrets = secretsIn(all, keys);
  const links = guard.run(
    'the links',
    () => createLinks(document, undefined),
    () => createLinks(document, docs && createRedactor(secrets)(docs)),
  );
  const { findings: found, faults } = guard.run(
    'the baseline',
    () => ({ findings: all, faults: [] }),
    () => applyBaseline(all, baseline, Date.now()),
  );
  const causes = guard.run(
    'grouping by cause',
    () => toSingleFindings(found),
    () => groupByCause(found, checks),
  );
  const findings = [...causes, ...faults].toSorted(byWeight).map((one) => withUrls(one, links));
  const clauses = checks.map((check): ClauseResult => {
    const isOfCheck = ({ check: id, verdict }: Pick<Finding, 'check' | 'verdict'>) =>
      id === check.id && verdict !== 'client';
    const ofCheck = found.filter(isOfCheck);
    const isKnown = ofCheck.length > 0 && ofCheck.every(({ verdict }) => verdict === 'known');
    const result = tally.resultOf(check);
    const clause = { id: check.id, ...check.clause };
    const url = links.clause(clause);
    return {
      ...clause,
      ...(url !== undefined && { url }),
      results: { [target.name]: isKnown ? { ...result, verdict: 'known' } : result },
    };
  });
  const defects = [...guard.defects, ...tally.defects()];
  const incomplete = [
    ...totals.unjudged(),
    ...(totals.requests() === 0 ? ['no call of the target was judged'] : []),
    ...defects.map((defect) => `a bug in the suite: ${defect}`),
  ];
  const report: Report = {
    verdict: toVerdict(findings, incomplete, strict),
    incomplete,
    defects,
    document: { title: document.title, version: document.version },
    traffic,
    targets: [
      {
        ...target,
        requests: totals.requests(),
        seconds: totals.seconds(),
        keys: keys.keys().map(({ name }) => name),
      },
    ],
    operations: document.operations.map(({ id, method, path }) => ({
      id,
      method,
      path,
      results: {
        [target.name]: {
          calls: totals.callsOf(id),
          findings: findings.filter(
            ({ verdict, operations }) =>
              verdict === 'drift' && operations.some((operation) => operation.id === id),
          ).length,
        },
      },
    })),
    totals: toTotals([target.name], clauses, findings),
    findings,
    clauses,
    notApplicable: [...notApplicable],
    silences: silences.results(target.name).map((one) => withUrl(one, links.silence(one.id))),
    sections: document.sections.map((one) => withUrl(one, links.section(one.id))),
    notCalled: [],
    residue: [],
    startedAt,
    seconds: totals.seconds(),
  };
  return guard.run(
    'the redaction',
    () => withholdTexts(report),
    () => {
      const isKey = new Set(keys.secrets());
      const { words = [], others = [] } = Object.groupBy(shownSecrets(report, secrets), (secret) =>
        mayBeWord(secret) && !isKey.has(secret) ? 'words' : 'others',
      );
      return redactReport(report, others, words);
    },
  );
}

/** The keys, and what else of the exchanges that show findings must not be shown. */
function secretsIn(found: readonly FoundKind[], keys: KeyBook): string[] {
  const ofExchanges = found.flatMap(({ violations }) =>
    violations.flatMap(({ exchange }) => exchange.request.secrets ?? []),
  );
  // A recording of ours has the names of keys in their place, which reports show.
  const names = keys.keys().map(({ name }) => name);
  return [...new Set([...keys.secrets(), ...ofExchanges])].filter(
    (text) => !isOwnWord(text) && !names.includes(text),
  );
}

/** Those of which a report may hold some, as one of many alternatives is slow to look for. */
function shownSecrets(report: Report, secrets: readonly string[]): string[] {
  const text = JSON.stringify(report).toLowerCase();
  const mayHold = (form: string) => text.includes(form.slice(0, 4).toLowerCase());
  return secrets.filter(
    (secret) => mayHold(secret) || mayHold(Buffer.from(`${secret}:`).toString('base64')),
  );
}
