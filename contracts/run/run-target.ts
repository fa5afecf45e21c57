import type { Case } from '../cases/case.ts';
import type { Plan, StageName } from '../cases/plan.ts';
import type { ApiDocument } from '../document.ts';
import { type Exchange, isAnswered } from '../transcript/exchange.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { awaitListed } from './await-listed.ts';
import { countDown, exhaust } from './limits.ts';
import { listedItems } from './listed.ts';
import { tryProperties } from './properties.ts';
import { openSession, type Session, type SessionOptions } from './session.ts';
import { topUp } from './top-up.ts';
import { unknownNumber } from './values.ts';

export type RunOptions = SessionOptions & {
  plan: Plan;
  writes: boolean;
  probeLimits: boolean;
  /** Whether data may be added only so that a bound can be tried. */
  fill: boolean;
  onStage: (stage: string) => void;
};

/** The target cannot be judged at all; the message says why and what to do. */
export class TargetError extends Error {}

/** Makes the cases of a plan against one target, quota in mind. Throws {@link TargetError} where no call can be made. */
export async function runTarget(options: RunOptions): Promise<Transcript> {
  const { plan, document, writes, onStage } = options;
  const session = openSession(options);
  onStage('keys');
  await proveKeys(session, document);
  const affordable = chooseAffordable(plan, session);
  const stage = async (name: StageName) => {
    onStage(name);
    await session.callAll(affordable.filter((one) => one.stage === name).map(({ case: one }) => one));
  };
  await stage('survey');
  rememberListed(session, document, plan.seed);
  await countDown(session, document, plan);
  if (writes) {
    await stage('refusals');
    await stage('survey after refusals');
  }
  await stage('reads');
  if (writes) {
    await stage('creates');
    rememberCreated(session, document);
  }
  await stage('reads of what was created');
  await stage('second survey');
  if (writes) await awaitListed(session, document);
  if (writes) {
    onStage('properties');
    await tryProperties(session, document, plan.seed);
  }
  await stage('repeats');
  if (writes) await topUp(session, options);
  await stage('pages');
  if (options.probeLimits) {
    onStage('limits');
    await exhaust(session, document, options.wait);
  }
  session.transcript.exchanges.sort((one, other) => one.number - other.number);
  return session.transcript;
}

/** Calls a safe operation with each key, so that a refused key is not taken for a broken deployment. */
async function proveKeys(session: Session, { operations, resources }: ApiDocument): Promise<void> {
  const list = resources.find(({ operations }) => operations.list);
  const safe = operations.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
  const cases = safe.map((operation): Case => {
    const purpose: Case['purpose'] = operation.kind === 'list' ? { kind: 'list', filters: {} } : { kind: 'call' };
    const { id, method, path } = operation;
    return { id: `${id}/key`, operation, method, path, credential: 'valid', purpose, priority: 1, writes: false };
  });
  cases.sort((one, other) => Number(other.operation === list?.operations.list) - Number(one.operation === list?.operations.list));
  const accepted: string[] = [];
  let reached = false;
  let reason = '';
  for (const budget of session.budgets) {
    for (const one of cases) {
      const exchange = await session.call(one, budget);
      if (!exchange) continue;
      reached ||= isAnswered(exchange) || exchange.failure.kind !== 'unreachable';
      if (exchange.failure?.kind === 'unreachable') reason = exchange.failure.message;
      if (isAnswered(exchange) && ![401, 403].includes(exchange.response.status)) {
        accepted.push(budget.key.name);
        break;
      }
      if (!reached) break;
    }
    if (!reached) break;
  }
  const { name, url } = session.transcript.target;
  if (!reached)
    throw new TargetError(`The ${name} at ${url} cannot be reached (${reason}). Is it running, and is the address right?`);
  const answers = session.transcript.exchanges.filter(isAnswered);
  const last = session.transcript.exchanges.at(-1) as Exchange;
  if (answers.length === 0)
    throw new TargetError(
      `The ${name} at ${url} gives no answer (${last.failure?.message}). Is the address right, and its protocol?`,
    );
  if (accepted.length === 0)
    throw new TargetError(
      `The ${name} at ${url} accepts none of the keys (it answered ${last.response?.status}). Give a valid one with --key.`,
    );
  if (answers.every(({ response }) => response.status === 429))
    throw new TargetError(
      `The ${name} at ${url} answers 429 to every key, so nothing can be told. Wait, or give another with --key.`,
    );
  for (const budget of [...session.bulk]) if (!accepted.includes(budget.key.name)) session.retire(budget);
}

type Affordable = { stage: StageName; case: Case };

/** The cases that the keys can pay for: the least urgent go first. */
function chooseAffordable({ stages }: Plan, session: Session): Affordable[] {
  const all = stages.flatMap(({ name, cases }) => cases.map((one): Affordable => ({ stage: name, case: one })));
  const reserve = 20;
  const capacity = session.bulk.reduce((sum, budget) => sum + budget.available(), 0) - reserve;
  for (const priority of [3, 2]) {
    const chosen = all.filter(({ case: one }) => one.priority <= priority);
    if (chosen.filter(({ case: one }) => one.credential === 'valid').length <= capacity) return leaveOut(all, chosen, session);
  }
  return leaveOut(
    all,
    all.filter(({ case: one }) => one.priority === 1),
    session,
  );
}

function leaveOut(all: Affordable[], chosen: Affordable[], session: Session): Affordable[] {
  for (const one of all)
    if (!chosen.includes(one)) session.transcript.skipped.push({ case: one.case, reason: 'the quota of the keys is short' });
  return chosen;
}

/** Remembers items that the list shows: some ids, and a value for each property. */
function rememberListed(session: Session, { resources }: ApiDocument, seed: number): void {
  for (const resource of resources) {
    const items = listedItems(session, resource);
    const ids = items.map((item) => item[resource.idProperty]).filter((id) => id !== undefined);
    const { values } = session;
    const { name } = resource;
    if (ids.length > 0) {
      values.set(`id.${name}.first`, toPath(ids[0]));
      values.set(`id.${name}.middle`, toPath(ids[Math.floor(ids.length / 2)]));
      values.set(`id.${name}.last`, toPath(ids.at(-1)));
    }
    for (const property of Object.keys(resource.item.properties)) {
      const value = items.find((item) => Object.hasOwn(item, property))?.[property];
      if (property !== resource.idProperty && value !== undefined) values.set(`known.${name}.${property}`, value);
    }
    const numbers = ids.filter((id) => typeof id === 'bigint' || Number.isSafeInteger(id)).map((id) => BigInt(id as number));
    let largest = 0n;
    for (const id of numbers) if (id > largest) largest = id;
    const near = largest + 1_000_003n;
    values.set(`unknown.${name}.near`, near < 2n ** 63n ? String(near) : '1000003');
    for (const which of ['far', 'farther']) values.set(`unknown.${name}.${which}`, unknownNumber(`${seed} ${name} ${which}`));
  }
}

function rememberCreated(session: Session, { resources }: ApiDocument): void {
  for (const { case: one, response } of session.transcript.exchanges) {
    const resource = resources.find(({ name }) => name === one.operation?.resource);
    const id = resource && (response?.json as Record<string, unknown> | undefined)?.[resource.idProperty];
    if (one.purpose.kind !== 'create' || !resource || id === undefined || id === null) continue;
    session.values.set(`created.${one.id}`, toPath(id));
    if (session.values.get(`known.${resource.name}.created`) === undefined)
      session.values.set(`known.${resource.name}.created`, id);
  }
}

function toPath(id: unknown): string {
  return encodeURIComponent(String(id));
}
