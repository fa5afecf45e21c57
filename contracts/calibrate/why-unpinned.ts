import { count } from '../../common/cli/count.ts';
import { calibrationCases } from '../cases/calibration-cases.ts';
import type { Case } from '../cases/case.ts';
import { silenceCases } from '../cases/silence-cases.ts';
import { toSkipText } from '../transcript/skip-reasons.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { toEvidence } from './evidence.ts';

/** A silence that is not pinned, or not in every part. */
export type Unpinned = {
  silence: string;
  /** Whether it was asked at all. */
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
export function whyUnshown(
  silence: string,
  { exchanges, skipped, document }: Transcript,
  howToWrite: string,
): Unpinned {
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
