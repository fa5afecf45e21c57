import { calibrationCases } from '../cases/calibration-cases.ts';
import type { Case, Purpose } from '../cases/case.ts';
import type { Plan } from '../cases/plan.ts';
import { count } from '../cli/count.ts';
import type { Exchange } from '../transcript/exchange.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { toSkipText } from '../transcript/transcript.ts';
import { toEvidence } from './evidence.ts';

/** A silence that is not pinned, or not in every part. */
export type Unpinned = {
  silence: string;
  /** Whether it was asked at all. */
  isAsked: boolean;
  reason: string;
  /** What came back, a line for each kind of exchange. */
  evidence: string[];
};

type Shows = (purpose: Purpose) => boolean;

const of =
  (...kinds: Purpose['kind'][]): Shows =>
  ({ kind }) =>
    kinds.includes(kind);
const ofRule =
  (rule: 'head' | 'method'): Shows =>
  (purpose) =>
    purpose.kind === 'protocol' && purpose.rule === rule;

/** What shows a silence besides its own probes. */
const shownBy: Readonly<Record<string, Shows>> = {
  'list-order': of('list'),
  'default-status': of('create'),
  'new-id': of('create'),
  'read-after-create': of('create'),
  'deprecation-headers': of('read'),
  'orders-payload': of('call'),
  'further-members': of('list', 'read', 'create'),
  'further-headers': of('list', 'read', 'create', 'call'),
  'error-codes': of('credential', 'invalid-create', 'unknown-id'),
  'rate-limit-body': of('exhaust'),
  'rate-limit-windows': of('list', 'read', 'create', 'call'),
  'unauthenticated-quota': of('credential'),
  'head-and-options': ofRule('head'),
  'unknown-path': ofRule('method'),
};

/** What says why a silence has no pin. */
export type WhyOptions = {
  transcript: Transcript;
  /** All that would be asked of a target on which items may be created. */
  plan: Plan;
  /** How a run is started that may create items; it continues "run". */
  howToWrite: string;
  /** The numbers of the exchanges that break a stated clause, or show a server that fails. */
  broken: ReadonlySet<number>;
};

/** Why a silence that no answer shows was asked in vain, or not asked. */
export function whyUnshown(
  silence: string,
  { transcript, plan, howToWrite, broken }: WhyOptions,
): Unpinned {
  const isAbout = ({ purpose }: Case) =>
    purpose.kind === 'silence' ? purpose.silence === silence : shownBy[silence]?.(purpose) === true;
  const asked = transcript.exchanges.filter((one) => isAbout(one.case));
  if (asked.length > 0) return askedInVain(silence, asked, broken);
  const not = (reason: string) => ({ silence, isAsked: false, reason, evidence: [] });
  const [skipped] = transcript.skipped.filter((one) => isAbout(one.case));
  if (skipped) return not(toSkipText(skipped.reason));
  if (silence === 'ban')
    return not('a ban would lock the key, so it is never provoked; write the pin yourself');
  if (silence === 'rate-limit-body') {
    const [trial] = transcript.trials.filter(({ outcome }) => outcome === 'not-tried');
    return not(trial && 'reason' in trial ? trial.reason : 'no limit was tried (--probe-limits)');
  }
  const planned = [
    ...plan.stages.flatMap(({ cases }) => cases),
    ...calibrationCases(transcript.document),
  ].filter(isAbout);
  return not(
    planned.some(({ writes }) => writes)
      ? `it needs a create; run ${howToWrite}`
      : 'no request can show it',
  );
}

function askedInVain(
  silence: string,
  asked: readonly Exchange[],
  broken: ReadonlySet<number>,
): Unpinned {
  const answered = asked.filter(({ response }) => response !== undefined);
  const areBroken = answered.every(({ number }) => broken.has(number));
  const what =
    answered.length === 0
      ? 'no answer came'
      : areBroken
        ? 'each answer breaks a stated clause or is a server error'
        : 'no answer shows it';
  return {
    silence,
    isAsked: true,
    reason: `asked ${count(asked.length, 'time')}, but ${what}`,
    evidence: toEvidence(asked),
  };
}
