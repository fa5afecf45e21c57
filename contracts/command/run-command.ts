import { UsageError } from '../cli/usage-error.ts';
import {
  type ApiDocument,
  builtInDocument,
  DocumentError,
  loadDocument,
} from '../description/document.ts';
import { readBaseline } from '../judging/baseline.ts';
import { toClauseList } from '../report/clauses.ts';
import { checkReportFiles, ReportFileError } from '../report/files.ts';
import { isGating } from '../report/summary.ts';
import { createTerminal } from '../report/terminal.ts';
import { TargetError } from '../run/run-target.ts';
import { createGuard } from '../verify/guard.ts';
import { clauseLedger, explainUnknownName, NothingChecked } from '../verify/selection.ts';
import { verify } from '../verify/verify.ts';
import { findDocs } from './find-docs.ts';
import { toHelpText } from './help-text.ts';
import { type Interruption, watchSignals } from './interruption.ts';
import type { Options } from './options.ts';
import { parseOptions, refuseVariables } from './parse-options.ts';
import { toBaseUrl } from './target-url.ts';
import { startTwin, TwinError, type TwinProcess } from './twin-process.ts';
import { demoKeys, needsKey, toDeployment, toTwin } from './verify-target.ts';
import { writeReports } from './write-reports.ts';

const interrupted = 'Interrupted; writing the report. Press Ctrl-C again to exit immediately.';

type Environment = Readonly<Record<string, string | undefined>>;

type CommandOptions = {
  env: Environment;
  /** What a person types before the options, for the help. */
  command: string;
};

/**
 * Runs the command and gives its exit code: 0 nothing gates, 1 something does, 2 it could not run,
 * 128 and the signal's number where it was interrupted.
 */
export async function runCommand(
  args: readonly string[],
  { env, command }: CommandOptions,
): Promise<number> {
  outliveReaders();
  let twin: TwinProcess | undefined;
  let interruption: Interruption | undefined;
  try {
    const options = parseOptions(args);
    if (options === 'help') {
      process.stdout.write(toHelpText(command));
      return 0;
    }
    refuseVariables(env);
    const document = await loadDocument(options.spec ?? builtInDocument);
    if (options.listClauses) {
      process.stdout.write(toClauseList(clauseLedger(document)));
      return 0;
    }
    const url =
      options.target === undefined ? undefined : toBaseUrl(options.target, document.basePath, env);
    const mockUrl =
      options.mockUrl === undefined
        ? undefined
        : toBaseUrl(options.mockUrl, document.basePath, env);
    checkNames(options, document);
    checkKeys(options, document, url);
    await checkReportFiles(options);
    const { baseline: baselineFile, ...settings } = options;
    const baseline = baselineFile === undefined ? undefined : await readBaseline(baselineFile);
    const { strict, quiet } = options;
    const progressOnly = [options.json, options.junit, options.html, options.markdown].includes(
      '-',
    );
    const terminal = createTerminal({ quiet, progressOnly, strict });
    interruption = watchSignals(() => terminal.say(interrupted));
    if (options.mock && mockUrl === undefined)
      twin = await startTwin({
        seed: options.seed,
        ...(options.spec !== undefined && { spec: options.spec }),
      });
    const twinUrl = options.mock ? (mockUrl ?? twin?.url) : undefined;
    const twinTarget =
      twinUrl === undefined
        ? []
        : [
            toTwin(twinUrl, {
              ...options,
              keys: needsKey(document) ? demoKeys : [],
              isTemporary: twin !== undefined,
            }),
          ];
    const targets = [
      ...twinTarget,
      ...(url === undefined ? [] : [toDeployment(url, { ...options, keys: options.key })]),
    ];
    const guard = createGuard();
    const docs = options.docs ?? (twinUrl && mockUrl && (await findDocs(mockUrl, document)));
    const report = await verify({
      ...settings,
      ...(docs && { docs }),
      document,
      targets,
      ...(baseline && { baseline }),
      signal: interruption.signal,
      onEvent: (event) =>
        guard.run(
          'the report in the terminal',
          () => {},
          () => terminal.onEvent(event),
        ),
    });
    const stepSummary = env.GITHUB_STEP_SUMMARY;
    await writeReports(report, { ...options, stepSummary, guard }).finally(() =>
      sayDefects([...report.defects, ...guard.defects]),
    );
    const interruptedBy = interruption.exitCode();
    if (interruptedBy !== undefined) return interruptedBy;
    if (report.findings.some((finding) => isGating(finding, { strict }))) return 1;
    if (report.defects.length + guard.defects.length > 0) return 2;
    if (!options.failOnIncomplete || report.incomplete.length === 0) return 0;
    process.stderr.write(
      `petstore-twin verify: The run is incomplete (${report.incomplete.join('; ')}). --fail-on-incomplete.\n`,
    );
    return 2;
  } catch (error) {
    const known = [
      UsageError,
      DocumentError,
      TargetError,
      TwinError,
      NothingChecked,
      ReportFileError,
    ].some((kind) => error instanceof kind);
    process.stderr.write(
      `petstore-twin verify: ${known ? (error as Error).message : `failed, which is a bug in the suite: ${(error as Error).message}`}\n`,
    );
    if (!known && env.DEBUG) process.stderr.write(`${(error as Error).stack}\n`);
    return 2;
  } finally {
    await twin?.stop();
    interruption?.dispose();
  }
}

function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // A reader that has read enough, such as head, is no failure.
      if (error.code !== 'EPIPE') throw error;
    });
}

function checkNames({ only, skip }: Options, document: ApiDocument): void {
  const unknown = explainUnknownName(document, [...only, ...skip]);
  if (unknown !== undefined)
    throw new UsageError(`${unknown} --list-clauses shows checks and sections.`);
}

function checkKeys(
  { key: keys, mock }: Options,
  document: ApiDocument,
  url: string | undefined,
): void {
  const plans = Object.keys(document.plans);
  if (url !== undefined && keys.length === 0 && needsKey(document))
    throw new UsageError(
      'A target needs a key. Give --key KEY, or --key PLAN=KEY if you know its plan.',
    );
  if (url === undefined && !mock)
    throw new UsageError('There is nothing to verify: --no-mock needs a --target.');
  if (url === undefined && keys.length > 0)
    throw new UsageError('--key is the key of a --target; give that too.');
  const unknown = keys.find(({ plan }) => plan !== undefined && !plans.includes(plan));
  if (unknown)
    throw new UsageError(
      plans.length === 0
        ? 'A --key has a plan before its =, but the document has no plans. Give only the key.'
        : `A --key has an unknown plan before its =. Plans are ${plans.join(', ')}; give only the key if you do not know its plan.`,
    );
}

function sayDefects(defects: readonly string[]): void {
  if (defects.length > 0)
    process.stderr.write(
      `petstore-twin verify: A bug in the suite: ${defects.join('; ')}. Everything else is reported.\n`,
    );
}
