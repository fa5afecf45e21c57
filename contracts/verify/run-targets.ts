import { randomInt } from 'node:crypto';
import { UsageError } from '../../common/cli/usage-error.ts';
import type { Case } from '../cases/case.ts';
import type { Plan } from '../cases/plan.ts';
import { type FuzzRun, fuzz } from '../fuzz/fuzz.ts';
import { Allotment } from '../run/affordable.ts';
import { lookBefore, proveAllowed } from '../run/allowed-calls.ts';
import type { Key } from '../run/keys/budget.ts';
import { proveKeys } from '../run/keys/prove-keys.ts';
import { proveMade } from '../run/prove-made.ts';
import { Session } from '../run/session.ts';
import { makeSetup } from '../run/setup.ts';
import { lastStages, type Run, runStages, stages } from '../run/stages.ts';
import type { RunOptions } from '../run/turn.ts';
import { createValues } from '../run/values.ts';
import { type Defect, type Transcript, toDefect } from '../transcript/transcript.ts';
import type { VerifyOptions, VerifyTarget } from './options.ts';
import { toChoice } from './selection.ts';

/** The transcript of the cases on one target, that of fuzzing, and how long both took. */
export type TargetRun = { transcript: Transcript; fuzzed?: Transcript; seconds: number };

/** The most requests to a target unless the user says how many, for all and for each operation. */
const [usualRequests, requestsOfOperation] = [900, 10];

const usualFuzzing = 5000;

/** The longest that making 900 may take unless more is given, in milliseconds. */
const usualTime = 110_000;

/**
 * Runs the cases of a plan against each target, in parallel. Throws a UsageError if a target cannot
 * be judged at all.
 */
export async function runTargets(
  options: VerifyOptions,
  { plan, started }: { plan: Plan; started: number },
): Promise<TargetRun[]> {
  const {
    targets,
    onEvent,
    onPassed,
    maxRequests = Math.max(usualRequests, requestsOfOperation * options.document.operations.length),
    // Servers that answer fast are asked more in the time that others have for half of it.
    maxTime = usualTime * Math.max(1, (options.maxRequests ?? maxRequests / 2) / usualRequests),
    call = [],
    parent: parents = [],
    setupCalls = [],
    listener,
    fuzzTime,
    ...others
  } = options;
  // Never short in digits, as it marks what the run creates; nor a text that begins with a number,
  // which a deployment may read as an id.
  const run = randomInt(0xa0_0000, 0x100_0000).toString(16);
  return Promise.all(
    targets.map(async (target) => {
      const from = Date.now();
      const { name, url } = target;
      let made = 0;
      const onStage = (stage: string) => onEvent({ type: 'stage', target: name, stage });
      // The mock beside a target is not what is fuzzed.
      const isFuzzed = fuzzTime !== undefined && target === targets.at(-1);
      const isLimited = isFuzzed && options.maxRequests !== undefined;
      let fuzzed: FuzzRun | undefined;
      const transcript = await runTarget({
        ...others,
        ...target,
        maxRequests: isLimited ? Math.ceil(maxRequests / 2) : maxRequests,
        choice: toChoice(options),
        plan: narrow(plan, (one) => isAllowed(one, target, call)),
        allowed: call,
        // The mock beside a target has neither the items that are there nor the answers to a setup.
        ...(target === targets.at(-1) && { parents, setupCalls }),
        target: { name, url },
        keys: toKeys(target),
        values: createValues(run),
        deadline: started + maxTime,
        ...(listener && {
          desk: listener.of({
            name,
            isMain: target === targets.at(-1),
            isNear: target.isTemporary === true,
          }),
        }),
        onExchange: (_, left) => onEvent({ type: 'exchange', target: name, made: ++made, left }),
        ...(onPassed && { onPassed: (exchange) => onPassed(exchange, name) }),
        ...(isFuzzed && {
          async fuzzer(turn) {
            const made = turn.session.transcript.exchanges.length;
            const most = isLimited ? maxRequests - made : usualFuzzing;
            const settings = { milliseconds: fuzzTime, maxRequests: most, onStage };
            fuzzed = await fuzz(turn, { ...settings, seed: plan.seed });
            if (fuzzed.unused > 0) onEvent({ type: 'remark', target: name, text: spent(most) });
          },
        }),
        onStage,
      });
      const seconds = (Date.now() - from) / 1000;
      return { ...(fuzzed ? apart(transcript, fuzzed) : { transcript }), seconds };
    }),
  );
}

/** Says that fuzzing ended before its time. */
function spent(requests: number): string {
  return `fuzzing ended at ${requests} requests, before its time was over; --max-requests allows more.`;
}

/** Divides a transcript: what was fuzzed is judged by itself. */
function apart(
  transcript: Transcript,
  { fuzzing, exchanges }: FuzzRun,
): { transcript: Transcript; fuzzed: Transcript } {
  const of = (isFuzzed: boolean) =>
    transcript.exchanges.filter((one) => exchanges.has(one) === isFuzzed);
  return {
    transcript: { ...transcript, exchanges: of(false) },
    fuzzed: { ...transcript, exchanges: of(true), fuzzing },
  };
}

function narrow(plan: Plan, isAllowed: (one: Case) => boolean): Plan {
  const stages = plan.stages.map((stage) => ({ ...stage, cases: stage.cases.filter(isAllowed) }));
  return { ...plan, stages };
}

/**
 * Whether a case may be sent to a target. Whether its call may change an item is decided later,
 * before sending.
 */
function isAllowed(
  { writes: isWriting, operation }: Case,
  target: VerifyTarget,
  call: readonly string[],
) {
  return target.writes || !isWriting || call.includes(operation?.id ?? '');
}

/**
 * Returns the keys of a target under unique names, or an empty one without keys. Values for several
 * security schemes are one key, as a call may need all of them.
 */
export function toKeys({ keys }: Pick<VerifyTarget, 'keys'>): Key[] {
  if (keys.length === 0) return [{ name: 'no key', secret: '' }];
  const ofSchemes = Map.groupBy(
    keys.filter(({ scheme }) => scheme !== undefined),
    ({ scheme }) => scheme as string,
  );
  const count = Math.max(0, ...[...ofSchemes.values()].map(({ length }) => length));
  const combined = Array.from({ length: count }, (_, index): Key => {
    const byScheme = Object.fromEntries(
      [...ofSchemes].map(([name, given]) => [name, (given[index] ?? given[0])?.secret ?? '']),
    );
    const places = [...ofSchemes.values()].flatMap(([first]) => first?.place ?? []);
    return { name: `key-${index + 1}`, secret: Object.values(byScheme)[0] ?? '', byScheme, places };
  });
  const plain = keys.filter(({ scheme }) => scheme === undefined);
  const named = plain.map(({ plan, secret }, index) => {
    const before = plain.slice(0, index + 1).filter((key) => key.plan === plan).length;
    const number = before + (plan === undefined ? count : 0);
    return { name: `${plan ?? 'key'}-${number}`, secret, ...(plan !== undefined && { plan }) };
  });
  return [...combined, ...named];
}

/**
 * Sends the cases of a plan to one target within its quota. Throws {@link UsageError} if no call
 * can be made.
 */
export async function runTarget(options: RunOptions): Promise<Transcript> {
  const { document, plan, onStage, desk } = options;
  const session = new Session({ ...options, prover: { proveMade, lookBefore, proveAllowed } });
  onStage('keys');
  const reason = await proveKeys(session, document, options.wait);
  const isInterrupted = session.stopped()?.code === 'interrupted';
  if (reason !== undefined && !isInterrupted) throw new UsageError(reason);
  const run: Run = {
    session,
    options,
    document,
    cases: [],
    allotment: new Allotment(plan, session),
  };
  const failed = isInterrupted ? undefined : await makeSetup(session);
  if (failed !== undefined) {
    await runStages(lastStages, run);
    throw new UsageError(failed);
  }
  let defect: Defect | undefined;
  try {
    await runStages(stages, run);
  } catch (error) {
    // What was received until then is judged all the same.
    defect = toDefect(error);
  }
  await runStages(lastStages, run);
  const { exchanges, ...transcript } = session.transcript;
  return {
    ...transcript,
    exchanges: exchanges.toSorted((left, right) => left.number - right.number),
    ...(desk && { webhooks: desk.webhooks() }),
    lessons: session.refusals.all(),
    ...(defect && { defect }),
  };
}
