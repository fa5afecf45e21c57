import type { ApiDocument } from '../../description/document.ts';
import type { KeyInfo } from '../../transcript/transcript.ts';
import type { Budget, Key } from './budget.ts';

/** The keys for everything except trying a limit: not the probe, unless it is the only key. */
export function bulkOf(budgets: readonly Budget[], probe: Budget): readonly Budget[] {
  return budgets.length > 1 ? budgets.filter((budget) => budget !== probe) : budgets;
}

/** A key as the checks may know it. */
export function toKeyInfo({ name, plan }: Key): KeyInfo {
  return { name, ...(plan !== undefined && { plan }) };
}

/** At most a quarter of a key, by which its owner recognizes it. */
export function beginningOf(secret: string): string {
  return secret.slice(0, Math.min(4, Math.floor(secret.length / 4)));
}

/** The key whose plan allows the fewest requests a minute; the first of them. */
export function chooseProbe(budgets: readonly Budget[], { plans }: ApiDocument): Budget {
  const perMinute = ({ key }: Budget) => {
    const figures = plans[key.plan ?? ''];
    return typeof figures === 'object' ? figures.perMinute : Number.POSITIVE_INFINITY;
  };
  return budgets.toSorted((left, right) => perMinute(left) - perMinute(right))[0] as Budget;
}
