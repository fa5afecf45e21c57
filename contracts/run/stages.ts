import type { CaseKind } from '../cases/case.ts';
import type { StageName } from '../cases/plan.ts';
import { type Allotment, isOfResource } from './affordable.ts';
import { awaitSeen, surveyAgain } from './await-seen.ts';
import { wants } from './choices.ts';
import { confirmChanges } from './confirm-changes.ts';
import { followLinks } from './follow-links.ts';
import { countDown, tryLimits } from './limits/try-limits.ts';
import { callOnOwn, callOnSetup, isOnOwn, isTriedElsewhere } from './own-calls.ts';
import { addOneMore, giveItemsToTry, referToOwn } from './own-item.ts';
import { reachReads } from './reach.ts';
import { rememberCreated, rememberListed } from './remember.ts';
import { undoSetup } from './setup.ts';
import { tellAppeared } from './tell-appeared.ts';
import { tidyUp, tryDeleting } from './tidy-up.ts';
import { topUp } from './top-up.ts';
import { tryChanges } from './try-changes.ts';
import { tryNested } from './try-nested.ts';
import type { Turn } from './turn.ts';
import { walkPages } from './walk-pages.ts';

/** The subject of stages: a run, or the turn of a collection. */
export type Run = Turn & { allotment: Allotment };

/** A stage of a run. */
export type Stage = {
  /** Names it for who watches the run. */
  name: string;
  when: (run: Run) => boolean;
  run: (run: Run) => void | Promise<void>;
};

type Guard = Stage['when'];

const all =
  (...guards: readonly Guard[]): Guard =>
  (run) =>
    guards.every((guard) => guard(run));

const always: Guard = () => true;

/** Whether checks that are held need cases of one of these kinds. */
const wanted =
  (...kinds: CaseKind[]): Guard =>
  ({ session }) =>
    wants(session.choice, ...kinds);

/** Whether items may be created. */
const writes: Guard = ({ options }) => options.writes;

/** Whether the target outlives the run, so that what was created must be deleted. */
const stays: Guard = ({ session }) => !session.isTemporary;

/** Whether cases create items, which may have to refer to others. */
const createsItems = all(writes, wanted('create', 'items', 'invalid-create'));

/** Whether lists are asked for again, to see what became of created items. */
const looksAgain = all(writes, wanted('list'));

const statesLimits: Guard = ({ session }) => session.keys.areLimitsStated;
const probesLimits: Guard = ({ options }) => options.probeLimits;
const asksMore: Guard = ({ options }) => options.askMore !== undefined;
const fuzzes: Guard = ({ options }) => options.fuzzer !== undefined;
const listens: Guard = ({ options }) => options.desk !== undefined;

/**
 * Whether the collections come one after the other, and the created items are deleted in between: few
 * items exist at a time, and their side effects end with them.
 */
const takesTurns: Guard = (run) => !statesLimits(run) && run.options.document.resources.length > 1;

/** Whether this is the turn of one collection of several. */
const isOfOne: Guard = (run) => takesTurns(run) && run.document.resources.length === 1;

/** The stages of a run on a target whose keys are accepted. */
export const stages: readonly Stage[] = [
  { name: 'plain reads', when: takesTurns, run: makePlainReads },
  { name: 'reads of shown items', when: all(takesTurns, wanted('call')), run: reachReads },
  { name: 'collections', when: always, run: takeEachTurn },
  { name: 'nested collections', when: all(writes, wanted('nested', 'change')), run: tryNested },
  { name: 'actions on the setup', when: writes, run: callOnSetup },
  { name: 'more reads of shown items', when: wanted('call'), run: reachReads },
  { name: 'postponed cases', when: always, run: ({ allotment }) => allotment.spendRest() },
  { name: 'unreached operations', when: always, run: ({ allotment }) => allotment.tellUnreached() },
  { name: 'further questions', when: asksMore, run: askMore },
  { name: 'fuzzing', when: fuzzes, run: (run) => run.options.fuzzer?.(run) },
  { name: 'limits', when: all(probesLimits, statesLimits, wanted('exhaust')), run: tryLimits },
];

/** The stages of each turn: one for all collections, or one for each. */
const stagesOfTurn: readonly Stage[] = [
  { name: 'survey', when: always, run: planned('survey') },
  { name: 'listed items', when: always, run: rememberListed },
  { name: 'countdown', when: all(statesLimits, wanted('count')), run: countDown },
  { name: 'references', when: createsItems, run: referToAll },
  { name: 'first deletion', when: all(writes, stays), run: tryDeleting },
  { name: 'refusals', when: writes, run: planned('refusals') },
  { name: 'survey after refusals', when: writes, run: planned('survey after refusals') },
  { name: 'reads', when: always, run: planned('reads') },
  { name: 'creates', when: always, run: planned('creates') },
  { name: 'created items', when: writes, run: rememberCreated },
  { name: 'reads of created items', when: always, run: planned('reads of created items') },
  { name: 'second survey', when: always, run: planned('second survey') },
  { name: 'missing items', when: looksAgain, run: awaitSeen },
  { name: 'one more item', when: all(looksAgain, wanted('create')), run: addOneMore },
  { name: 'repeats', when: always, run: planned('repeats') },
  { name: 'last survey', when: always, run: planned('last survey') },
  { name: 'late items', when: looksAgain, run: surveyAgain },
  { name: 'changes of others', when: looksAgain, run: confirmChanges },
  { name: 'top-up', when: all(looksAgain, wanted('items')), run: topUp },
  { name: 'pages', when: always, run: planned('pages') },
  // Only what was added last may have shown that the deployment is late.
  { name: 'late items of the top-up', when: looksAgain, run: surveyAgain },
  { name: 'changes of others since', when: looksAgain, run: confirmChanges },
  { name: 'pages one after the other', when: wanted('page'), run: walkPages },
  { name: 'links', when: wanted('link'), run: followLinks },
  { name: 'changes', when: all(writes, wanted('change')), run: tryChanges },
  { name: 'items for methods', when: all(writes, wanted('protocol')), run: giveItemsToTry },
  { name: 'methods', when: writes, run: planned('methods') },
  { name: 'items of the turn', when: all(isOfOne, writes, stays), run: tidyUp },
];

/** The stages that follow whatever became of those before, also where the run was interrupted. */
export const lastStages: readonly Stage[] = [
  { name: 'webhooks', when: listens, run: awaitWebhooks },
  { name: 'tidying up', when: all(writes, stays), run: (run) => tidyUp(run, { isLast: true }) },
  { name: 'setup', when: stays, run: undoSetup },
  { name: 'what appeared', when: all(writes, stays), run: tellAppeared },
];

/** Goes through stages from the first to the last. */
export async function runStages(all: readonly Stage[], run: Run): Promise<void> {
  for (const stage of all) {
    if (!stage.when(run)) continue;
    run.options.onStage(stage.name);
    await stage.run(run);
  }
}

async function makePlainReads({ session, allotment }: Run): Promise<void> {
  await session.callAll(allotment.takePlainReads().map((one) => one.case));
}

/** Takes a turn for each collection and one for what is of none; or one for all. */
async function takeEachTurn(run: Run): Promise<void> {
  const { allotment, document } = run;
  if (!takesTurns(run))
    return runStages(stagesOfTurn, { ...run, cases: allotment.take(() => true) });
  for (const resource of document.resources) {
    const cases = allotment.take((one) => isOfResource(document, one, resource));
    await runStages(stagesOfTurn, {
      ...run,
      document: { ...document, resources: [resource] },
      cases,
    });
  }
  const none = { ...document, resources: [] };
  await runStages(stagesOfTurn, { ...run, document: none, cases: allotment.take(() => true) });
}

/** Makes the cases that the plan has for a stage; those that may change an item, on own items. */
function planned(name: StageName): Stage['run'] {
  return async ({ session, options, cases }) => {
    const planned = cases.filter(({ stage }) => stage === name).map((one) => one.case);
    const calls = options.writes ? planned.filter((one) => isOnOwn(session, one)) : [];
    const tried = planned.filter((one) => isTriedElsewhere(session, one));
    for (const one of tried)
      session.transcript.skipped.push({ case: one, reason: { code: 'may-change-others' } });
    await session.callAll(planned.filter((one) => !calls.includes(one) && !tried.includes(one)));
    await callOnOwn(session, calls);
  };
}

async function askMore({ session, options }: Run): Promise<void> {
  await options.askMore?.(session);
}

function referToAll({ session, document }: Run): Promise<void> {
  return referToOwn(session, document.resources);
}

async function awaitWebhooks({ options: { desk, timeout, signal } }: Run): Promise<void> {
  await desk?.settle({ timeout, signal });
}
