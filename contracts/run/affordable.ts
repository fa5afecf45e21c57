import type { Api, Operation, Resource } from '../../openapi/index.ts';
import { collectionsOf, findResource } from '../../openapi/model/api.ts';
import { isUnsafe, isWriting, plainCase } from '../cases/case.ts';
import type { Plan } from '../cases/plan.ts';
import { callsLeft, largeReserve, reserve } from './keys/budget.ts';
import type { Session } from './session.ts';
import type { PlannedCase } from './turn.ts';

/** The share of requests for planned cases; the rest is for follow-up requests. */
const shareOfPlan = 0.6;

/** Gives out the cases of a plan, turn by turn, as far as they can be afforded by then. */
export class Allotment {
  readonly #session: Session;
  /** The cases that wait for unused requests. */
  readonly #postponed: PlannedCase[] = [];
  /** The cases that were not given out. */
  open: readonly PlannedCase[];

  constructor({ stages }: Plan, session: Session) {
    this.#session = session;
    this.open = stages.flatMap(({ name, cases }) =>
      cases.map((one) => ({ stage: name, case: one })),
    );
  }

  /** Takes the cases of a turn. */
  take(isOfTurn: (one: PlannedCase) => boolean): PlannedCase[] {
    const { chosen, postponed } = chooseAffordable(this.open, this.#session);
    const waiting = new Set(postponed);
    const taken = this.open.filter((one) => chosen.has(one) && isOfTurn(one));
    this.#postponed.push(...postponed.filter(isOfTurn));
    this.open = this.open.filter((one) => (chosen.has(one) || waiting.has(one)) && !isOfTurn(one));
    return taken;
  }

  /** Takes the first plain read of each operation, which needs nothing that others show. */
  takePlainReads(): PlannedCase[] {
    const plain = new Set(plainReads(this.open));
    return this.take((one) => plain.has(one));
  }

  /** Spends what is left over on cases that waited for it, first on those that change nothing. */
  async spendRest(): Promise<void> {
    const session = this.#session;
    const postponed = this.#postponed;
    // A case of another kind, or of a stage, says something only when it is made.
    const isPossible = ({ case: { purpose, stage, writes } }: PlannedCase) =>
      (!isWriting(purpose.kind) || purpose.kind === 'invalid-create') &&
      stage === undefined &&
      !(writes && purpose.kind === 'silence');
    const possible = postponed.filter(isPossible);
    const made = new Set<PlannedCase>();
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

  /** Notes of each chosen operation that was not reached before the run had to stop why that was. */
  tellUnreached(): void {
    const { transcript, keys, choice, options } = this.#session;
    const isShort = callsLeft(keys.bulk) <= reserve;
    const reason = this.#session.stopped() ?? (isShort ? { code: 'quota-short' } : undefined);
    if (!reason) return;
    const { exchanges, skipped, document } = transcript;
    const seen = [...exchanges, ...skipped].map(({ case: { operation } }) => operation?.id);
    const isOpen = (one: Operation) =>
      choice.isChosen(one) && !seen.includes(one.id) && (options.writes || !isUnsafe(one));
    for (const operation of document.operations.filter(isOpen))
      skipped.push({ case: plainCase(operation, 'not reached'), reason });
  }
}

/** Whether a case is about a collection. */
export function isOfResource(
  document: Api,
  { case: one }: PlannedCase,
  resource: Resource,
): boolean {
  return findResource(document, one.operation ?? one.parametersOf) === resource;
}

/**
 * Chooses the cases that fit the quota and the number of requests, so that each operation gets
 * equally many. Also returns the cases that wait for unused requests. The least urgent cases that
 * do not fit are in neither list.
 */
function chooseAffordable(
  all: readonly PlannedCase[],
  session: Session,
): { chosen: ReadonlySet<PlannedCase>; postponed: PlannedCase[] } {
  const { writes } = session.options;
  const mayFollow = collectionsOf(session.transcript.document).some(
    ({ operations: { replace, update, delete: remove } }) =>
      writes && (replace || update || remove),
  );
  const share = mayFollow ? shareOfPlan : 1;
  const shared = shareOut(all, Math.floor(session.left().requests * share));
  const postponed = all.filter((one) => !shared.has(one));
  const capacity = callsLeft(session.keys.bulk) - largeReserve;
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
function shareOut(all: readonly PlannedCase[], most: number): Set<PlannedCase> {
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

function plainReads(all: readonly PlannedCase[]): PlannedCase[] {
  const reads = all.filter(
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
