import type { Case } from '../cases/case.ts';
import { callCases } from '../cases/other-cases.ts';
import type { Plan } from '../cases/plan.ts';
import { createCases, readCases } from '../cases/resource-cases.ts';
import type { ApiDocument, Operation } from '../document.ts';
import { type Exchange, isAnswered } from '../transcript/exchange.ts';
import { fallOf, stepsOf } from '../transcript/steps.ts';
import type { Budget } from './budget.ts';
import type { Session } from './session.ts';

/** The most calls that trying a limit may take. */
const mostCalls = 400;

/** The most that using up a key of another plan may take. */
const mostMoreCalls = 150;

/** How many calls beyond the limit are enough to see that nothing is refused. */
const callsBeyond = 4;

/** Calls one after another with one key, and with another key around them: the headers must count each for its own. */
export async function countDown(session: Session, document: ApiDocument, plan: Plan): Promise<void> {
  const operation = safeOperation(document);
  const [main, ...others] = session.bulk.toSorted((one, other) => other.available() - one.available());
  if (!operation || !main || main.available() < 16) return;
  const spare = others.find((budget) => budget.available() > 5) ?? (session.probe === main ? undefined : session.probe);
  const count = async (key: 'bulk' | 'spare', budget: Budget, number: number) =>
    session.call(limitCase(operation, `count ${key} ${number}`, { kind: 'count', key }), budget);
  const started = Date.now();
  if (spare) await count('spare', spare, 1);
  for (let number = 1; number <= 4; number++) await count('bulk', main, number);
  const cases = countedCases(document, plan);
  for (const one of cases) for (const number of [1, 2]) await session.call(toCounted(one, number), main);
  if (spare) {
    await count('spare', spare, 2);
    const pause = Math.min(Date.now() - started, mostPause);
    if (fallsFaster(session, operation, spare)) {
      await wait(pause);
      await count('spare', spare, 3);
    }
  }
  // A deployment that counts wrongly does it again, at whatever pace; what somebody else takes is another number each time.
  for (const [index, pause] of pauses.entries()) {
    const isListFast = fallsFaster(session, operation, main);
    const fast = cases.filter((one) => fallsFaster(session, one.operation, main));
    if (!isListFast && fast.length === 0) break;
    await wait(pause);
    if (isListFast) await count('bulk', main, index + 5);
    for (const one of fast) await session.call(toCounted(one, index + 3), main);
  }
  if (standsStill(session, main)) await tryRefill(session, operation, main);
}

/** Takes some calls at once, then calls after a pause and without one: only a bucket that refills gains by the pause. */
async function tryRefill(session: Session, operation: Operation, budget: Budget): Promise<void> {
  let number = 0;
  const call = () => session.call(limitCase(operation, `refill ${++number}`, { kind: 'count', key: 'bulk' }), budget);
  for (let round = 1; round <= 2; round++) {
    await Promise.all(Array.from({ length: callsAtOnce }, call));
    await call();
    await call();
    await wait(refillPause);
    await call();
  }
}

/** Before a call is counted again, in milliseconds. */
const pauses = [0, 400, 900];
const mostPause = 2000;
const refillPause = 1000;
const callsAtOnce = 6;

/** Whether Remaining does not fall with most calls of a key. */
function standsStill(session: Session, { key }: Budget): boolean {
  const falls = stepsOf(session.transcript)
    .filter(({ after }) => after.request.keyName === key.name)
    .map(fallOf);
  return falls.filter((fall) => fall < 1).length >= falls.length * 0.3;
}

/** Whether each call of an operation took more than one from the key. */
function fallsFaster(session: Session, operation: Operation | undefined, { key }: Budget): boolean {
  const falls = stepsOf(session.transcript)
    .filter(({ after: { case: one, request } }) => one.operation === operation && request.keyName === key.name)
    .map(fallOf);
  return falls.length > 0 && falls.every((fall) => fall > 1);
}

function wait(pause: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, pause));
}

/** A case of each operation, as each of them counts. */
function countedCases(document: ApiDocument, { stages }: Plan): Case[] {
  const kinds = document.resources.map((resource) => ({ document, resource }));
  const planned = stages.flatMap(({ cases }) => cases.map(({ id }) => id));
  return [
    ...kinds.flatMap((kind) => [...readCases(kind).slice(0, 1), ...createCases(kind).slice(0, 1)]),
    ...callCases(document),
  ].filter(({ id }) => planned.includes(id));
}

function toCounted(one: Case, number: number): Case {
  return {
    ...one,
    id: `${one.id} (count ${number})`,
    ...(one.marker !== undefined && {
      marker: `count ${number} {{run}}`,
      body: one.body?.replace(JSON.stringify(one.marker), JSON.stringify(`count ${number} {{run}}`)) as string,
    }),
  };
}

/**
 * Uses up the probe key, then tries another key, and the same one once it may call again. At last uses up a key of each other
 * plan that is all but used up anyway.
 */
export async function exhaust(session: Session, document: ApiDocument, longestWait: number): Promise<void> {
  const operation = safeOperation(document);
  const { probe } = session;
  if (!operation || probe.available() > mostCalls) return;
  const refused = await useUp(session, operation, probe);
  const other = session.bulk.find((budget) => budget !== probe && budget.available() > 0);
  if (other) await session.call(limitCase(operation, 'other key', { kind: 'after-exhaustion', key: 'other' }), other);
  const pause = probe.retryAt() - Date.now();
  if (refused?.response?.status === 429 && pause <= longestWait) {
    await wait(Math.max(0, pause) + 100);
    await session.call(limitCase(operation, 'same key later', { kind: 'after-exhaustion', key: 'same' }), probe);
  }
  const plans = new Set([probe.key.plan]);
  for (const budget of session.bulk) {
    if (plans.has(budget.key.plan) || budget.available() > mostMoreCalls) continue;
    plans.add(budget.key.plan);
    await useUp(session, operation, budget);
  }
}

/** Calls side by side while much is left, one by one near the end, and never again after the first 429, which it gives. */
async function useUp(session: Session, operation: Operation, budget: Budget): Promise<Exchange | undefined> {
  const expected = budget.available();
  let number = 0;
  const next = () => session.call(limitCase(operation, `exhaust ${budget.key.name} ${++number}`, { kind: 'exhaust' }), budget);
  while (number < expected + callsBeyond && !session.stopped()) {
    const left = budget.available();
    if (Number.isFinite(left) && left > 12) await Promise.all(Array.from({ length: Math.min(8, left - 4) }, next));
    else {
      const exchange = await next();
      if (!exchange) return undefined;
      if (isAnswered(exchange) && exchange.response.status >= 300) return exchange;
    }
  }
  return undefined;
}

function safeOperation({ operations }: ApiDocument): Operation | undefined {
  const safe = operations.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
  return safe.find(({ kind }) => kind === 'list') ?? safe[0];
}

function limitCase(operation: Operation, name: string, purpose: Case['purpose']): Case {
  const { id, method, path } = operation;
  return { id: `${id}/${name}`, operation, method, path, credential: 'valid', purpose, priority: 1, writes: false };
}
