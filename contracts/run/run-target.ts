import type { Case } from '../cases/case.ts';
import type { Plan, StageName } from '../cases/plan.ts';
import type { ApiDocument } from '../document.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { awaitSeen, surveyAgain } from './await-seen.ts';
import { confirmChanges } from './confirm-changes.ts';
import { countDown } from './count-down.ts';
import { listedItems } from './listed.ts';
import { tryProperties } from './properties.ts';
import { proveKeys } from './prove-keys.ts';
import { openSession, type Session, type SessionOptions } from './session.ts';
import { topUp } from './top-up.ts';
import { tryLimits } from './try-limits.ts';
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
  const reason = await proveKeys(session, document);
  if (reason !== undefined) throw new TargetError(reason);
  const affordable = chooseAffordable(plan, session);
  const stage = async (name: StageName) => {
    onStage(name);
    await session.callAll(affordable.filter((one) => one.stage === name).map(({ case: one }) => one));
  };
  await stage('survey');
  rememberListed(session, document, plan.seed);
  const statesLimits = Object.keys(document.plans).length > 0;
  if (statesLimits) await countDown(session, document, plan);
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
  if (writes) {
    await awaitSeen(session, document);
    onStage('properties');
    await tryProperties(session, document, plan.seed);
  }
  await stage('repeats');
  await stage('last survey');
  if (writes) {
    await surveyAgain(session, document);
    await confirmChanges(session, document);
    await topUp(session, options);
  }
  await stage('pages');
  if (writes) await confirmChanges(session, document);
  if (options.probeLimits && statesLimits) {
    onStage('limits');
    await tryLimits(session, document, options.wait);
  }
  session.transcript.exchanges.sort((one, other) => one.number - other.number);
  return session.transcript;
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
