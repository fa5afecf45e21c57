import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { builtInDocument } from '../../common/built-in-document.ts';
import { createCommand } from '../../common/cli/create-command.ts';
import { toHelpLines } from '../../common/cli/read-options.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { toDomainRules } from '../../common/prose/domains.ts';
import { compile } from '../../openapi/index.ts';
import { publishReport } from '../command/write-reports.ts';
import { checkReportFiles } from '../report/files.ts';
import { checkDomains } from './check-domains.ts';
import { type DomainOptions, options, readWhat, options as table } from './read-what.ts';
import { toReport } from './to-report.ts';

/**
 * Runs the command and gives its exit code: 0 nothing gates, 1 something does, 2 it could not run.
 */
export const runCommand = createCommand({
  name: 'domains',
  table,
  toHelpText,
  example: '--target HOST',
  takesFiles: true,
  run: (options, { files: words, env }) => run(words, options, env),
});

async function run(
  words: readonly string[],
  options: DomainOptions,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const { timeout, ca: caFiles } = options;
  const document = await compile(options.spec ?? builtInDocument);
  const rules = toDomainRules(document.asOpenApi());
  const what = readWhat(words, options, rules);
  const ca = await Promise.all(caFiles.map(readAuthorities));
  await checkReportFiles(options, caFiles);
  const started = Date.now();
  const checked = await checkDomains({ ...what, rules, ca, timeout });
  const report = toReport({ ...what, rules, document, checked, started, ended: Date.now() });
  const fixed = { strict: false, failOnUnobserved: false };
  return publishReport(
    report,
    {
      ...options,
      ...fixed,
      command: 'domains',
    },
    env,
  );
}

/** The text of a file of certificates. Throws {@link UsageError}. */
async function readAuthorities(file: string): Promise<string> {
  try {
    const text = await readFile(file, 'utf8');
    new X509Certificate(text);
    return text;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`--ca ${file} holds no certificate as PEM that can be read (${code}).`);
  }
}

/** What `--help` shows; `command` is what a person types before the arguments. */
function toHelpText(command: string): string {
  return `petstore-twin domains: checks real custom domains from outside against the interface, clause by clause

Usage: ${command} check NAME [NAME ...] [--target HOST] [options]

NAME is a domain such as docs.example.com, with the port of its HTTPS if not 443 (docs.example.com:8443).

Options:
${toHelpLines(options)}

Nothing is changed anywhere: it looks up records, and GETs the start page of each domain. What only the dashboard
knows is reported as unobserved. With - as FILE of a report, it goes to standard
output instead of the text.

Exit codes:
  0    nothing fails: clean, or some clauses could not be decided
  1    drift, or no answer
  2    could not run, or nothing was seen that could be judged

Examples:
  ${command} check docs.example.com --target hosting.example.net
  ${command} check example.com --target hosting.example.net --redirect old.example.com=example.com
  ${command} check --removed beta.example.com --dns-server 192.0.2.53 --html domains.html
`;
}
