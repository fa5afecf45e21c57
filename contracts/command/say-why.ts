import { UsageError } from '../cli/usage-error.ts';
import { DocumentError } from '../description/document.ts';
import { toVisible } from '../look/visible.ts';
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
  const text = error.message.split('\n').map(toVisible).join('\n');
  const isExpected = [...expectedOfAll, ...expected].some((kind) => error instanceof kind);
  const reason = isExpected ? text : `failed, which is a bug in the suite: ${text}`;
  process.stderr.write(`petstore-twin ${name}: ${reason}\n`);
  if (!isExpected && env.DEBUG) process.stderr.write(`${error.stack}\n`);
}
