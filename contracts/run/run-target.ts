import { UsageError } from '../../common/cli/usage-error.ts';
import type { Api, Operation, Resource } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { makeableIn } from '../cases/call-cases.ts';
import type { Case } from '../cases/case.ts';
import { createCases, remarked } from '../cases/create-cases.ts';
import type { Plan, StageName } from '../cases/plan.ts';
import { plainCase } from '../cases/read-cases.ts';
import { isUnsafe } from '../cases/unsafe-methods.ts';
import { boundedPageSize, unusedMethod } from '../document/stated.ts';
import { readHistories } from '../transcript/histories.ts';
import { toSegment } from '../transcript/ids.ts';
import { grace } from '../transcript/ledger.ts';
import { ownIdOf } from '../transcript/made.ts';
import { type Defect, type Transcript, toDefect } from '../transcript/transcript.ts';
import { type Affordable, casesOf, chooseAffordable, plainReads, spendRest } from './affordable.ts';
import { callOnOwn, lookBefore, proveAllowed } from './allowed-calls.ts';
import { awaitSeen, surveyAgain } from './await-seen.ts';
import { wants } from './choices.ts';
import { confirmChanges } from './confirm-changes.ts';
import { callsLeft, reserve } from './keys/budget.ts';
import { proveKeys } from './keys/prove-keys.ts';
import { countDown } from './limits/count-down.ts';
import { tryLimits } from './limits/try-limits.ts';
import { isWholeChosen, largestPage, listedItems } from './listed.ts';
import { addItem } from './own-item.ts';
import { proveMade } from './prove-made.ts';
import { referToOwn } from './refer-to-own.ts';
import { rememberCreated, rememberListed } from './remember.ts';
import { Session, type SessionOptions } from './session.ts';
import { tidyUp, tryDeleting } from './tidy-up.ts';
import { tryChanges } from './try-changes.ts';
import { tryNested } from './try-nested.ts';
import { walkPages } from './walk-pages.ts';

export type RunTargetOptions = Omit<SessionOptions, 'prover'> & {
  plan: Plan;
  probeLimits: boolean;
  /** Whether data may be added only so that a bound can be tried. */
  fill: boolean;
  /** Asks what the plan does not, before limits are tried. */
  askMore?: ((session: Session) => Promise<void>) | undefined;
  onStage: (stage: string) => void;
};

/**
 * Sends the cases of a plan to one target within its quota. Throws {@link UsageError} if no call
 * can be made.
 */
export async function runTarget(options: RunTargetOptions): Promise<Transcript> {
  const { document, onStage } = options;
  const session = new Session({ ...options, prover: { proveMade, lookBefore, proveAllowed } });
  onStage('keys');
  const reason = await proveKeys(session, document, options.wait);
  const isInterrupted = session.stopped()?.code === 'interrupted';
  if (reason !== undefined && !isInterrupted) throw new UsageError(reason);
  let defect: Defect | undefined;
  try {
    await makeCases(session, options);
  } catch (error) {
    // What was received until then is judged all the same.
    defect = toDefect(error);
  }
  const { desk, timeout, signal } = options;
  if (desk) {
    onStage('webhooks');
    await desk.settle({ timeout, signal });
  }
  if (options.writes && !options.isTemporary) {
    onStage('tidying up');
    await tidyUp(session, document);
  }
  const { exchanges, ...transcript } = session.transcript;
  return {
    ...transcript,
    exchanges: exchanges.toSorted((left, right) => left.number - right.number),
    ...(desk && { webhooks: desk.webhooks() }),
    ...(defect && { defect }),
  };
}

/**
 * Runs the cases of one collection after another, deleting the created items in between. Few items
 * exist at a time, and their side effects end with them.
 */
async function makeCases(session: Session, options: RunTargetOptions): Promise<void> {
  const { plan, document, writes, onStage } = options;
  const { resources } = document;
  const statesLimits = Object.keys(document.plans).length > 0;
  let open = casesOf(plan);
  const postponed: Affordable[] = [];
  const turns = statesLimits || resources.length < 2 ? [resources] : resources.map((one) => [one]);
  /** Takes the cases of a turn that can be afforded by now. */
  const take = (isOfTurn: (one: Affordable) => boolean): Affordable[] => {
    const { chosen, postponed: others } = chooseAffordable(open, session);
    const waiting = new Set(others);
    const taken = open.filter((one) => chosen.has(one) && isOfTurn(one));
    postponed.push(...others.filter(isOfTurn));
    open = open.filter((one) => (chosen.has(one) || waiting.has(one)) && !isOfTurn(one));
    return taken;
  };
  const isOnly = turns.length === 1;
  if (!isOnly) {
    const plain = new Set(plainReads(open));
    await session.callAll(take((one) => plain.has(one)).map(({ case: testCase }) => testCase));
  }
  for (const turn of turns) {
    const isOfTurn = ({ case: testCase }: Affordable) =>
      isOnly || turn.includes(resourceOf(document, testCase) as Resource);
    await makeTurn(
      session,
      { ...options, document: { ...document, resources: turn } },
      take(isOfTurn),
    );
    if (!isOnly && writes && !session.isTemporary) await tidyUp(session, document);
  }
  if (!isOnly)
    await makeTurn(
      session,
      { ...options, document: { ...document, resources: [] } },
      take(() => true),
    );
  if (writes && wants(session.choice, 'nested', 'change')) await tryNested(session, document);
  await spendRest(session, postponed);
  tellUnreached(session, options);
  if (options.askMore) {
    onStage('further questions');
    await options.askMore(session);
  }
  if (options.probeLimits && statesLimits && wants(session.choice, 'exhaust')) {
    onStage('limits');
    await tryLimits(session, document, options.wait);
  }
}

/** Notes of each chosen operation that was not reached before the run had to stop why that was. */
function tellUnreached(session: Session, { document, writes }: RunTargetOptions): void {
  const { exchanges, skipped } = session.transcript;
  const isShort = callsLeft(session.keys.bulk) <= reserve;
  const reason = session.stopped() ?? (isShort ? { code: 'quota-short' as const } : undefined);
  const seen = [...exchanges, ...skipped].map(({ case: { operation } }) => operation?.id);
  const isOpen = (one: Operation) =>
    session.choice.isChosen(one) && !seen.includes(one.id) && (writes || !isUnsafe(one));
  for (const operation of reason ? document.operations.filter(isOpen) : [])
    if (reason) skipped.push({ case: plainCase(operation, 'not reached'), reason });
}

function resourceOf(document: Api, { operation, parametersOf }: Case): Resource | undefined {
  return findResource(document, operation ?? parametersOf);
}

/** How many items of a collection are made only if they can be deleted. */
const minMade = 3;

/** Makes cases stage by stage, and what follows from them for the collections of the document. */
async function makeTurn(
  session: Session,
  options: RunTargetOptions,
  all: readonly Affordable[],
): Promise<void> {
  const { plan, document, writes, onStage } = options;
  const stage = async (name: StageName) => {
    onStage(name);
    const cases = all.filter((one) => one.stage === name).map(({ case: testCase }) => testCase);
    const onOwn = cases.filter(
      ({ operation, purpose }) =>
        writes &&
        purpose.kind === 'call' &&
        isUnsafe(operation ?? { method: 'GET' }) &&
        operation &&
        options.allowed?.includes(operation.id) &&
        makeableIn(session.transcript.document, operation).length > 0,
    );
    await session.callAll(cases.filter((one) => !onOwn.includes(one)));
    for (const one of onOwn) await callOnOwn(session, one);
  };
  const isMadeOften = ({ operations: { create } }: Resource) =>
    all.filter((one) => create && one.case.operation === create).length >= minMade;
  await stage('survey');
  rememberListed(session, document, plan.seed);
  if (Object.keys(document.plans).length > 0 && wants(session.choice, 'count'))
    await countDown(session, document, plan);
  if (writes) {
    if (wants(session.choice, 'create', 'items', 'invalid-create'))
      await referToOwn(session, document.resources);
    if (!session.isTemporary) await tryDeleting(session, document.resources.filter(isMadeOften));
    await stage('refusals');
    await stage('survey after refusals');
  }
  await stage('reads');
  await stage('creates');
  if (writes) rememberCreated(session, document);
  await stage('reads of what was created');
  await stage('second survey');
  const looksAgain = writes && wants(session.choice, 'list');
  if (looksAgain) await awaitSeen(session, document);
  if (looksAgain && wants(session.choice, 'create')) await addOneMore(session, document);
  await stage('repeats');
  await stage('last survey');
  if (looksAgain) {
    await surveyAgain(session, document);
    await confirmChanges(session, document);
    if (wants(session.choice, 'items')) await topUp(session, options);
  }
  await stage('pages');
  if (looksAgain) {
    // Only what was added last may have shown that the deployment is late.
    await surveyAgain(session, document);
    await confirmChanges(session, document);
  }
  if (wants(session.choice, 'page')) {
    onStage('pages one after the other');
    await walkPages(session, document);
  }
  if (writes) {
    onStage('changes');
    if (wants(session.choice, 'change')) await tryChanges(session, document);
    if (wants(session.choice, 'protocol')) await addItemsToTry(session, document);
    await stage('methods');
  }
}

/** Adds an item of each collection: a later list that is longer shows that none was cut before. */
async function addOneMore(session: Session, document: Api): Promise<void> {
  for (const resource of document.resources) {
    const { create } = resource.operations;
    if (create && session.choice.isChosen(create))
      await addItem({ session, document, resource, fill: (path) => path }, 'after the survey');
  }
}

/** Adds an item of each collection for methods that nobody describes: one may delete it after all. */
async function addItemsToTry(session: Session, document: Api): Promise<void> {
  for (const resource of document.resources) {
    const { read, create } = resource.operations;
    const isTried = read && create && unusedMethod(document, read) !== undefined;
    if (!isTried || !session.choice.isChosen(create)) continue;
    const collection = { session, document, resource, fill: (path: string) => path };
    const made = await addItem(collection, 'for another method');
    session.values.set(`own.${resource.name}`, toSegment(ownIdOf(made)));
  }
}

/**
 * The time that a deployment gets to list what was added although it was never seen to be late, in
 * milliseconds.
 */
const pause = 500;

/**
 * Adds items until the default page is smaller than the store, and where `fill` allows it and a
 * clause is about it, the largest page too. Where the list does not show them all at once, it is
 * given the time that a deployment may need.
 */
async function topUp(
  session: Session,
  { document, fill }: { document: Api; fill: boolean },
): Promise<void> {
  // Where no clause states the sizes of pages, nothing judges the largest one.
  const mayFill = fill && document.clauses.some(({ id }) => id === 'page-size');
  for (const resource of document.resources) {
    const size = boundedPageSize(resource);
    const probe = largestPage(document, resource, 'top-up');
    const toppedUp = largestPage(document, resource, 'top-up', 'done');
    const creates = createCases({ document, resource })
      .filter(({ priority }) => priority === 1)
      .slice(0, 4);
    if (!size || !probe || !toppedUp || creates.length === 0) continue;
    if (!isWholeChosen(session, resource)) continue;
    await session.call(probe);
    const held = listedItems(session, resource).length;
    const affordable = callsLeft(session.keys.bulk) - reserve;
    const missing = [size.max + 1, (size.default ?? 0) + 1]
      .map((wanted) => wanted - held)
      .find((count, index) => count <= affordable && (index > 0 || mayFill));
    if (missing === undefined || missing <= 0) continue;
    const more = Array.from({ length: missing }, (_, index) => {
      const create = creates[index % creates.length] as Case;
      const name = `top-up ${index + 1}`;
      return remarked(create, `${create.operation?.id}/${name}`, `${name} {{run}}`);
    });
    const [first, ...others] = more;
    const before = callsLeft(session.keys.bulk);
    await session.call(first as Case);
    const after = callsLeft(session.keys.bulk);
    // A create may cost more than one call.
    if (others.length * (before - after) > after - reserve) continue;
    await session.callAll(others);
    await session.call(toppedUp);
    const shown = listedItems(session, resource).length;
    const isLate =
      shown < Math.min(held + missing, size.max) ||
      readHistories(session.transcript, resource).isLate;
    await session.pause(isLate ? grace : pause);
  }
}
