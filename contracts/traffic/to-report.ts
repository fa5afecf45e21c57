import type { Api } from '../../openapi/index.ts';
import type { Check } from '../clauses/check.ts';
import type { BaselineEntry } from '../judging/baseline.ts';
import type { FoundKind } from '../judging/judge.ts';
import { redactReport } from '../judging/redact.ts';
import type { NotApplicable, Report, SilenceResult } from '../report/events.ts';
import type { Target } from '../transcript/exchange.ts';
import { toFindings } from '../verify/judge-all.ts';
import { toReport } from '../verify/to-report.ts';
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
};

export type TrafficSettings = {
  strict?: boolean;
  baseline?: readonly BaselineEntry[];
  /** The published reference of the document, for links. */
  docs?: string;
};

/** The report about all traffic so far, without keys. */
export function toTrafficReport(
  { document, target, checks, notApplicable, keys, tally, totals, silences }: TrafficParts,
  { strict = false, baseline = [], docs }: TrafficSettings,
): Report {
  const judgement = tally.judgement(checks);
  const judgements = new Map([[target.name, judgement]]);
  const secrets = secretsIn(judgement.findings, keys);
  const { findings } = toFindings(judgements, { document, checks, baseline, now: Date.now() });
  const [requests, seconds, traffic] = [totals.requests(), totals.seconds(), totals.traffic()];
  const names = keys.keys().map(({ name }) => name);
  const report = toReport(
    {
      ...{ document, checks, notApplicable, judgements, findings, silences },
      targets: [{ ...target, requests, seconds, keys: names, callsOf: totals.callsOf }],
      incomplete: [
        ...totals.unjudged(),
        ...(requests === 0 ? ['no call of the target was judged'] : []),
      ],
      defects: judgement.defects,
    },
    { traffic, startedAt: traffic.from ?? new Date(0).toISOString(), seconds },
    { strict, docs, secrets },
  );
  const isKey = new Set(keys.secrets());
  const isWord = (secret: string) => mayBeWord(secret) && !isKey.has(secret);
  return redactReport(report, secrets, { isWord });
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
