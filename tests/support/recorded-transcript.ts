import { builtInDocument } from '../../common/built-in-document.ts';
import { once } from '../../common/once-per.ts';
import { createPlan } from '../../contracts/cases/plan.ts';
import { readRunOptions } from '../../contracts/command/options.ts';
import type { Key } from '../../contracts/run/keys/budget.ts';
import { createValues } from '../../contracts/run/values.ts';
import type { Transcript } from '../../contracts/transcript/transcript.ts';
import { runTarget as runInTime } from '../../contracts/verify/run-targets.ts';
import { compile } from '../../openapi/index.ts';
import { type DeploymentOptions, openDeployment } from '../../tools/lab/deployment.ts';
import { skippingWaits } from './skip-waits.ts';

const runTarget = skippingWaits(runInTime);

const defaultKeys: Key[] = [
  { name: 'free-1', plan: 'free', secret: 'k-free-1' },
  { name: 'free-2', plan: 'free', secret: 'k-free-2' },
  { name: 'pro-1', plan: 'pro', secret: 'k-pro-1' },
];

// Compiled once for all transcripts of a process.
const load = once(() => compile(builtInDocument));

/** Runs the suite's cases against a deployment of the lab, and gives what came back. */
export async function recordTranscript(
  deployment: DeploymentOptions = {},
  {
    keys = defaultKeys,
    wait = 0,
    writes = true,
  }: { keys?: Key[]; wait?: number; writes?: boolean } = {},
): Promise<Transcript> {
  const document = await load();
  const { url, close } = await openDeployment(deployment);
  const everything = { isChosen: () => true, isNeeded: () => false };
  return runTarget({
    document,
    choice: everything,
    target: { name: 'target', url },
    keys,
    values: createValues('a1b2c3'),
    plan: createPlan(document, {
      seed: 1,
      selection: { readOnly: !writes, includes: () => true, isNeeded: () => false },
    }),
    writes,
    fill: true,
    ...readRunOptions({ wait }),
    probeLimits: true,
    // It is the test's time-out that ends it: a busy machine changes no transcript.
    deadline: Date.now() + 600_000,
    onExchange: () => {},
    maxRequests: 900,
    onStage: () => {},
  }).finally(close);
}
