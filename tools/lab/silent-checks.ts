import type { CheckResult, Judgement } from './judge.ts';
import type { SettingName } from './settings.ts';

/** A check that tells less of a deployment in a setting than where nothing stands before it. */
export type Silent = { check: string; plain: CheckResult; there: CheckResult };

/** Silences that no suite can avoid. */
type Allowed = { row: RegExp; settings?: SettingName[]; checks?: string[]; reason: string };

const aboutRefusals = ['rate-limit-refusal', 'retry-after', 'retry-works', 'keys-isolated'];

const allowed: Allowed[] = [
  {
    row: /^fair-(one|two)-second-window/,
    settings: ['latency'],
    checks: aboutRefusals,
    reason:
      'the window is over before all its calls can be made, as those of the end are made one by one',
  },
  {
    row: /^fair-proxy-/,
    checks: aboutRefusals,
    reason: 'the minute of the twin is that of the clock, and may end while a key is used up',
  },
  {
    row: /^fair-(keys?-shared|free-keys-shared|someone-else)/,
    reason:
      'what somebody else leaves of the keys is another number each time, and so is what can be tried',
  },
];

/**
 * The checks that held something of the plain deployment, or came to an end with it, and do so no
 * more where it stands now. Of a broken deployment, whose calls may go another way each time, the
 * checks that found it, where none of them finds it any more.
 */
export function findSilentChecks(plain: Judgement, there: Judgement): Silent[] {
  const compared = Object.entries(plain.checks).map(([check, before]) => ({
    check,
    plain: before,
    there: there.checks[check] ?? { verdict: 'none', held: 0 },
  }));
  if (plain.kind === 'broken') {
    const finding = compared.filter((one) => one.plain.verdict === 'drift');
    return finding.some((one) => one.there.verdict === 'drift') ? [] : finding;
  }
  return compared.filter(({ check, plain: before, there: after }) => {
    const isSilent = (before.held > 0 && after.held === 0) || (isTold(before) && !isTold(after));
    const isAllowed = allowed.some(
      ({ row, settings, checks }) =>
        row.test(there.id) &&
        (settings?.includes(there.setting) ?? true) &&
        (checks?.includes(check) ?? true),
    );
    return isSilent && !isAllowed;
  });
}

function isTold({ verdict }: CheckResult): boolean {
  return verdict !== 'inconclusive' && verdict !== 'vacuous' && verdict !== 'none';
}
