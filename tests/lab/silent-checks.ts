import type { CheckResult, Judgement } from './judge.ts';
import type { SettingName } from './settings.ts';

/** A check that tells less of a deployment in a setting than where nothing stands before it. */
export type Silent = { check: string; plain: CheckResult; there: CheckResult };

/** A silence that a setting makes unavoidable. */
type Allowed = { setting: SettingName; check: string; row?: RegExp; reason: string };

const allowed: Allowed[] = [];

/**
 * The checks that held something of the plain deployment, or came to an end with it, and do so no more where it stands now. Of a
 * broken deployment, whose calls may go another way each time, the checks that found it, where none of them finds it any more.
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
      ({ setting, check: name, row }) => setting === there.setting && name === check && (row?.test(there.id) ?? true),
    );
    return isSilent && !isAllowed;
  });
}

function isTold({ verdict }: CheckResult): boolean {
  return verdict !== 'inconclusive' && verdict !== 'vacuous' && verdict !== 'none';
}
