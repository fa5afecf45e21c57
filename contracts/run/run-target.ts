import { planBodies, validFields } from '../cases/bodies.ts';
import type { Case } from '../cases/case.ts';
import type { Plan, StageName } from '../cases/plan.ts';
import {
  type ApiDocument,
  collectionsOf,
  findResource,
  resolveSchema,
  type Schema,
} from '../description/document.ts';
import { valueAt } from '../description/property-path.ts';
import { unusedMethod } from '../description/stated.ts';
import { toJson } from '../json.ts';
import { toSegment } from '../transcript/ids.ts';
import { ownIdOf } from '../transcript/made.ts';
import { compileSent } from '../transcript/schema/validator.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { awaitSeen, surveyAgain } from './await-seen.ts';
import { confirmChanges } from './confirm-changes.ts';
import { callsLeft } from './keys/budget.ts';
import { proveKeys } from './keys/prove-keys.ts';
import { countDown } from './limits/count-down.ts';
import { tryLimits } from './limits/try-limits.ts';
import { listedItems } from './listed.ts';
import { addItem } from './own-item.ts';
import { tryProperties } from './properties.ts';
import { proveMade } from './prove-made.ts';
import { referToOwn } from './refer-to-own.ts';
import { openSession, type Session, type SessionOptions } from './session.ts';
import { tidyUp } from './tidy-up.ts';
import { topUp } from './top-up.ts';
import { tryActions } from './try-actions.ts';
import { tryChanges } from './try-changes.ts';
import { tryEdges } from './try-edges.ts';
import { tryNested } from './try-nested.ts';
import { unlike } from './unlike.ts';
import { unknownId } from './values.ts';
import { walkPages } from './walk-pages.ts';

export type RunTargetOptions = Omit<SessionOptions, 'prove'> & {
  plan: Plan;
  probeLimits: boolean;
  /** Whether data may be added only so that a bound can be tried. */
  fill: boolean;
  /** Asks what the plan does not, before limits are tried. */
  askMore?: ((session: Session) => Promise<void>) | undefined;
  onStage: (stage: string) => void;
};

/** The target cannot be judged at all; the message says why and what to do. */
export class TargetError extends Error {}

/**
 * Sends the cases of a plan to one target within its quota. Throws {@link TargetError} if no call
 * can be made.
 */
export async function runTarget(options: RunTargetOptions): Promise<Transcript> {
  const { document, onStage } = options;
  const session = openSession({ ...options, prove: proveMade });
  onStage('keys');
  const reason = await proveKeys(session, document, options.wait);
  const isInterrupted = session.stopped()?.code === 'interrupted';
  if (reason !== undefined && !isInterrupted) throw new TargetError(reason);
  let defect: string | undefined;
  try {
    await makeCases(session, options);
  } catch (error) {
    // What was received until then is judged all the same.
    defect = (error as Error).message;
  }
  if (options.writes && !options.isTemporary) {
    onStage('tidying up');
    await tidyUp(session, document);
  }
  session.transcript.exchanges.sort((left, right) => left.number - right.number);
  return defect === undefined ? session.transcript : { ...session.transcript, defect };
}

async function makeCases(session: Session, options: RunTargetOptions): Promise<void> {
  const { plan, document, writes, onStage } = options;
  const isStated = document.clauses.some(({ id }) => id === 'created-as-sent');
  // What an interface in prose states is tried like everything else.
  const isEdge = ({ case: testCase }: Affordable) =>
    testCase.isAtEdge === true && !session.isTemporary && !isStated;
  const all = chooseAffordable(plan, session);
  const affordable = all.filter((one) => !isEdge(one));
  const stage = async (name: StageName) => {
    onStage(name);
    await session.callAll(
      affordable.filter((one) => one.stage === name).map(({ case: testCase }) => testCase),
    );
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
  if (writes) await referToOwn(session, document);
  await stage('creates');
  if (writes) rememberCreated(session, document);
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
  if (writes) {
    // Only what was added last may have shown that the deployment is late.
    await surveyAgain(session, document);
    await confirmChanges(session, document);
  }
  onStage('pages one after the other');
  await walkPages(session, document);
  if (writes) {
    onStage('changes');
    await tryChanges(session, document);
    await tryActions(session, document);
    await tryNested(session, document);
    await tryEdges(
      session,
      document,
      all.filter(isEdge).map(({ case: testCase }) => testCase),
    );
    await addItemsToTry(session, document);
    await stage('methods');
  }
  if (options.askMore) {
    onStage('further questions');
    await options.askMore(session);
  }
  if (options.probeLimits && statesLimits) {
    onStage('limits');
    await tryLimits(session, document, options.wait);
  }
}

type Affordable = { stage: StageName; case: Case };

/** How much of what a run may send is for what the plan has; the rest is for what follows from it. */
const shareOfPlan = 0.6;

/**
 * The cases that the quota and the number of requests allow: the least urgent are dropped first, and
 * each operation gets as many as the others.
 */
function chooseAffordable({ stages }: Plan, session: Session): Affordable[] {
  const all = stages.flatMap(({ name, cases }) =>
    cases.map((testCase): Affordable => ({ stage: name, case: testCase })),
  );
  const isAllThereIs = collectionsOf(session.transcript.document).every(
    ({ operations: { replace, update, delete: remove } }) => !replace && !update && !remove,
  );
  const share = isAllThereIs ? 1 : shareOfPlan;
  const shared = shareOut(all, Math.floor(session.left().requests * share), session);
  const reserve = 20;
  const capacity = callsLeft(session.bulk) - reserve;
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
  const { maxRequests: requests } = session;
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

/** Remembers items that the list shows: some ids, and a value for each property. */
function rememberListed(session: Session, document: ApiDocument, seed: number): void {
  for (const resource of document.resources) {
    const items = listedItems(session, resource);
    const ids = items
      .map((item) => valueAt(item, resource.idProperty))
      .filter((id) => toSegment(id) !== undefined);
    const { values } = session;
    const { name } = resource;
    if (ids.length > 0) {
      values.set(`id.${name}.first`, toSegment(ids[0]));
      values.set(`id.${name}.middle`, toSegment(ids[Math.floor(ids.length / 2)]));
      values.set(`id.${name}.last`, toSegment(ids.at(-1)));
    }
    const sent = planBodies(document, resource).properties;
    for (const [property, described] of Object.entries(resource.item.properties)) {
      const schema = resolveSchema(document, described);
      const planned = sent.find((one) => one.name === property);
      const asked = planned?.schema;
      const findProblems = asked && compileSent(document, asked);
      const isUsable = (one: unknown) =>
        isOfType(one, schema) && isShort(one) && (findProblems?.(one) ?? []).length === 0;
      const usable = items.flatMap(({ [property]: one }) =>
        one !== undefined && isUsable(one) ? [one] : [],
      );
      // A text that one item alone has may be a name by which it is found.
      const isKey = (one: unknown, index: number) =>
        typeof one === 'string' && usable.indexOf(one) === index;
      const value = usable.find((one, index) => !isKey(one, index));
      if (property === resource.idProperty) continue;
      if (value !== undefined) values.set(`known.${name}.${property}`, value);
      else
        varyText(session, `known.${name}.${property}`, {
          schema,
          sample: usable[0] ?? planned?.made,
        });
    }
    const numbers = ids
      .filter((id) => typeof id === 'bigint' || Number.isSafeInteger(id))
      .map((id) => BigInt(id as number));
    let largest = 0n;
    for (const id of numbers) if (id > largest) largest = id;
    const near = largest + 1_000_003n;
    values.set(`unknown.${name}.near`, near < 2n ** 63n ? String(near) : '1000003');
    for (const which of ['far', 'farther'])
      values.set(
        `unknown.${name}.${which}`,
        unknownId(resource.idSchema, `${seed} ${name} ${which}`),
      );
    if (resource.idSchema.format === 'uuid')
      values.set(`unknown.${name}.near`, unknownId(resource.idSchema, `${seed} ${name} near`));
  }
}

/** Makes texts of a form that only a pattern or an example tells differ from one body to the next. */
function varyText(
  { values }: Session,
  name: string,
  { schema, sample }: { schema: Schema; sample: unknown },
): void {
  if (typeof sample !== 'string' || schema.enum !== undefined) return;
  if (unlike(sample, schema, 0) === undefined) return;
  values.vary(name, (count) => unlike(sample, schema, count) ?? sample);
}

/** Adds an item of each collection for methods that nobody describes: one may delete it after all. */
async function addItemsToTry(session: Session, document: ApiDocument): Promise<void> {
  for (const resource of document.resources) {
    const { read, create } = resource.operations;
    const isTried = read && create && unusedMethod(document, read) !== undefined;
    if (!isTried || !session.choice.isChosen(create)) continue;
    const name = 'for another method';
    const body = validFields(planBodies(document, resource), `${name} {{run}}`);
    const made = await addItem({ session, document, resource, fill: (path) => path }, name, body);
    session.values.set(`own.${resource.name}`, toSegment(ownIdOf(made)));
  }
}

function rememberCreated(session: Session, document: ApiDocument): void {
  for (const exchange of session.transcript.exchanges) {
    const { case: testCase, made } = exchange;
    const resource = findResource(document, testCase.operation);
    const id = resource && (valueAt(made?.item, resource.idProperty) ?? made?.id);
    const segment = made?.whose === 'others' ? undefined : toSegment(id);
    if (testCase.purpose.kind !== 'create' || !resource || segment === undefined) continue;
    session.values.set(`created.${testCase.id}`, segment);
    const known = session.values.get(`known.${resource.name}.created`);
    if (known === undefined && made?.whose === 'own')
      session.values.set(`known.${resource.name}.created`, id);
  }
}

function isOfType(value: unknown, { type }: Schema): boolean {
  const types = [type].flat().filter((one) => one !== undefined);
  return (
    types.length === 0 ||
    types.includes(typeOf(value)) ||
    (types.includes('number') && isNumber(value))
  );
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'bigint' || Number.isInteger(value) ? 'integer' : typeof value;
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}

function isShort(value: unknown): boolean {
  return toJson(value).length <= 1000;
}
