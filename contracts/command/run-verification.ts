import { writeFile } from 'node:fs/promises';
import { count } from '../../common/cli/count.ts';
import type { Environment } from '../../common/cli/create-command.ts';
import { watchSignals } from '../../common/cli/interruption.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { print, say } from '../../common/look/print.ts';
import { toExcerpt, toVisible } from '../../common/look/visible.ts';
import { createRedactor } from '../../common/secrets/texts.ts';
import type { Api, Operation } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { rowOf } from '../../openapi/model/kinds.ts';
import { parseMockUrl, toBaseUrl } from '../base-url.ts';
import { isUnsafe } from '../cases/case.ts';
import { readBaseline } from '../judging/baseline.ts';
import type { Learned } from '../report/events.ts';
import { checkReportFiles, listReports } from '../report/files.ts';
import { toNotCalledText } from '../report/gaps.ts';
import { createTerminal } from '../report/terminal/terminal.ts';
import type { Exchange } from '../transcript/exchange.ts';
import { toOverlayText } from '../verify/learned.ts';
import { toNotCalled } from '../verify/not-called.ts';
import type { VerifyOptions, VerifyTarget } from '../verify/options.ts';
import { runTargets } from '../verify/run-targets.ts';
import { chooseCases, toChoice } from '../verify/selection.ts';
import { ensureKey, narrowSecurity, toGivenKeys } from './given-keys.ts';
import type { Options } from './options.ts';
import { readSetup } from './read-setup.ts';
import {
  checkHarOptions,
  type HarRecorder,
  recordHar,
  sayHowToLearn,
  withLearn,
} from './record-har.ts';
import { ensureNames, keysOfMock, runSuite } from './run-suite.ts';
import { startTwin } from './twin-process.ts';
import { isBuiltIn, toDeployment, toTwin } from './verify-target.ts';
import { toExitCode, writeReports } from './write-reports.ts';

const interrupted = 'Interrupted; writing the report.';

/**
 * Verifies what the options name, writes the reports, and gives the exit code. Rejects with an error
 * that says what to change where it cannot run.
 */
export async function runVerification(
  given: Options,
  document: Api,
  env: Environment,
): Promise<number> {
  const options = withLearn(given);
  narrowSecurity(document, { isOpen: options.noKey, keys: options.key });
  const addresses = checkOptions(options, document, env);
  if (options.plan) return printPlan(options, document, addresses);
  await checkHarOptions(options);
  await checkReportFiles(options);
  const { baseline: baselineFile, ...settings } = options;
  const baseline = baselineFile === undefined ? undefined : await readBaseline(baselineFile);
  const { quiet, strict } = options;
  const progressOnly = listReports(options).some(({ file }) => file === '-');
  const terminal = createTerminal({ quiet, progressOnly, strict });
  const interruption = watchSignals((again) => terminal.say(`${interrupted} ${again}`));
  const { url, mockUrl } = addresses;
  const access = {
    keys: toGivenKeys(options.key, document),
    headers: Object.fromEntries(options.header),
  };
  let recorder: HarRecorder | undefined;
  let harProblem: string | undefined;
  try {
    const report = await runSuite(settings, {
      document,
      deployment: url === undefined ? undefined : { ...access, url },
      mock: options.mock ? { url: mockUrl } : undefined,
      isOpen: options.noKey,
      ...(baseline && { baseline }),
      signal: interruption.signal,
      onEvent: terminal.onEvent,
      async onTargets(targets) {
        const unwritten = describeUnwritten(document, targets, options);
        if (unwritten !== undefined) terminal.say(unwritten);
        recorder = await recordHar(options, { targets, document });
        return recorder ? { onPassed: recorder.add } : {};
      },
    }).finally(async () => {
      harProblem = await recorder?.end();
    });
    const stepSummary = env.GITHUB_STEP_SUMMARY;
    await writeReports(report, { ...options, stepSummary });
    const { saveOverlay, learned = [] } = { ...options, ...report };
    if (saveOverlay !== undefined) await writeOverlay(saveOverlay, document, learned);
    if (harProblem !== undefined) throw new UsageError(harProblem);
    sayHowToLearn('verify', options, url ?? report.targets[0]?.url);
    return interruption.exitCode() ?? toExitCode(report, options, 'verify');
  } finally {
    interruption.dispose();
  }
}

/** Writes what was learned, or says that nothing was. Throws a {@link UsageError} if it cannot. */
async function writeOverlay(file: string, document: Api, learned: readonly Learned[]) {
  const text = toOverlayText(document, learned);
  if (text === undefined)
    return say('verify', `Nothing was learned that the document lacks, so ${file} is not written.`);
  try {
    await writeFile(file, text);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`--save-overlay ${file} could not be written (${code ?? message}).`);
  }
}

/**
 * Returns a line about items that a run may not create. Undefined if creating is allowed or not
 * wanted.
 */
function describeUnwritten(
  { operations }: Api,
  targets: readonly VerifyTarget[],
  { readOnly, call = [] }: Options,
): string | undefined {
  const creates = operations
    .filter(({ kind, id }) => kind === 'create' && !call.includes(id))
    .map(({ id }) => id);
  const isBarred = targets.some(({ name, writes }) => name === 'target' && !writes);
  if (readOnly || !isBarred || creates.length === 0) return undefined;
  const more = creates.length > 3 ? ` and ${creates.length - 3} more` : '';
  const what = call.length > 0 ? 'Nothing but what --call allows' : 'Nothing';
  return `${what} will be created. --allow-writes would add items (${creates.slice(0, 3).join(', ')}${more}), and change and delete only those; --plan lists the calls.`;
}

/** Prints what a run would do to its target, or to the mock where it has none. */
async function printPlan(
  options: Options,
  document: Api,
  { url, mockUrl }: Addresses,
): Promise<number> {
  const { baseline: _, docs: __, ...settings } = options;
  const twin = await startTwin({ ...options, isOpen: options.noKey, document });
  try {
    const meant = url ?? mockUrl;
    const permissions = { ...options, keys: keysOfMock(document), isBuiltIn: isBuiltIn(document) };
    const stand: VerifyTarget =
      meant === undefined
        ? toTwin(twin.url, { ...permissions, isTemporary: true })
        : { ...toDeployment(meant, permissions), url: twin.url };
    const setupCalls = await readSetup(options.setup, document);
    print(await rehearse({ ...settings, document, setupCalls }, { stand, url: meant }));
    return 0;
  } finally {
    await twin.stop();
  }
}

type Addresses = { url: string | undefined; mockUrl: string | undefined };

/**
 * Reads the addresses of a run, and holds the other options against the document. Throws {@link
 * UsageError}.
 */
function checkOptions(options: Options, document: Api, env: Environment): Addresses {
  const { target, mockUrl } = options;
  if (options.plan && options.fuzz)
    throw new UsageError('--plan lists planned calls, and --fuzz makes up others. Leave one out.');
  if (options.noKey && options.key.length > 0)
    throw new UsageError('--no-key and --key are opposites. Leave one of them out.');
  const addresses = {
    url: target === undefined ? undefined : toBaseUrl(target, document, env),
    mockUrl: mockUrl === undefined ? undefined : parseMockUrl(mockUrl, document),
  };
  ensureNames(options, document);
  checkKeys(options, document, addresses.url);
  return addresses;
}

function checkKeys(
  { key: keys, mock, header: headers }: Options,
  document: Api,
  url: string | undefined,
): void {
  if (url === undefined && !mock)
    throw new UsageError('There is nothing to verify: --no-mock needs a --target.');
  if (url === undefined && keys.length > 0)
    throw new UsageError('--key is the key of a --target; give that too.');
  if (url === undefined && headers.length > 0)
    throw new UsageError('--header is sent to a --target; give that too.');
  if (url !== undefined) ensureKey(keys, document);
}

const maxBody = 120;

/**
 * Runs the calls of a verification on a mock in place of the target, with the same permissions.
 * Lists the calls by operation: what each changes, and how that is undone. Rejects as `verify`
 * does.
 */
async function rehearse(
  options: Omit<VerifyOptions, 'targets' | 'onEvent'>,
  { stand, url }: { stand: VerifyTarget; url: string | undefined },
): Promise<string> {
  const { document, call = [] } = options;
  const whole = { ...options, targets: [stand], onEvent: () => {} };
  const runs = await runTargets(whole, {
    plan: chooseCases(whole),
    started: Date.now(),
  });
  const transcripts = runs.map(({ transcript }) => transcript);
  const exchanges = transcripts.flatMap((one) => one.exchanges);
  const hide = createRedactor(
    exchanges.flatMap(({ request }) => request.secrets ?? []),
    { mark: '[Filtered]' },
  );
  const byOperation = Map.groupBy(exchanges, (one) => one.case.operation ?? one.case.parametersOf);
  const notCalled = toNotCalled(document, transcripts, {
    choice: toChoice(options),
    writes: stand.writes,
  });
  const lines = [
    `A run would make about ${count(exchanges.length, 'call')}. None was sent${url === undefined ? '' : ` to ${url}`}: these are those of a run on a mock`,
    'of the document. Ids, and how many calls there are, follow from what a target answers.',
    ...[...byOperation].flatMap(([operation, calls]) => [
      '',
      toVisible(
        `${operation ? `${operation.method} ${operation.path} (${operation.id})` : 'no operation'}: ${count(calls.length, 'call')}; ${operation ? effectOf(document, operation, call) : 'reads'}`,
      ),
      ...[...Map.groupBy(calls, toLine)].map(
        ([line, { length }]) => `  ${line}${length > 1 ? ` (${length} times)` : ''}`,
      ),
    ]),
    ...(notCalled.length > 0 ? ['', 'Not called:'] : []),
    ...notCalled.map((one) => `  ${toVisible(toNotCalledText(one))}`),
    '',
  ];
  return hide(lines.join('\n'));
}

function toLine({ case: { credential }, request: { method, path, body } }: Exchange): string {
  const key = credential === 'valid' ? '' : `, credential: ${credential}`;
  const sent = body === undefined ? '' : ` ${toExcerpt(String(body), maxBody)}`;
  return toVisible(`${method} ${path}${sent}${key}`);
}

/** Describes what calls of an operation change, and how that is undone. */
function effectOf(document: Api, operation: Operation, allowed: readonly string[]): string {
  const { id, kind } = operation;
  if (!isUnsafe(operation)) return 'changes nothing';
  if (allowed.includes(id))
    return 'allowed by --call: may change anything; only what it adds is deleted';
  const remove = findResource(document, operation)?.operations.delete;
  if (rowOf(kind).adds)
    return remove
      ? `adds items, which ${remove.method} ${remove.path} deletes in the end`
      : 'adds items, which stay, as no operation deletes them';
  return kind === 'delete'
    ? 'deletes items that the run added'
    : 'changes items that the run added, which are deleted with them';
}
