import { randomBytes } from 'node:crypto';
import { createPlan } from '../cases/plan.ts';
import type { Applicable } from '../checks/applicable.ts';
import { secondOpinion } from '../checks/second-opinion.ts';
import type { ApiDocument } from '../description/document.ts';
import { applyBaseline, type BaselineEntry } from '../judging/baseline.ts';
import { groupByCause } from '../judging/causes.ts';
import { compare } from '../judging/compare.ts';
import { findJudgedParts, judge, toClauseResults } from '../judging/judge.ts';
import { whyNotAllJudged } from '../judging/judged-in-part.ts';
import { redactReport } from '../judging/redact.ts';
import { mapSilences } from '../judging/silences.ts';
import type {
  ClauseResult,
  ClauseVerdict,
  Finding,
  Report,
  RunEvent,
  Verdict,
} from '../report/events.ts';
import { count, isGating } from '../report/summary.ts';
import type { Key } from '../run/keys/budget.ts';
import { runTarget } from '../run/run-target.ts';
import type { Choice } from '../run/session.ts';
import { createValues } from '../run/values.ts';
import type { Target } from '../transcript/exchange.ts';
import { idOf } from '../transcript/ids.ts';
import { createSecondOpinion } from '../transcript/schema/second-opinion.ts';
import { compileResponses } from '../transcript/schema/validator.ts';
import { isMissed, toSkipText } from '../transcript/skipped.ts';
import { type SecondOpinions, type Transcript, toRefusal } from '../transcript/transcript.ts';
import {
  chooseApplicable,
  createIsChosen,
  isOperationChosen,
  isOperationNeeded,
} from './selection.ts';

/** A target with its keys and what may be done to it. */
export type VerifyTarget = Target & {
  keys: readonly { plan?: string; secret: string }[];
  writes: boolean;
  probeLimits: boolean;
  /** Whether animals may be added only to try a bound. */
  fill: boolean;
};

export type VerifyOptions = {
  document: ApiDocument;
  targets: VerifyTarget[];
  seed: number;
  only: readonly string[];
  skip: readonly string[];
  wait: number;
  timeout: number;
  maxRequests: number;
  concurrency: number;
  strict: boolean;
  baseline?: readonly BaselineEntry[];
  onEvent: (event: RunEvent) => void;
};

/** The longest that a run may take, in milliseconds, and what of it is kept for judging. */
const runDeadline = 120_000;
const judgingTime = 10_000;

const noOpinions: SecondOpinions = new Map();

/**
 * Replays the document against each target, holds what came back against the checks, and compares
 * the targets. Throws a TargetError where a target cannot be judged at all, and a DocumentError for
 * a schema that cannot be compiled.
 */
export async function verify(options: VerifyOptions): Promise<Report> {
  const { document, targets, seed, onEvent } = options;
  const started = Date.now();
  const applicable = chooseApplicable(document);
  const isChosen = createIsChosen(options);
  const chosenChecks = applicable.checks.filter(({ id, clause }) =>
    isChosen(id, ...clause.source.split(', ')),
  );
  const notApplicable = applicable.notApplicable.filter(({ id }) => isChosen(id));
  if (chosenChecks.length === 0) throw new NothingChecked(notApplicable);
  const validators = compileResponses(document);
  const choice: Choice = {
    isChosen: (operation) => isOperationChosen(options, operation),
    isNeeded: (operation) => isOperationNeeded(options, operation),
  };
  const plan = createPlan(document, {
    seed,
    selection: {
      readOnly: targets.every(({ writes }) => !writes),
      includes: ({ operation }) => isOperationChosen(options, operation),
      isNeeded: choice.isNeeded,
    },
  });
  const cases = plan.stages.reduce((sum, stage) => sum + stage.cases.length, 0);
  if (cases === 0) throw new NothingChecked();
  onEvent({
    type: 'start',
    targets: targets.map(({ name, url }) => ({ name, url })),
    plan: { seed, hash: plan.hash, cases },
  });
  const secrets = targets
    .flatMap(({ keys }) => keys.map(({ secret }) => secret))
    .toSorted((one, other) => other.length - one.length);
  const run = randomBytes(3).toString('hex');
  const runs = await Promise.all(
    targets.map(async (target) => {
      const from = Date.now();
      let made = 0;
      const transcript = await runTarget({
        ...options,
        ...target,
        choice,
        plan: {
          ...plan,
          stages: plan.stages.map((stage) => ({
            ...stage,
            cases: stage.cases.filter(({ writes }) => target.writes || !writes),
          })),
        },
        target: { name: target.name, url: target.url },
        keys: toKeys(target),
        validators,
        values: createValues(run),
        deadline: started + runDeadline - judgingTime,
        onExchange: () => onEvent({ type: 'exchange', target: target.name, made: ++made }),
        onStage: (stage) => onEvent({ type: 'stage', target: target.name, stage }),
      });
      return { transcript, seconds: (Date.now() - from) / 1000 };
    }),
  );
  const defects: string[] = [];
  const guard = <T>(what: string, instead: T, run: () => T): T => {
    try {
      return run();
    } catch (error) {
      defects.push(`${what} failed (${(error as Error).message})`);
      return instead;
    }
  };
  const opinionOf = chosenChecks.includes(secondOpinion)
    ? await createSecondOpinion(document)
    : () => noOpinions;
  const until = Date.now() + judgingTime;
  const transcripts = runs.map(({ transcript }) => ({
    ...transcript,
    secondOpinions: guard(`${transcript.target.name}: the second opinion`, noOpinions, () =>
      opinionOf(transcript, until - judgingTime / 2),
    ),
  }));
  const judgements = new Map(
    transcripts.map((transcript) => [
      transcript.target.name,
      judge(transcript, chosenChecks, secrets, { until }),
    ]),
  );
  const { findings: found, faults } = applyBaseline(
    [...judgements.values()].flatMap(({ findings }) => findings),
    options.baseline ?? [],
    started,
  );
  const [one, other] = transcripts;
  const differences =
    one && other
      ? guard('the comparison', [], () =>
          compare(one, other, { secrets, isJudged: findJudgedParts(found, chosenChecks) }),
        )
      : [];
  const silences = guard('the silence map', [], () => mapSilences(transcripts));
  const findings = [...groupByCause(found, chosenChecks), ...faults, ...differences].toSorted(
    byWeight,
  );
  const clauses = toClauseResults(
    chosenChecks,
    judgements,
    findings.flatMap((finding) => [
      finding,
      ...finding.related.map((one) => ({ ...one, target: finding.target })),
    ]),
  );
  for (const [target, judgement] of judgements)
    defects.push(...judgement.defects.map((what) => `${target}: ${what}`));
  for (const { target, defect } of transcripts)
    if (defect !== undefined) defects.push(`${target.name}: no more cases were made (${defect})`);
  const incomplete = [
    ...transcripts.flatMap((transcript) => [
      ...whyIncomplete(transcript),
      ...whyNotAllJudged(transcript),
    ]),
    ...[...judgements].flatMap(([target, { late }]) =>
      late.length === 0
        ? []
        : [
            `${target}: judging took longer than ${judgingTime / 1000} s and was stopped: ${late.join(', ')}`,
          ],
    ),
    ...defects.map((defect) => `a defect of the suite: ${defect}`),
  ];
  const whole: Report = {
    verdict: toVerdict(findings, incomplete, options),
    incomplete,
    defects,
    document: { title: document.title, version: document.version },
    plan: { seed, hash: plan.hash, cases },
    targets: runs.map(({ transcript, seconds }) => ({
      ...transcript.target,
      requests: transcript.exchanges.length,
      seconds,
      keys: transcript.keys.map(({ name }) => name),
    })),
    operations: toOperations(document, transcripts, findings),
    totals: toTotals(transcripts, clauses, findings),
    findings,
    clauses,
    notApplicable,
    silences,
    residue: transcripts.flatMap(toResidue),
    startedAt: new Date(started).toISOString(),
    seconds: (Date.now() - started) / 1000,
  };
  const report = redactReport(whole, secrets);
  if (report.clauses.every(({ results }) => Object.values(results).every(({ held }) => held === 0)))
    throw new NothingChecked();
  onEvent({ type: 'finish', report });
  return report;
}

/** The whole run in a word. */
function toVerdict(
  findings: readonly Finding[],
  incomplete: readonly string[],
  { strict }: VerifyOptions,
): Report['verdict'] {
  const gating = findings.filter((finding) => isGating(finding, { strict }));
  if (gating.length === 0) return incomplete.length > 0 ? 'incomplete' : 'clean';
  return gating.every(({ verdict }) => verdict === 'unanswered') ? 'unanswered' : 'drift';
}

/** No check had anything to hold, so the run says nothing. */
export class NothingChecked extends Error {
  constructor([first]: Applicable['notApplicable'] = []) {
    super(
      first
        ? `No check ran: ${first.id} does not apply, as ${first.reason}.`
        : 'No check ran. Widen --only or narrow --skip; --list-clauses shows what there is.',
    );
  }
}

const clauseVerdicts: ClauseVerdict[] = [
  'kept',
  'drift',
  'standard',
  'disagreement',
  'known',
  'inconclusive',
  'vacuous',
];

const weights: Verdict[] = [
  'drift',
  'unanswered',
  'standard',
  'disagreement',
  'known',
  'difference',
];

function byWeight(one: Finding, other: Finding): number {
  return weights.indexOf(one.verdict) - weights.indexOf(other.verdict) || other.count - one.count;
}

/** The keys of a target under names of their own; one that is none where it has none. */
function toKeys({ keys }: VerifyTarget): Key[] {
  if (keys.length === 0) return [{ name: 'no key', secret: '' }];
  return keys.map(({ plan, secret }, index) => {
    const number = keys.slice(0, index + 1).filter((key) => key.plan === plan).length;
    return { name: `${plan ?? 'key'}-${number}`, secret, ...(plan !== undefined && { plan }) };
  });
}

function whyIncomplete({ target, skipped, refusedKeys, trials }: Transcript): string[] {
  const refused = refusedKeys.map(
    (key) =>
      `${target.name}: ${toRefusal(key)}, so it was not used. Is it right, and is it a key of this deployment?`,
  );
  const urgent = skipped.filter((one) => one.case.priority < 3 && isMissed(one));
  const left = [...Map.groupBy(urgent, ({ reason }) => toSkipText(reason))].map(
    ([reason, cases]) =>
      `${target.name}: ${count(cases.length, 'case')} ${cases.length === 1 ? 'was' : 'were'} not made, as ${reason}`,
  );
  const notMet = trials.flatMap((trial) =>
    trial.outcome === 'not-met' ? [`${target.name}: ${trial.reason}`] : [],
  );
  return [...refused, ...left, ...notMet];
}

function toOperations(
  { operations }: ApiDocument,
  transcripts: readonly Transcript[],
  findings: readonly Finding[],
): Report['operations'] {
  return operations.map(({ id, method, path }) => ({
    id,
    method,
    path,
    results: Object.fromEntries(
      transcripts.map(({ target, exchanges }) => [
        target.name,
        {
          calls: exchanges.filter(({ case: { operation } }) => operation?.id === id).length,
          findings: findings.filter(
            ({ target: name, operations: shownBy, verdict }) =>
              name === target.name &&
              verdict === 'drift' &&
              shownBy.some((operation) => operation.id === id),
          ).length,
        },
      ]),
    ),
  }));
}

function toTotals(
  transcripts: readonly Transcript[],
  clauses: readonly ClauseResult[],
  findings: readonly Finding[],
): Report['totals'] {
  return Object.fromEntries(
    transcripts.map(({ target: { name } }) => [
      name,
      {
        clauses: countBy(
          clauseVerdicts,
          clauses.map(({ results }) => results[name]?.verdict),
        ),
        findings: countBy(
          weights,
          findings.filter(({ target }) => target === name).map(({ verdict }) => verdict),
        ),
      },
    ]),
  );
}

function countBy<Name extends string>(
  names: readonly Name[],
  values: readonly (Name | undefined)[],
): Record<Name, number> {
  return Object.fromEntries(
    names.map((name) => [name, values.filter((value) => value === name).length]),
  ) as Record<Name, number>;
}

/** Everything that a create answered with an id, asked for or not. */
function toResidue({ target, exchanges, document }: Transcript): Report['residue'] {
  return exchanges.flatMap(({ case: { operation }, response }) => {
    const resource = document.resources.find(({ name }) => name === operation?.resource);
    const isCreated = operation?.kind === 'create' && (response?.status ?? 0) < 300;
    const id = isCreated && resource ? idOf(response?.json, resource.idProperty) : undefined;
    return id === undefined || !operation
      ? []
      : [{ target: target.name, operation: operation.id, id }];
  });
}
