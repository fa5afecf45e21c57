import { withItemViews } from '../document/item-views.ts';
import type { Report } from '../report/events.ts';
import { twinName } from '../transcript/exchange.ts';
import { judgeAll } from './judge-all.ts';
import type { VerifyOptions } from './options.ts';
import { countCases, toRunReport } from './run-report.ts';
import { runTargets } from './run-targets.ts';
import {
  chooseCases,
  chooseChecks,
  holdsAllChecks,
  NothingChecked,
  toChoice,
} from './selection.ts';

/**
 * Replays the document against each target, holds what came back against the checks, and compares
 * the targets. Throws a UsageError where a target cannot be judged at all, a DocumentError for a
 * schema that cannot be compiled, and {@link NothingChecked} where no check had anything to hold.
 */
export async function verify(given: VerifyOptions): Promise<Report> {
  const options = { ...given, document: withItemViews(given.document) };
  const { document, targets, seed, baseline = [], onEvent } = options;
  const started = Date.now();
  const { checks, notApplicable } = chooseChecks(options);
  const plan = chooseCases(options);
  onEvent({
    type: 'start',
    targets: targets.map(({ name, url }) => ({ name, url })),
    plan: { seed, hash: plan.hash, cases: countCases(plan) },
  });
  const runs = await runTargets(options, { plan, started });
  const transcripts = runs.map(({ transcript }) => transcript);
  const mapsSilences = holdsAllChecks(options);
  const held = {
    ...{ document, checks, baseline, started, mapsSilences },
    choice: toChoice(options),
    fuzzed: new Map(
      runs.flatMap(({ fuzzed }) => (fuzzed ? [[fuzzed.target.name, fuzzed] as const] : [])),
    ),
    writes: targets.some(
      ({ name, writes }) => writes && (name !== twinName || targets.length === 1),
    ),
  };
  const judged = judgeAll(transcripts, held);
  options.onJudged?.(transcripts, judged);
  const report = toRunReport(options, { plan, checks, notApplicable, runs, judged, started });
  if (!options.signal?.aborted) throwWhereNothingHeld(report);
  onEvent({ type: 'finish', report });
  return report;
}

/** A check that failed had nothing to hold either; the report says so. */
function throwWhereNothingHeld({ clauses, defects }: Report): void {
  const results = clauses.flatMap((clause) =>
    Object.values(clause.results).map((result) => ({ id: clause.id, ...result })),
  );
  if (defects.length > 0 || results.some(({ held }) => held > 0)) return;
  const [{ id, reason } = {}] = results;
  throw new NothingChecked(`No check had anything to judge (${id}: ${reason})`);
}
