import type { Case } from '../cases/case.ts';
import type { Plan, StageName } from '../cases/plan.ts';
import { collectionsOf } from '../description/document.ts';
import { callsLeft } from './keys/budget.ts';
import type { Session } from './session.ts';

/** A case that the run makes, and when. */
export type Affordable = { stage: StageName; case: Case };

/** How much of what a run may send is for what the plan has; the rest is for what follows from it. */
const shareOfPlan = 0.6;

/**
 * The cases that the quota and the number of requests allow: the least urgent are dropped first, and
 * each operation gets as many as the others.
 */
export function chooseAffordable({ stages }: Plan, session: Session): Affordable[] {
  const all = stages.flatMap(({ name, cases }) =>
    cases.map((testCase): Affordable => ({ stage: name, case: testCase })),
  );
  const isAllThereIs = collectionsOf(session.transcript.document).every(
    ({ operations: { replace, update, delete: remove } }) => !replace && !update && !remove,
  );
  const share = isAllThereIs ? 1 : shareOfPlan;
  const shared = shareOut(all, Math.floor(session.left().requests * share), session);
  const reserve = 20;
  const capacity = callsLeft(session.keys.bulk) - reserve;
  for (const priority of [3, 2]) {
    const chosen = shared.filter(({ case: testCase }) => testCase.priority <= priority);
    if (chosen.filter(({ case: testCase }) => testCase.credential === 'valid').length <= capacity)
      return leaveOut(shared, chosen, session);
  }
  return leaveOut(
    shared,
    shared.filter(({ case: testCase }) => testCase.priority === 1),
    session,
  );
}

/** So many cases that each operation has as many as the others, the most urgent of each. */
function shareOut(all: Affordable[], most: number, session: Session): Affordable[] {
  if (all.length <= most) return all;
  const byOperation = Map.groupBy(all, ({ case: one }) => (one.operation ?? one.parametersOf)?.id);
  const ranked = [...byOperation.values()].flatMap((ofOperation) =>
    ofOperation
      .toSorted((left, right) => left.case.priority - right.case.priority)
      .map((one, rank) => ({ one, rank })),
  );
  const first = ranked.toSorted((left, right) => left.rank - right.rank).slice(0, most);
  const chosen = new Set(first.map(({ one }) => one));
  const { maxRequests: requests } = session.options;
  for (const one of all)
    if (!chosen.has(one))
      session.transcript.skipped.push({
        case: one.case,
        reason: { code: 'max-requests', requests },
      });
  return all.filter((one) => chosen.has(one));
}

function leaveOut(all: Affordable[], chosen: Affordable[], session: Session): Affordable[] {
  for (const one of all)
    if (!chosen.includes(one))
      session.transcript.skipped.push({ case: one.case, reason: { code: 'quota-short' } });
  return chosen;
}
