import { count } from '../../common/cli/count.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import type { Api } from '../../openapi/index.ts';
import { isLoopback } from '../base-url.ts';
import { calibrationCases } from '../cases/calibration-cases.ts';
import type { Case } from '../cases/case.ts';
import { silenceCases } from '../cases/silence-cases.ts';
import { type AskedDeployment, askDeployment } from '../command/ask-deployment.ts';
import type { GivenRunOptions } from '../command/options.ts';
import { isBuiltIn } from '../command/verify-target.ts';
import { brokenIn, toAnswerText } from '../judging/moves.ts';
import { type Confidence, confidenceOf } from '../learn/lines.ts';
import type { Finding } from '../report/events.ts';
import type { Session } from '../run/session.ts';
import { readSilence, withoutBroken } from '../silences/read-silences.ts';
import { toWords } from '../silences/to-words.ts';
import { type Exchange, isAnswered } from '../transcript/exchange.ts';
import { isMissed, toSkipText } from '../transcript/skip-reasons.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { secretsOf, type VerifyTarget } from '../verify/options.ts';

/** The result of a calibration. */
export type Calibration = {
  target: string;
  /** When it began, in ISO 8601. */
  at: string;
  requests: number;
  pins: FoundPin[];
  /** The silences that were not pinned, or not in every part, and why. */
  unpinned: UnpinnedSilence[];
  /** Reasons why questions were not asked, a sentence each. */
  unasked: string[];
  /** Findings that break a stated clause; nothing is pinned there. */
  drift: Pick<Finding, 'check' | 'message' | 'clause'>[];
  /** How a run is started that may create items, where this one might not; it continues "run". */
  howToWrite?: string;
  /** The texts that no file may show. */
  secrets: readonly string[];
};

/** Options of a run, and whether values of undescribed payloads are recorded. */
export type CalibrateOptions = GivenRunOptions & { withExamples: boolean };

/**
 * Asks a target what it does where the interface is silent. Throws a UsageError where it cannot be
 * asked at all, or stops answering.
 */
export async function calibrate(
  { withExamples, ...given }: CalibrateOptions,
  asking: Pick<AskedDeployment, 'document' | 'url' | 'keys' | 'signal' | 'onEvent'>,
): Promise<Calibration> {
  const { document, url, signal } = asking;
  const isFree = isLoopback(url) && isBuiltIn(document);
  const howToWrite = isFree ? 'without --read-only' : 'with --allow-writes';
  let found: ReturnType<typeof toPins> & Pick<Calibration, 'unasked'> = empty;
  let target: VerifyTarget | undefined;
  const { startedAt, targets, findings } = await askDeployment(given, {
    ...{ ...asking, maxTime },
    async onTargets([deployment]) {
      target = deployment;
      return { askMore: (session) => askMore(session, document, deployment?.writes === true) };
    },
    onJudged([transcript], { judgements }) {
      const judgement = transcript && judgements.get(transcript.target.name);
      if (!judgement || signal?.aborted) return;
      const ending = whyEnded(transcript);
      if (ending !== undefined) throw new UsageError(ending);
      const broken = new Set([...brokenIn(judgement), ...outagesIn(transcript)]);
      const read = toPins(transcript, { withExamples, howToWrite, broken });
      if (read.pins.length === 0) throw new UsageError(describeNothing(transcript));
      found = { ...read, unasked: describeUnasked(transcript) };
    },
  });
  return {
    ...found,
    ...{ target: url, at: startedAt, requests: targets[0]?.requests ?? 0 },
    drift: findings.filter(({ verdict }) => verdict === 'drift'),
    secrets: target ? secretsOf(target) : [],
    ...(!target?.writes && { howToWrite }),
  };
}

const empty = { pins: [], unpinned: [], unasked: [] };

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

type RunRecord = Pick<Transcript, 'exchanges' | 'skipped' | 'target' | 'defect'>;

/** Returns the reasons why questions were not asked, a sentence each. */
function describeUnasked({ skipped }: Pick<RunRecord, 'skipped'>): string[] {
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
function whyEnded({ exchanges, skipped, target, defect }: RunRecord): string | undefined {
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
function describeNothing({ exchanges, target }: RunRecord): string {
  return `${target.url} gave no response that can be recorded, so no profile was written.${lastOf(exchanges)} npm run verify shows what is wrong with it.`;
}

function lastOf(exchanges: readonly Exchange[]): string {
  const last = exchanges.findLast(({ response }) => response !== undefined);
  if (!last) return '';
  const { number, request, response } = last;
  return ` The last answer was ${response?.status} to ${number} (${request.method} ${request.path.slice(0, 100)}).`;
}

/** An answer to a silence, with what shows it. */
export type FoundPin = {
  silence: string;
  answer: unknown;
  words: string;
  evidence: string[];
  times: number;
  confidence: Confidence;
};

/**
 * The pins that a transcript shows, and why the other silences have none; `broken` are the numbers of
 * exchanges that show none.
 */
function toPins(
  recorded: Transcript,
  {
    withExamples,
    howToWrite,
    broken,
  }: { withExamples: boolean; howToWrite: string; broken: ReadonlySet<number> },
): { pins: FoundPin[]; unpinned: UnpinnedSilence[] } {
  const pins: FoundPin[] = [];
  const unpinned: UnpinnedSilence[] = [];
  const transcript = withoutBroken(recorded, broken);
  for (const { id: silence } of transcript.document.silences) {
    const reading = readSilence(transcript, silence, { withExamples });
    if (reading === undefined) unpinned.push(whyUnshown(silence, recorded, howToWrite));
    else if (reading.reason !== undefined)
      unpinned.push({
        silence,
        isAsked: true,
        reason: reading.reason,
        evidence: toEvidence(reading.shown),
      });
    if (reading?.answer === undefined) continue;
    pins.push({
      silence,
      answer: reading.answer,
      words: toWords(silence, reading.answer),
      evidence: toEvidence(reading.shown),
      times: reading.shown.length,
      confidence: confidenceOf(reading.shown.length),
    });
  }
  return { pins, unpinned };
}

/** A silence that is not pinned, or not in every part. */
export type UnpinnedSilence = {
  silence: string;
  isAsked: boolean;
  reason: string;
  /** The answers received, a line for each kind of exchange. */
  evidence: string[];
};

/** The silences that usual creates show. */
const ofCreates = ['default-status', 'new-id', 'read-after-create'];

/**
 * Why a silence that no answer shows was asked in vain, or not asked. `howToWrite` says how a run is
 * started that may create items; it continues "run".
 */
function whyUnshown(
  silence: string,
  { exchanges, skipped, document }: Transcript,
  howToWrite: string,
): UnpinnedSilence {
  const isAbout = ({ purpose }: Case) => purpose.kind === 'silence' && purpose.silence === silence;
  const asked = exchanges.filter((one) => isAbout(one.case));
  if (asked.length > 0)
    return {
      silence,
      isAsked: true,
      reason: `asked ${count(asked.length, 'time')}, but no answer shows it`,
      evidence: toEvidence(asked),
    };
  const not = (reason: string) => ({ silence, isAsked: false, reason, evidence: [] });
  const skip = skipped.find((one) => isAbout(one.case));
  if (skip) return not(toSkipText(skip.reason));
  if (silence === 'rate-limit-body') return not('no limit was tried (--probe-limits)');
  const cases = [...silenceCases(document), ...calibrationCases(document)].filter(isAbout);
  return not(
    ofCreates.includes(silence) || cases.some(({ writes }) => writes)
      ? `it needs a create; run ${howToWrite}`
      : 'no answer shows it',
  );
}

const maxKinds = 12;

/** A line for each kind of exchange: what was asked, what came, how often, and when last. */
export function toEvidence(shown: readonly Exchange[]): string[] {
  const kinds = [...Map.groupBy(shown, toKind)];
  const lines = kinds.slice(0, maxKinds).map(([kind, exchanges]) => {
    const last = Math.max(...exchanges.map(({ endedAt }) => endedAt));
    const at = `${new Date(last).toISOString().slice(0, 19)}Z`;
    return `${kind} (${count(exchanges.length, 'time')}, last at ${at})`;
  });
  const more = kinds.length - lines.length;
  return more > 0
    ? [...lines, `and ${count(more, 'more kind', 'more kinds')} of exchanges`]
    : lines;
}

function toKind(one: Exchange): string {
  const { method, path } = one.request;
  const { id, purpose } = one.case;
  const question = purpose.kind === 'silence' ? purpose.probe : id;
  // The same question, asked again.
  const what = method === 'POST' ? ` (${question.replace(/ \(\d+\)$/, '')})` : '';
  return `${method} ${path}${what}: ${toOutcome(one)}`.slice(0, 200);
}

function toOutcome(one: Exchange): string {
  if (!isAnswered(one)) return `no answer: ${one.failure.message}`;
  return toAnswerText(one);
}
