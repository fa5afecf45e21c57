import { createRedactor } from '../../common/secrets/texts.ts';
import type { Api } from '../../openapi/index.ts';
import type { Check } from '../clauses/check.ts';
import { applyBaseline, type BaselineEntry } from '../judging/baseline.ts';
import { groupByCause } from '../judging/causes.ts';
import type { FoundKind } from '../judging/judge.ts';
import { redactReport } from '../judging/redact.ts';
import type {
  ClauseResult,
  Finding,
  NotApplicable,
  Report,
  SilenceResult,
} from '../report/events.ts';
import type { Target } from '../transcript/exchange.ts';
import type { Guard } from '../verify/guard.ts';
import { createLinks, type Links } from '../verify/links.ts';
import { byWeight, toVerdict, withUrl, withUrls } from '../verify/to-report.ts';
import { toOperations, toTotals } from '../verify/totals.ts';
import type { KeyBook } from './key-book.ts';
import { mayBeWord } from './secrets.ts';
import type { Tally } from './tally.ts';
import type { Totals } from './totals.ts';

/** The parts of a report about traffic. */
export type TrafficParts = {
  document: Api;
  target: Target;
  checks: readonly Check[];
  notApplicable: readonly NotApplicable[];
  keys: KeyBook;
  tally: Tally;
  totals: Totals;
  /** The latest observations on the silences. */
  silences: readonly SilenceResult[];
  guard: Guard;
};

export type TrafficSettings = {
  strict?: boolean;
  baseline?: readonly BaselineEntry[];
  /** The published reference of the document, for links. */
  docs?: string;
};

/** The report about all traffic so far, without keys. */
export function toTrafficReport(parts: TrafficParts, settings: TrafficSettings): Report {
  const { tally, keys } = parts;
  const secrets = secretsIn(tally.found(), keys);
  const report = toOpenReport(parts, settings, secrets);
  const isKey = new Set(keys.secrets());
  const isWord = (secret: string) => mayBeWord(secret) && !isKey.has(secret);
  return redactReport(report, secrets, { isWord });
}

function toOpenReport(
  parts: TrafficParts,
  { strict = false, baseline = [], docs }: TrafficSettings,
  secrets: readonly string[],
): Report {
  const { document, target, notApplicable, keys, tally, totals, silences, guard } = parts;
  const links = createLinks(document, docs && createRedactor([...secrets])(docs));
  const { found, findings } = toFindings(parts, baseline);
  const clauses = toClauses(parts, found, links);
  const defects = [...guard.defects, ...tally.defects()];
  const incomplete = [
    ...totals.unjudged(),
    ...(totals.requests() === 0 ? ['no call of the target was judged'] : []),
    ...defects.map((defect) => `a bug in the suite: ${defect}`),
  ];
  const traffic = totals.traffic();
  const [requests, seconds] = [totals.requests(), totals.seconds()];
  const names = keys.keys().map(({ name }) => name);
  return {
    verdict: toVerdict(findings, incomplete, strict),
    incomplete,
    defects,
    document: { title: document.title, version: document.version },
    traffic,
    targets: [{ ...target, requests, seconds, keys: names }],
    operations: toOperations(document, [{ target, callsOf: totals.callsOf }], findings),
    totals: toTotals([target.name], clauses, findings),
    findings: findings.map((one) => withUrls(one, links)),
    clauses,
    notApplicable: [...notApplicable],
    silences: silences.map((one) => withUrl(one, links.silence(one.id))),
    notCalled: [],
    residue: [],
    startedAt: traffic.from ?? new Date(0).toISOString(),
    seconds,
  };
}

/** Returns what was found, also as findings grouped by cause, the most severe first. */
function toFindings(
  { document, tally, totals, checks }: TrafficParts,
  baseline: readonly BaselineEntry[],
): { found: readonly FoundKind[]; findings: Finding[] } {
  const all = tally.found();
  const { findings: found, faults } = applyBaseline(all, baseline, {
    now: Date.now(),
    wasTried: ({ clause, operation }) => {
      const check = checks.find(({ id }) => id === clause);
      const isDescribed = document.operations.some(({ id }) => id === operation);
      if (!check || (operation !== undefined && !isDescribed)) return true;
      const wasCalled = operation === undefined || totals.callsOf(operation) > 0;
      return wasCalled && tally.resultOf(check).held > 0;
    },
  });
  return { found, findings: [...groupByCause(found, checks), ...faults].toSorted(byWeight) };
}

function toClauses(
  { checks, tally, target }: TrafficParts,
  found: readonly FoundKind[],
  links: Links,
): ClauseResult[] {
  return checks.map((check) => {
    const ofCheck = found.filter(({ check: id }) => id === check.id);
    const isKnown = ofCheck.length > 0 && ofCheck.every(({ verdict }) => verdict === 'known');
    const result = tally.resultOf(check);
    const clause = { id: check.id, ...check.clause };
    return {
      ...withUrl(clause, links.clause(clause)),
      results: { [target.name]: isKnown ? { ...result, verdict: 'known' } : result },
    };
  });
}

/** The keys, and what else of the exchanges that show findings must not be shown. */
function secretsIn(found: readonly FoundKind[], keys: KeyBook): string[] {
  const ofExchanges = found.flatMap(({ violations }) =>
    violations.flatMap(({ exchange }) => exchange.request.secrets ?? []),
  );
  // A recording of ours has the names of keys in their place, which reports show.
  const names = keys.keys().map(({ name }) => name);
  return [...new Set([...keys.secrets(), ...ofExchanges])].filter((text) => !names.includes(text));
}
