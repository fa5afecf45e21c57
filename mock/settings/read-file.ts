import { readFileSync } from 'node:fs';
import { UsageError } from '../../common/cli/usage-error.ts';
import { parseText } from '../../common/parse-text.ts';

/** Reads a text file that a flag names. Throws {@link UsageError}. */
export function readTextFile(file: string, flag: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw toReadError(error as NodeJS.ErrnoException, `${flag} ${file}`);
  }
}

/** Returns the error to report for a file that cannot be read. */
export function toReadError(
  { code = '', message }: NodeJS.ErrnoException,
  file: string,
): UsageError {
  return new UsageError(`${file} cannot be read: ${fileProblems[code] ?? message}.`);
}

const fileProblems: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder, and a file is expected',
  EACCES: 'this user may not read it',
};

/** Reads a JSON file that a flag names. Throws {@link UsageError}. */
export function readJsonFile(file: string, flag: string): unknown {
  const content = readTextFile(file, flag);
  try {
    return JSON.parse(content);
  } catch (error) {
    // Some of its messages quote the text, which may hold secrets.
    const reason = (error as Error).message.replace(/, (\.\.\.)?".*is not valid JSON$/s, '');
    throw new UsageError(`${flag} ${file} is not valid JSON: ${reason}.`);
  }
}

/** Reads a YAML file that a flag names. Throws {@link UsageError}. */
export function readYamlFile(file: string, flag: string): unknown {
  const content = readTextFile(file, flag);
  try {
    return parseText(content);
  } catch (error) {
    // Its message goes on with the text, which may hold secrets.
    const [reason = ''] = (error as Error).message.split('\n');
    throw new UsageError(`${flag} ${file} is not valid YAML: ${reason}.`);
  }
}
