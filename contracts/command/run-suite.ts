import { UsageError } from '../../common/cli/usage-error.ts';
import type { Api } from '../../openapi/index.ts';
import { isUnsafe } from '../cases/case.ts';
import { fuzzCheckIds } from '../fuzz/symptoms.ts';
import type { Report } from '../report/events.ts';
import { openListenerOf } from '../run/webhook-listener.ts';
import type { VerifyOptions, VerifyTarget } from '../verify/options.ts';
import { explainUnknownName } from '../verify/selection.ts';
import { verify } from '../verify/verify.ts';
import type { RunOptions } from './options.ts';
import { readSetup } from './read-setup.ts';
import { startTwin, type TwinProcess } from './twin-process.ts';
import { demoKeys, isBuiltIn, needsKey, toDeployment, toTwin } from './verify-target.ts';

type Access = Pick<VerifyTarget, 'keys' | 'headers'>;

/** Who is verified, and how the run is followed. */
export type SuiteRun = Pick<
  VerifyOptions,
  'signal' | 'cutsOff' | 'onEvent' | 'onJudged' | 'baseline' | 'maxTime'
> & {
  document: Api;
  deployment?: (Access & { url: string }) | undefined;
  /** The mock beside it: one that runs at a URL, or one that is started for the run. */
  mock?: { url?: string | undefined; keys?: Access['keys'] | undefined } | undefined;
  /** Whether a mock that is started asks for no credentials. */
  isOpen?: boolean;
  /** Called with the targets before the first call; adds to how they are verified. */
  onTargets?: (
    targets: readonly VerifyTarget[],
  ) => Promise<Pick<VerifyOptions, 'onPassed' | 'askMore'>>;
};

/** How long inputs are made up for a target unless the user says so, in milliseconds. */
const usualFuzzTime = 60_000;

/** Verifies a deployment, a mock or both, with a mock of its own where none is running. */
export async function runSuite(
  options: RunOptions,
  { document, deployment, mock, isOpen = false, onTargets, ...run }: SuiteRun,
): Promise<Report> {
  ensureNames(options, document);
  const setupCalls = await readSetup(options.setup, document);
  const { fuzz: isFuzzed, fuzzTime = usualFuzzTime } = options;
  const listener = await openListenerOf(options, document);
  let started: TwinProcess | undefined;
  try {
    if (mock && mock.url === undefined)
      started = await startTwin({ ...options, isOpen, document, webhookUrl: listener?.twinUrl });
    const isTemporary = started !== undefined;
    const permissions = { ...options, isBuiltIn: isBuiltIn(document) };
    const keys = mock?.keys ?? keysOfMock(document);
    const url = mock?.url ?? started?.url;
    const targets = [
      ...(url === undefined ? [] : [toTwin(url, { ...permissions, keys, isTemporary })]),
      ...(deployment ? [toDeployment(deployment.url, { ...permissions, ...deployment })] : []),
    ];
    const change = setupCalls.find(isUnsafe);
    if (change && !targets.at(-1)?.writes)
      throw new UsageError(
        `--setup changes something (${change.method} ${change.path}); give --allow-writes too.`,
      );
    const added = await onTargets?.(targets);
    run.signal?.throwIfAborted();
    const fuzzing = { fuzzTime: isFuzzed ? fuzzTime : undefined };
    return await verify({
      ...{ ...options, ...run, ...added, ...fuzzing },
      ...{ setupCalls, document, targets, listener },
    });
  } finally {
    await started?.stop();
    await listener?.close();
  }
}

type NamingOptions = Pick<RunOptions, 'only' | 'skip' | 'call' | 'parent' | 'fuzz' | 'fuzzTime'>;

/** Throws a {@link UsageError} if an option names an operation or a check that there is not. */
export function ensureNames(
  { only, skip, call, parent, fuzz, fuzzTime }: NamingOptions,
  document: Api,
): void {
  if (fuzzTime !== undefined && !fuzz)
    throw new UsageError('--fuzz-time is the time of --fuzz; give that too.');
  const ofFuzzing = fuzzCheckIds.find((id) => !fuzz && [...only, ...skip].includes(id));
  if (ofFuzzing !== undefined)
    throw new UsageError(`${ofFuzzing} is a check of --fuzz; give that too.`);
  const unknown = explainUnknownName(document, [...only, ...skip]);
  if (unknown !== undefined)
    throw new UsageError(`${unknown} --list-clauses shows checks and sections.`);
  const notThere = call.find((name) => document.operations.every(({ id }) => id !== name));
  if (notThere !== undefined)
    throw new UsageError(`--call ${notThere} is not an operation of the document.`);
  const noItem = parent.find(
    (path) => !document.operations.some((one) => isItemAbove(one.path, path)),
  );
  if (noItem !== undefined)
    throw new UsageError(
      `--parent ${noItem} is no item below which the document has others. Give its path below the base URL, such as /projects/7.`,
    );
}

/** Whether a template goes on below an item at a path. */
function isItemAbove(template: string, path: string): boolean {
  const parts = template.split('/');
  const given = path.split('/');
  const fits = given.every((one, index) => one === parts[index] || parts[index]?.includes('{'));
  return fits && parts.length > given.length && parts[given.length - 1]?.includes('{') === true;
}

/** Returns the keys of a mock that was given no others. */
export function keysOfMock(document: Api): typeof demoKeys {
  return needsKey(document) ? demoKeys : [];
}
