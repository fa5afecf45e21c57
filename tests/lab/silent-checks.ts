import type { CheckResult, Judgement } from './judge.ts';
import type { SettingName } from './settings.ts';

/** A check that tells less of a deployment in a setting than where nothing stands before it. */
export type Silent = { check: string; plain: CheckResult; there: CheckResult };

/** A silence that a setting makes unavoidable. */
type Allowed = { setting: SettingName; check: string; row?: RegExp; reason: string };

const allowed: Allowed[] = [];

/** The checks that held something of the plain deployment, or came to an end with it, and do so no more where it stands now. */
export function findSilentChecks(plain: Judgement, there: Judgement): Silent[] {
  return Object.entries(plain.checks).flatMap(([check, before]) => {
    const after = there.checks[check] ?? { verdict: 'none', held: 0 };
    const isSilent = (before.held > 0 && after.held === 0) || (isTold(before) && !isTold(after));
    const isAllowed = allowed.some(
      ({ setting, check: name, row }) => setting === there.setting && name === check && (row?.test(there.id) ?? true),
    );
    return isSilent && !isAllowed ? [{ check, plain: before, there: after }] : [];
  });
}

function isTold({ verdict }: CheckResult): boolean {
  return verdict !== 'inconclusive' && verdict !== 'vacuous' && verdict !== 'none';
}
