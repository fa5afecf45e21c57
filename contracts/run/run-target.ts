import { UsageError } from '../../common/cli/usage-error.ts';
import { type Defect, type Transcript, toDefect } from '../transcript/transcript.ts';
import { Allotment } from './affordable.ts';
import { lookBefore, proveAllowed } from './allowed-calls.ts';
import { proveKeys } from './keys/prove-keys.ts';
import { proveMade } from './prove-made.ts';
import { Session } from './session.ts';
import { makeSetup } from './setup.ts';
import { lastStages, type Run, runStages, stages } from './stages.ts';
import type { RunOptions } from './turn.ts';

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
