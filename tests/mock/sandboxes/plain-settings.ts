import { toByteText } from '../../../mock/json/exact-json.ts';
import type { ApiKey, Plan } from '../../../mock/limits/plans.ts';
import type { Collections } from '../../../mock/state/store.ts';

const plans: Record<string, Plan> = {
  free: { name: 'free', perMinute: 2, perDay: 4 },
  pro: { name: 'pro', perMinute: 5, perDay: 6 },
};

/** The settings of a twin with small figures, so that short histories meet each limit. */
export const plainSettings = {
  seed: 1,
  items: 2,
  rateLimits: 'enforce' as const,
  policy: { plans, ban: { strikes: 3, withinSeconds: 100, seconds: 300, maxSeconds: 1000 } },
};

/** The plan of a name. */
function figuresOf(name: string): Plan {
  return plans[name] as Plan;
}

/** A key on the free plan. */
export function toKey(name: string): ApiKey {
  return { key: name, name, plan: figuresOf('free'), own: {} };
}

/** The texts of the first items. */
export function toPlainItems(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `{"id":${index + 1}}`);
}

/** The items that a sandbox begins with. */
export function toPlainSeeds({
  items: count = plainSettings.items,
}: {
  items?: number;
}): Collections {
  const items = toPlainItems(count).map((text, index) => ({
    id: String(index + 1),
    json: toByteText(text),
    filters: {},
  }));
  return { pets: { items, next: count + 1 } };
}
