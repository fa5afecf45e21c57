import { collectionsOf } from '../../openapi/model/api.ts';
import { type Case, isWriting } from '../cases/case.ts';
import type { Plan, StageName } from '../cases/plan.ts';
import { callsLeft } from './keys/budget.ts';
import type { Session } from './session.ts';

/** A case that the run makes, and when. */
export type Affordable = { stage: StageName; case: Case };

/** How much of what a run may send is for what the plan has; the rest is for what follows from it. */
const shareOfPlan = 0.6;

/** Returns all cases of a plan in order. */
export function casesOf({ stages }: Plan): Affordable[] {
  return stages.flatMap(({ name, cases }) => cases.map((one) => ({ stage: name, case: one })));
}

/**
 * Chooses the cases that fit the quota and the number of requests, so that each operation gets
 * equally many. Also returns the cases that wait for unused requests. The least urgent cases that
 * do not fit are in neither list.
 */
export function chooseAffordable(
  all: readonly Affordable[],
  session: Session,
): { chosen: ReadonlySet<Affordable>; postponed: Affordable[] } {
  const { writes } = session.options;
  const mayFollow = collectionsOf(session.transcript.document).some(
    ({ operations: { replace, update, delete: remove } }) =>
      writes && (replace || update || remove),
  );
  const share = mayFollow ? shareOfPlan : 1;
  const shared = shareOut(all, Math.floor(session.left().requests * share));
  const postponed = all.filter((one) => !shared.has(one));
  const reserve = 20;
  const capacity = callsLeft(session.keys.bulk) - reserve;
  const priorities = [3, 2].filter((priority) => {
    const urgent = [...shared].filter(({ case: one }) => one.priority <= priority);
    return urgent.filter(({ case: { credential } }) => credential === 'valid').length <= capacity;
  });
  const [lowest = 1] = priorities;
  const chosen = new Set([...shared].filter(({ case: one }) => one.priority <= lowest));
  for (const one of shared)
    if (!chosen.has(one))
      session.transcript.skipped.push({ case: one.case, reason: { code: 'quota-short' } });
  return { chosen, postponed };
}

/**
 * So many cases that each operation has as many as the others, the most urgent of each; of equals,
 * those that change nothing come first.
 */
function shareOut(all: readonly Affordable[], most: number): Set<Affordable> {
  if (all.length <= most) return new Set(all);
  const byOperation = Map.groupBy(all, ({ case: one }) => (one.operation ?? one.parametersOf)?.id);
  const ranked = [...byOperation.values()].flatMap((ofOperation) =>
    ofOperation
      .toSorted((left, right) => left.case.priority - right.case.priority)
      .map((one, rank) => ({ one, rank })),
  );
  const first = ranked
    .toSorted(
      (left, right) =>
        left.rank - right.rank || Number(left.one.case.writes) - Number(right.one.case.writes),
    )
    .slice(0, Math.max(0, most));
  const chosen = new Set(first.map(({ one }) => one));
  return new Set(all.filter((one) => chosen.has(one)));
}

/** Returns the first plain read of each operation, which needs nothing that others show. */
export function plainReads(all: Iterable<Affordable>): Affordable[] {
  const reads = [...all].filter(
    ({ stage, case: { method, path, credential, operation } }) =>
      operation && stage === 'reads' && method === 'GET' && credential === 'valid' && isFull(path),
  );
  return [...Map.groupBy(reads, ({ case: { operation } }) => operation?.id).values()].flatMap(
    ([first]) => first ?? [],
  );
}

function isFull(path: string): boolean {
  return !path.includes('{{');
}

/** How many calls a case may take that may create something: it is looked for and deleted. */
const callsOfWrite = 3;

/** Spends what is left over on cases that waited for it, first on those that change nothing. */
export async function spendRest(session: Session, postponed: readonly Affordable[]): Promise<void> {
  // A case of another kind, or of a stage, says something only when it is made.
  const isPossible = ({ case: { purpose, stage, writes } }: Affordable) =>
    (!isWriting(purpose.kind) || purpose.kind === 'invalid-create') &&
    stage === undefined &&
    !(writes && purpose.kind === 'silence');
  const possible = postponed.filter(isPossible);
  const made = new Set<Affordable>();
  for (const [writes, calls] of [[false, 1] as const, [true, callsOfWrite] as const]) {
    const cases = possible.filter(({ case: one }) => one.writes === writes);
    const chosen = shareOut(cases, Math.floor(session.left().requests / calls));
    for (const one of chosen) made.add(one);
    await session.callAll([...chosen].map(({ case: one }) => one));
  }
  const { maxRequests: requests } = session.options;
  const code = session.left().requests < callsOfWrite ? 'max-requests' : 'share-used';
  for (const one of postponed)
    if (!made.has(one))
      session.transcript.skipped.push({ case: one.case, reason: { code, requests } });
}
