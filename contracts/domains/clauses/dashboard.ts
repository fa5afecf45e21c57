import { type Ruling, unobserved } from './ruling.ts';

/** Why a clause is seen nowhere but in the dashboard. */
const reasons: Readonly<Record<string, string>> = {
  'paid-plan': 'only the dashboard knows the plan',
  deployed: 'only the dashboard knows whether a deploy succeeded',
  verified: 'only the dashboard knows whether the platform has verified a domain',
  several: 'only the dashboard knows which domains belong to one project',
};

/** The clauses that nobody sees from outside. */
export const dashboardRulings: readonly [id: string, ruling: Ruling][] = Object.entries(
  reasons,
).map(([id, reason]) => [id, unobserved(reason)]);
