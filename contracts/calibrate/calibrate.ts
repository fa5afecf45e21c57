import { count } from '../../common/cli/count.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import type { Api } from '../../openapi/index.ts';
import { calibrationCases } from '../cases/calibration-cases.ts';
import { brokenIn } from '../judging/moves.ts';
import type { Finding } from '../report/events.ts';
import type { Session } from '../run/session.ts';
import type { Exchange } from '../transcript/exchange.ts';
import { compileResponses } from '../transcript/schema/validator.ts';
import { isMissed, toSkipText } from '../transcript/skip-reasons.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { judgeAll } from '../verify/judge-all.ts';
import type { VerifyOptions } from '../verify/options.ts';
import { runTargets } from '../verify/run-targets.ts';
import { chooseCases, chooseChecks, toChoice } from '../verify/selection.ts';
import type { Unpinned } from './to-pins.ts';
import { type FoundPin, toPins } from './to-pins.ts';

/** The result of a calibration. */
export type Calibration = {
  target: string;
  /** When it began, in ISO 8601. */
  at: string;
  requests: number;
  pins: FoundPin[];
  /** The silences that were not pinned, or not in every part, and why. */
  unpinned: Unpinned[];
  /** Reasons why questions were not asked, a sentence each. */
  unasked: string[];
  /** Findings that break a stated clause; nothing is pinned there. */
  drift: Pick<Finding, 'check' | 'message' | 'clause'>[];
};

export type CalibrateOptions = Omit<VerifyOptions, 'only' | 'skip' | 'strict' | 'baseline'> & {
  withExamples: boolean;
  /** How a run is started that may create items; it continues "run". */
  howToWrite: string;
};

/**
 * Asks a target what it does where the interface is silent. Throws a UsageError where it cannot be
 * asked at all, or stops answering.
 */
export async function calibrate({
  withExamples,
  howToWrite,
  ...given
}: CalibrateOptions): Promise<Calibration> {
  const started = Date.now();
  const { document } = given;
  const options: VerifyOptions = {
    ...given,
    only: [],
    skip: [],
    strict: false,
    maxTime,
    askMore: (session) =>
      askMore(
        session,
        document,
        given.targets.every(({ writes }) => writes),
      ),
  };
  const { checks } = chooseChecks(options);
  const validators = compileResponses(document);
  const plan = chooseCases(options);
  const [run] = await runTargets(options, { plan, validators, started });
  const { transcript } = run as NonNullable<typeof run>;
  const ending = given.signal?.aborted ? undefined : whyEnded(transcript);
  if (ending !== undefined) throw new UsageError(ending);
  const judged = judgeAll([transcript], {
    ...{ document, checks, baseline: [], started, mapsSilences: false },
    ...{ choice: toChoice(options), writes: true },
  });
  const judgement = judged.judgements.get(transcript.target.name) ?? { findings: [] };
  const { pins, unpinned } = toPins(transcript, {
    ...{ withExamples, howToWrite },
    broken: new Set([...brokenIn(judgement), ...outagesIn(transcript)]),
  });
  const unasked = describeUnasked(transcript);
  if (pins.length === 0 && !given.signal?.aborted)
    throw new UsageError(describeNothing(transcript));
  return {
    target: transcript.target.url,
    at: new Date(started).toISOString(),
    requests: transcript.exchanges.length,
    ...{ pins, unpinned, unasked },
    drift: judged.findings.filter(({ verdict }) => verdict === 'drift'),
  };
}

/** The longest that asking may take, in milliseconds: a slow target answers one call after another. */
const maxTime = 600_000;

/** Sends what only calibrating asks, one after the other. */
async function askMore(session: Session, document: Api, writes: boolean): Promise<void> {
  for (const one of calibrationCases(document)) {
    if (one.writes && !writes) continue;
    await session.call(one);
  }
}

/** Statuses that are an accident, and no way to answer. */
const outages = [500, 502, 503, 504];

function outagesIn({ exchanges }: Transcript): number[] {
  return exchanges.flatMap(({ number, response }) =>
    response && outages.includes(response.status) ? [number] : [],
  );
}

type Recorded = Pick<Transcript, 'exchanges' | 'skipped' | 'target' | 'defect'>;

/** Returns the reasons why questions were not asked, a sentence each. */
function describeUnasked({ skipped }: Pick<Recorded, 'skipped'>): string[] {
  const byReason = Map.groupBy(skipped.filter(isMissed), ({ reason }) => toSkipText(reason));
  return [...byReason].map(
    ([reason, { length }]) =>
      `${count(length, 'question was', 'questions were')} not asked: ${reason}.`,
  );
}

/** So many requests without an answer at the end of a run are no chance. */
const minUnanswered = 10;

/**
 * Why a run that ended too early has no pins: the target stopped answering, or the suite failed.
 * Undefined where it came to its end.
 */
function whyEnded({ exchanges, skipped, target, defect }: Recorded): string | undefined {
  if (defect !== undefined)
    return `The run ended early because of a bug in the suite (${defect.message}), so no profile was written. Please report it.`;
  const byTime = exchanges.toSorted((left, right) => left.endedAt - right.endedAt);
  const failed = byTime.slice(byTime.findLastIndex(({ response }) => response !== undefined) + 1);
  const isOver =
    skipped.some(({ reason }) => reason.code === 'no-answers') ||
    failed.some(({ failure }) => failure?.kind === 'unreachable') ||
    failed.length >= minUnanswered;
  return isOver
    ? `${target.url} stopped answering, so no profile was written.${lastOf(byTime)}`
    : undefined;
}

/** Returns the message for a target that gave no response that can be recorded. */
function describeNothing({ exchanges, target }: Recorded): string {
  return `${target.url} gave no response that can be recorded, so no profile was written.${lastOf(exchanges)} npm run verify shows what is wrong with it.`;
}

function lastOf(exchanges: readonly Exchange[]): string {
  const last = exchanges.findLast(({ response }) => response !== undefined);
  if (!last) return '';
  const { number, request, response } = last;
  return ` The last answer was ${response?.status} to ${number} (${request.method} ${request.path.slice(0, 100)}).`;
}
