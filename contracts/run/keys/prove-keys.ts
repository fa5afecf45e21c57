import type { Api, Operation } from '../../../openapi/index.ts';
import { keyPlacesOf, toKeyPlace } from '../../../openapi/model/key-places.ts';
import { describeScheme, usedSchemes } from '../../../openapi/model/security.ts';
import { type Case, plainCase } from '../../cases/case.ts';
import { completeCase } from '../../cases/example-call.ts';
import { type Exchange, isAnswered } from '../../transcript/exchange.ts';
import type { Choice } from '../choices.ts';
import { explainAddress } from '../http/address.ts';
import type { Session } from '../session.ts';
import type { Budget } from './budget.ts';

/**
 * Calls safe operations with each key, so that a refused key or a wrong address is not mistaken for
 * a broken deployment. If the quota of every key is used up, waits for it as long as is allowed.
 * Returns why the target cannot be judged, in one line, or undefined if it can.
 */
export async function proveKeys(
  session: Session,
  document: Api,
  maxWait: number,
): Promise<string | undefined> {
  const all = safeOperations(document);
  const cases = chooseSafe(all, session.choice).map(toCase);
  const { name, url } = session.transcript.target;
  const where = `The ${name} at ${url}`;
  if (all[0] && cases.length === 0)
    return `${where} cannot be judged by ${namesOfChosen(session.choice, document)} alone: keys are checked with a GET without path parameters. Add --only ${all[0].id}, for example.`;
  if (cases.length === 0) return proveAddress(session, where);
  const accepted: string[] = [];
  let reached = false;
  let reason = '';
  for (const budget of session.keys.budgets) {
    for (const one of cases) {
      const exchange = await session.call(one, budget);
      if (!exchange) continue;
      reached ||= isAnswered(exchange) || exchange.failure.kind !== 'unreachable';
      if (exchange.failure?.kind === 'unreachable') reason = exchange.failure.message;
      if (isAnswered(exchange) && ![401, 403].includes(exchange.response.status)) {
        accepted.push(budget.key.name);
        if (exchange.response.status < 300) session.prove(budget, one);
        break;
      }
      if (!reached) break;
    }
    if (!reached) break;
  }
  if (!reached) return `${where} cannot be reached: ${reason}.`;
  const answers = session.transcript.exchanges.filter(isAnswered);
  const last = session.transcript.exchanges.at(-1) as Exchange;
  if (answers.length === 0) return toUnanswered(where, last.failure?.message);
  const wrongAddress = await explainAddress(session, document, cases);
  if (wrongAddress !== undefined) return `${where} ${wrongAddress}`;
  if (accepted.length === 0)
    return `${where} accepts none of the keys (it answered ${last.response?.status}). ${adviceOn(document)}`;
  if (answers.every(({ response }) => response.status === 429)) {
    const pause = Math.min(...session.keys.budgets.map((one) => one.retryAt())) - Date.now();
    if (pause > maxWait)
      return `${where} answers 429 to every key: ${adviceOnWait(Math.ceil(pause / 1000))}`;
    if (!(await isAcceptedLater(session, cases, pause)))
      return `${where} answers 429 to every key, even after its Retry-After. Give another key with --key.`;
  }
  for (const budget of session.keys.budgets)
    if (!accepted.includes(budget.key.name)) refuse(session, budget);
  return undefined;
}

/** Whether a key gets a response other than 429 after a pause. */
async function isAcceptedLater(
  session: Session,
  cases: readonly Case[],
  pause: number,
): Promise<boolean> {
  await session.pause(pause + 100);
  for (const budget of session.keys.budgets)
    for (const one of cases) {
      const exchange = await session.call({ ...one, id: `${one.id} (later)` }, budget);
      if (exchange && isAnswered(exchange) && exchange.response.status !== 429) return true;
    }
  return false;
}

/** A limit of a minute is worth waiting for. */
function adviceOnWait(seconds: number): string {
  const wait = seconds <= 61 ? 'Allow a wait of 61 s with --wait' : 'Try again then';
  return `their quota is used up for another ${seconds} s. ${wait}, or give another key with --key.`;
}

/**
 * Returns advice if no key was accepted. A document may ask for credentials that no key can
 * provide.
 */
function adviceOn({ operations }: Api): string {
  const others = usedSchemes(operations).filter((scheme) => toKeyPlace(scheme) === undefined);
  if (others.length === 0) return 'Give a valid one with --key.';
  const asked = others.map((scheme) => `${scheme.name} (${describeScheme(scheme)})`).join(', ');
  return `Keys are sent as the document describes them; it also asks for ${asked}, which cannot be sent.`;
}

/** Excludes a key that every safe operation refuses. Its calls say nothing about valid keys. */
function refuse({ transcript, keys }: Session, budget: Budget): void {
  const { exchanges } = transcript;
  let status: number | undefined;
  for (const [index, exchange] of exchanges.entries()) {
    if (exchange.request.keyName !== budget.key.name || !isAnswered(exchange)) continue;
    const { case: testCase, response } = exchange;
    status = response.status;
    exchanges[index] = {
      ...exchange,
      case: { ...testCase, id: `${testCase.id} (refused)`, purpose: { kind: 'refused-key' } },
    };
  }
  if (status !== undefined) keys.refuse(budget, status);
}

/**
 * The operations that change nothing and can be called, a list first; those with path parameters
 * only where there are no others.
 */
function safeOperations(document: Api): Operation[] {
  const { operations, resources } = document;
  const list = resources.find((resource) => resource.operations.list)?.operations.list;
  const callable = operations.filter(
    (one) =>
      one.method === 'GET' &&
      isMeantToSucceed(one) &&
      !('lacks' in completeCase(document, toCase(one))),
  );
  const keyed = callable.filter((one) => keyPlacesOf(one).length > 0);
  const safe = keyed.length > 0 ? keyed : callable;
  const plain = safe.filter(({ path }) => !path.includes('{'));
  return (plain.length > 0 ? plain : safe).toSorted(
    (left, right) => Number(right === list) - Number(left === list),
  );
}

/** Whether an operation describes more than errors, and so more than a 401 for everybody. */
function isMeantToSucceed({ responses }: Operation): boolean {
  return responses.length === 0 || responses.some(({ status }) => !/^[45]/.test(status));
}

/**
 * Returns what is wrong with the address, if no operation can be called to test it. Any response
 * will do.
 */
async function proveAddress(session: Session, where: string): Promise<string | undefined> {
  const exchange = await session.call(
    {
      id: 'GET /',
      method: 'GET',
      path: '/',
      credential: 'none',
      purpose: { kind: 'silence', silence: 'unknown-path', probe: 'GET /' },
      priority: 1,
      writes: false,
    },
    session.keys.budgets[0],
  );
  if (!exchange || isAnswered(exchange)) return undefined;
  const { kind, message } = exchange.failure;
  return kind === 'unreachable'
    ? `${where} cannot be reached: ${message}.`
    : toUnanswered(where, message);
}

function toUnanswered(where: string, message: string | undefined): string {
  return `${where} does not answer: ${message}. Are the address and its protocol right?`;
}

/** The chosen safe operations, or else those that chosen operations need anyway. */
function chooseSafe(
  safe: readonly Operation[],
  { isChosen, isNeeded }: Choice,
): readonly Operation[] {
  const chosen = safe.filter(isChosen);
  return chosen.length > 0 ? chosen : safe.filter(isNeeded);
}

function namesOfChosen({ isChosen }: Choice, { operations }: Api): string {
  return operations
    .filter(isChosen)
    .map(({ id }) => id)
    .join(', ');
}

function toCase(operation: Operation): Case {
  const { path, kind } = operation;
  return {
    ...plainCase(operation, 'key'),
    path,
    purpose: kind === 'list' ? { kind: 'list', filters: {} } : { kind: 'call' },
    isNeeded: true,
    priority: 1,
  };
}
