import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createProgressLine } from '../cli/show-progress.ts';
import { UsageError } from '../cli/usage-error.ts';
import { outliveReaders } from '../command/outlive-readers.ts';
import { refuseTwoPrinted } from '../command/parse-options.ts';
import { readOptions, refuseVariables } from '../command/read-options.ts';
import { toTrafficExitCode } from '../command/traffic-exit-code.ts';
import { writeReports } from '../command/write-reports.ts';
import { builtInDocument, DocumentError, loadDocument } from '../description/document.ts';
import { toDomainRules } from '../description/domains.ts';
import { checkReportFiles, listReports, ReportFileError } from '../report/files.ts';
import { count } from '../report/summary.ts';
import { toTerminalReport } from '../report/terminal/terminal.ts';
import { createGuard } from '../verify/guard.ts';
import { checkDomains, NoNameServer } from './check-domains.ts';
import { toHelpText } from './help-text.ts';
import { type DomainOptions, options as table } from './options.ts';
import { readWhat } from './read-what.ts';
import { toReport } from './to-report.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Errors whose message tells a person what to change. */
const expected = [UsageError, DocumentError, NoNameServer, ReportFileError];

/**
 * Runs the command and gives its exit code: 0 nothing gates, 1 something does, 2 it could not run.
 */
export async function runCommand(
  args: readonly string[],
  { env, command }: { env: Environment; command: string },
): Promise<number> {
  outliveReaders();
  try {
    const {
      given,
      files: words,
      values,
    } = readOptions(args, table, {
      example: '--target HOST',
      takesFiles: true,
    });
    if (given.help) {
      process.stdout.write(toHelpText(command));
      return 0;
    }
    refuseTwoPrinted(given);
    refuseVariables(env, { table, command: 'domains' });
    return await run(words, values(), env);
  } catch (error) {
    const { message, stack } = error as Error;
    const isExpected = expected.some((kind) => error instanceof kind);
    say(isExpected ? message : `failed, which is a bug in the suite: ${message}`);
    if (!isExpected && env.DEBUG) process.stderr.write(`${stack}\n`);
    return 2;
  }
}

async function run(
  words: readonly string[],
  options: DomainOptions,
  env: Environment,
): Promise<number> {
  const { strict, quiet, timeout, ca: caFiles } = options;
  const document = await loadDocument(builtInDocument);
  const rules = toDomainRules(document);
  const what = readWhat(words, options, rules);
  const ca = await Promise.all(caFiles.map(readAuthorities));
  await checkReportFiles(options, caFiles);
  const started = Date.now();
  const progress = createProgressLine();
  let done = 0;
  const checked = await checkDomains({
    ...what,
    ...{ rules, ca, timeout, now: Date.now },
    onDomain: () => progress.show(`${count((done += 1), 'domain')} checked`),
  }).finally(() => progress.clear());
  const report = toReport({
    ...what,
    ...{ rules, document, checked, strict, started },
    ...(options.dnsServer.length > 0 && what.servers[0] && { toldServer: what.servers[0] }),
    ended: Date.now(),
  });
  const isPrinted = listReports(options).some(({ file }) => file === '-') || options.github;
  if (!quiet && !isPrinted)
    process.stdout.write(toTerminalReport(report, { strict, out: process.stdout }));
  const guard = createGuard();
  await writeReports(report, { ...options, stepSummary: env.GITHUB_STEP_SUMMARY, guard });
  return toTrafficExitCode(report, guard.defects, { ...options, failOnUnobserved: false, say });
}

/** The text of a file of certificates. Throws {@link UsageError}. */
async function readAuthorities(file: string): Promise<string> {
  try {
    const text = await readFile(file, 'utf8');
    new X509Certificate(text);
    return text;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const reason =
      code.startsWith('E') && !code.startsWith('ERR_')
        ? `it cannot be read (${code})`
        : 'it holds no certificate as PEM';
    throw new UsageError(`--ca ${file}: ${reason}.`);
  }
}

function say(message: string): void {
  process.stderr.write(`petstore-twin domains: ${message}\n`);
}
