import { count } from '../../../common/cli/count.ts';
import type { Api, Operation } from '../../../openapi/index.ts';
import { callCases } from '../../cases/call-cases.ts';
import { type Case, plainCase, readCases } from '../../cases/case.ts';
import { createCases, remarked } from '../../cases/create-cases.ts';
import type { Plan } from '../../cases/plan.ts';
import { onlyOperation, type Span, spansByKey } from '../../limits/spans.ts';
import { type Answer, isAnswered } from '../../transcript/exchange.ts';
import { toSkipText } from '../../transcript/skip-reasons.ts';
import type { Budget } from '../keys/budget.ts';
import type { Session } from '../session.ts';
import type { Turn } from '../turn.ts';

/** How many calls beyond the limit are enough to see that nothing is refused. */
const callsBeyond = 4;

/** The last calls are made one by one, so that each shows what is left. */
const callsOneByOne = 6;
const maxSideBySide = 8;

/** How long using up the smallest key may take, and one of each other plan, in milliseconds. */
const maxTime = { probe: 30_000, other: 5000 };

/**
 * Exhausts the probe key, then tries another key, and the same one again once it is allowed to.
 * Finally exhausts a key of each other plan that the run can afford.
 */
export async function tryLimits({ session, document }: Turn): Promise<void> {
  const { wait: maxWait } = session.options;
  const operation = safeOperation(session, document);
  const { probe } = session.keys;
  if (!operation) {
    const { name } = probe.key;
    const reason = `the limit of key ${name} was not tried: --only and --skip leave no read-only operation for it`;
    session.transcript.trials.push({ key: name, calls: 0, outcome: 'not-tried', reason });
    return;
  }
  const refused = await tryLimit(session, operation, probe, { maxWait, isProbe: true });
  const other = session.keys.bulk.find((budget) => budget !== probe && budget.available() > 0);
  if (other)
    await session.call(
      limitCase(operation, 'other key', { kind: 'after-exhaustion', key: 'other' }),
      other,
    );
  const pause = probe.retryAt() - Date.now();
  if (refused && pause <= maxWait) {
    await session.pause(pause + 100);
    await session.call(
      limitCase(operation, 'same key later', { kind: 'after-exhaustion', key: 'same' }),
      probe,
    );
  }
  const plans = new Set([probe.key.plan]);
  for (const budget of session.keys.bulk.toSorted(
    (left, right) => left.available() - right.available(),
  )) {
    const { plan } = budget.key;
    const isCustom = typeof document.plans[plan ?? ''] !== 'object';
    if (plans.has(plan) || (isCustom && whyNot(session, budget, maxTime.other) !== undefined))
      continue;
    plans.add(plan);
    await tryLimit(session, operation, budget, { maxWait, isProbe: false });
  }
}

/** Exhausts one key if the run can afford it, records the outcome, and returns the refusal. */
async function tryLimit(
  session: Session,
  operation: Operation,
  budget: Budget,
  { maxWait, isProbe }: { maxWait: number; isProbe: boolean },
): Promise<Answer | undefined> {
  const { trials } = session.transcript;
  const { name } = budget.key;
  if (isTooLate(session, budget) && budget.resetAt() - Date.now() <= maxWait)
    await session.pause(budget.resetAt() - Date.now() + 50);
  const reason =
    whyNot(session, budget, isProbe ? maxTime.probe : maxTime.other) ??
    (!isProbe && isTooLate(session, budget)
      ? 'its window ends before it could be used up'
      : undefined);
  if (reason !== undefined) {
    trials.push({
      key: name,
      calls: 0,
      outcome: 'not-tried',
      reason: `the limit of key ${name} was not tried: ${reason}`,
    });
    return undefined;
  }
  const left = budget.available();
  const { calls, refused, failed, hasEnded } = await useUp(session, operation, budget);
  if (refused) trials.push({ key: name, calls, outcome: 'met' });
  else {
    const failure = failed && `one of them was answered with ${failed.response.status}`;
    const stopped = session.stopped();
    const why =
      failure ??
      (stopped && toSkipText(stopped)) ??
      (hasEnded ? 'its window ended meanwhile' : undefined);
    trials.push({
      key: name,
      calls,
      outcome: 'not-met',
      reason: why
        ? `key ${name} was not refused within ${count(calls, 'request')}: ${why}`
        : toNotRefused(name, left, calls),
    });
  }
  return refused;
}

/** That a key went on being accepted beyond its limit. */
function toNotRefused(name: string, left: number, calls: number): string {
  const had = left > 0 ? count(left, 'request') : 'no requests';
  const sent = calls === 1 ? 'its next request was not' : `none of ${calls} requests was`;
  return `key ${name} had ${had} left, but ${sent} refused`;
}

/** Why a key cannot be exhausted within the run. */
function whyNot(session: Session, budget: Budget, maxMilliseconds: number): string | undefined {
  const calls = budget.available() + callsBeyond;
  const { requests, milliseconds } = session.left();
  const stopped = session.stopped();
  if (stopped?.code === 'interrupted') return toSkipText(stopped);
  if (budget.retryAt() > Date.now()) return 'it has to wait after a 429';
  if (calls === Number.POSITIVE_INFINITY) return 'no answer says how many requests it has left';
  if (calls > requests)
    return `it takes ${calls} requests, and the run may make ${requests} more (--max-requests)`;
  const time = timeFor(session, calls);
  const allowed = Math.min(maxMilliseconds, milliseconds - maxMilliseconds);
  return time > allowed
    ? `it takes about ${Math.ceil(time / 1000)} s for ${calls} requests`
    : undefined;
}

/** Whether the window ends before the key can be exhausted. */
function isTooLate(session: Session, budget: Budget): boolean {
  return Date.now() + timeFor(session, budget.available() + callsBeyond) > budget.resetAt();
}

/** An estimate of how long calls take, from the latest ones, in milliseconds. */
function timeFor({ transcript, options: { concurrency } }: Session, calls: number): number {
  const last = transcript.exchanges.slice(-20);
  const each =
    last.reduce((sum, { sentAt, endedAt }) => sum + endedAt - sentAt, 0) / Math.max(1, last.length);
  return (calls / Math.min(maxSideBySide, concurrency) + callsOneByOne) * each;
}

/**
 * Calls side by side while much is left, one by one near the end, and never again after the first
 * 429 or error, which it gives, or once the window ends.
 */
async function useUp(
  session: Session,
  operation: Operation,
  budget: Budget,
): Promise<{ calls: number; refused?: Answer; failed?: Answer; hasEnded?: true }> {
  let calls = 0;
  const expected = budget.available();
  let [lowest, end] = [expected, budget.resetAt()];
  const next = () =>
    session.call(
      limitCase(operation, `exhaust ${budget.key.name} ${++calls}`, { kind: 'exhaust' }),
      budget,
    );
  while (!session.stopped()) {
    const left = budget.available();
    if (end === Number.POSITIVE_INFINITY) end = budget.resetAt();
    // A bucket refills bit by bit, and its Reset moves along.
    if (Date.now() >= end && left > lowest + maxSideBySide) return { calls, hasEnded: true };
    lowest = Math.min(lowest, left);
    // Further calls distinguish a second counter, which still has some left, from a limit that refills.
    if (calls >= expected + Math.max(callsBeyond, expected / 4)) break;
    const inParallel = left > callsOneByOne ? left - callsBeyond : 1;
    const sideBySide = Math.max(
      1,
      Math.min(maxSideBySide, session.options.concurrency, inParallel),
    );
    const made = await Promise.all(Array.from({ length: sideBySide }, next));
    const answered = made.filter((exchange) => exchange !== undefined).filter(isAnswered);
    const refused = answered.find(({ response }) => response.status === 429);
    const failed = answered.find(
      ({ response }) => response.status >= 300 && response.status !== 429,
    );
    if (refused || failed || made.includes(undefined))
      return { calls, ...(refused && { refused }), ...(failed && { failed }) };
  }
  return { calls };
}

/**
 * Chooses an operation that may be called often because it changes nothing: a list, another one
 * without path parameters, or a read of a known item.
 */
function safeOperation({ choice, values }: Session, { operations }: Api): Operation | undefined {
  const safe = operations.filter((one) => one.method === 'GET' && choice.isChosen(one));
  const plain = safe.filter(({ path }) => !path.includes('{'));
  return (
    plain.find(({ kind }) => kind === 'list') ??
    plain[0] ??
    safe.find((one) => one.kind === 'read' && values.get(`id.${one.resource}.first`) !== undefined)
  );
}

/** A call that is made only to try the limit. */
function limitCase(operation: Operation, name: string, purpose: Case['purpose']): Case {
  return { ...plainCase(operation, name), purpose, priority: 1 };
}

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
