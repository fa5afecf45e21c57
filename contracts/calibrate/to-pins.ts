import { count } from '../../common/cli/count.ts';
import { calibrationCases } from '../cases/calibration-cases.ts';
import type { Case } from '../cases/case.ts';
import { silenceCases } from '../cases/silence-cases.ts';
import { toAnswerText } from '../judging/silences.ts';
import { type Confidence, confidenceOf } from '../learn/lines.ts';
import { readSilence, withoutBroken } from '../silences/read-silences.ts';
import { toWords } from '../silences/to-words.ts';
import { type Exchange, isAnswered } from '../transcript/exchange.ts';
import { toSkipText } from '../transcript/skip-reasons.ts';
import type { Transcript } from '../transcript/transcript.ts';

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
export function toPins(
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
