import { UsageError } from '../cli/usage-error.ts';
import { DocumentError } from '../description/document.ts';
import { print, say } from '../look/print.ts';
import { ReportFileError } from '../report/files.ts';

/** A kind of error whose message tells a person what to change. */
export type ExpectedError = new (...parameters: never[]) => Error;

const expectedOfAll: readonly ExpectedError[] = [UsageError, DocumentError, ReportFileError];

/**
 * Says on standard error why a command could not run; `expected` are the errors of that command
 * whose message tells a person what to change. Shows where an unexpected one happened if `DEBUG` is
 * set.
 */
export function sayWhy(
  error: Error,
  {
    name,
    expected,
    env,
  }: {
    name: string;
    expected: readonly ExpectedError[];
    env: Readonly<Record<string, string | undefined>>;
  },
): void {
  const isExpected = [...expectedOfAll, ...expected].some((kind) => error instanceof kind);
  say(name, `${isExpected ? '' : 'failed, which is a bug in the suite: '}${error.message}`);
  if (!isExpected && env.DEBUG) print(`${error.stack}\n`, process.stderr);
}
