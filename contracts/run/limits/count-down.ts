import type { Api, Operation } from '../../../openapi/index.ts';
import { callCases } from '../../cases/call-cases.ts';
import { type Case, readCases } from '../../cases/case.ts';
import { createCases, remarked } from '../../cases/create-cases.ts';
import type { Plan } from '../../cases/plan.ts';
import { onlyOperation, type Span, spansByKey } from '../../limits/spans.ts';
import type { Budget } from '../keys/budget.ts';
import type { Turn } from '../listed.ts';
import type { Session } from '../session.ts';
import { limitCase, safeOperation } from './try-limits.ts';

/**
 * Calls one after another with one key, and with another key around them: the headers must count
 * each for its own.
 */
export async function countDown({ session, document, options: { plan } }: Turn): Promise<void> {
  const operation = safeOperation(session, document);
  const [main, ...others] = session.keys.bulk.toSorted(
    (left, right) => right.available() - left.available(),
  );
  if (!operation || !main || main.available() < 16) return;
  const spare =
    others.find((budget) => budget.available() > 5) ??
    (session.keys.probe === main ? undefined : session.keys.probe);
  const count = async (key: 'bulk' | 'spare', budget: Budget, number: number) =>
    session.call(limitCase(operation, `count ${key} ${number}`, { kind: 'count', key }), budget);
  const started = Date.now();
  if (spare) await count('spare', spare, 1);
  for (let number = 1; number <= 4; number++) await count('bulk', main, number);
  const cases = countedCases(document, plan);
  for (const one of cases)
    for (const number of [1, 2]) await session.call(toCounted(one, number), main);
  if (spare) {
    await count('spare', spare, 2);
    const pause = Math.min(Date.now() - started, maxPause);
    if (fallsFaster(session, operation, spare)) {
      await session.pause(pause);
      await count('spare', spare, 3);
      // A call costs the same without a pause.
      await count('spare', spare, 4);
    }
  }
  // A deployment that counts wrongly does it again, at whatever pace; what somebody else takes is
  // another number each time.
  for (const [index, pause] of pauses.entries()) {
    const isListFast = fallsFaster(session, operation, main);
    const fast = cases.filter((one) => fallsFaster(session, one.operation, main));
    if (!isListFast && fast.length === 0) break;
    await session.pause(pause);
    if (isListFast) await count('bulk', main, index + 5);
    for (const one of fast) await session.call(toCounted(one, index + 3), main);
  }
  if (standsStill(session, main)) await tryRefill(session, operation, main);
}

/**
 * Takes some calls at once, then calls after a pause and without one: only a bucket that refills
 * gains by the pause.
 */
async function tryRefill(session: Session, operation: Operation, budget: Budget): Promise<void> {
  let number = 0;
  const call = () =>
    session.call(
      limitCase(operation, `refill ${++number}`, { kind: 'count', key: 'bulk' }),
      budget,
    );
  const { concurrency } = session.options;
  for (let round = 1; round <= 2; round++) {
    for (let left = callsAtOnce; left > 0; left -= concurrency)
      await Promise.all(Array.from({ length: Math.min(left, concurrency) }, call));
    await call();
    await call();
    await session.pause(refillPause);
    await call();
  }
}

/** The pause before a call is counted again, in milliseconds. */
const pauses = [0, 400, 900];
const maxPause = 2000;
const refillPause = 1000;
const callsAtOnce = 6;

/** Whether Remaining does not fall with many calls of a key. */
function standsStill(session: Session, budget: Budget): boolean {
  const spans = spansOf(session, budget);
  return spans.filter(({ fall, sure }) => fall < sure).length >= spans.length * 0.3;
}

/** Whether each call of an operation took more than one from the key. */
function fallsFaster(session: Session, operation: Operation | undefined, budget: Budget): boolean {
  const spans = spansOf(session, budget).filter((span) => onlyOperation(span) === operation?.id);
  return spans.length > 0 && spans.every(({ fall, sure }) => fall > sure);
}

function spansOf({ transcript }: Session, { key }: Budget): Span[] {
  return (spansByKey(transcript).get(key.name) ?? []).filter(({ isOneWindow }) => isOneWindow);
}

/** One case for each operation, because each counts. */
function countedCases(document: Api, { stages }: Plan): Case[] {
  const kinds = document.resources.map((resource) => ({ document, resource }));
  const planned = stages.flatMap(({ cases }) => cases.map(({ id }) => id));
  return [
    ...kinds.flatMap((kind) => [...readCases(kind).slice(0, 1), ...createCases(kind).slice(0, 1)]),
    ...callCases(document).filter(({ writes }) => !writes),
  ].filter(({ id }) => planned.includes(id));
}

function toCounted(one: Case, number: number): Case {
  return remarked(one, `${one.id} (count ${number})`, `count ${number} {{run}}`);
}
