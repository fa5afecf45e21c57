import { open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { UsageError } from './usage-error.ts';

/**
 * Ensures that the file of an option can be written, and is none of those that are read. Throws a
 * {@link UsageError}.
 */
export async function ensureWritable(
  option: string,
  file: string,
  read: readonly string[] = [],
): Promise<void> {
  const sources = await Promise.all(read.map(realPath));
  if (sources.includes(await realPath(file)))
    throw new UsageError(
      `${option} ${file} is a file that is read, and would be lost. Name another one.`,
    );
  const reason = await whyUnwritable(file);
  if (reason !== undefined) throw new UsageError(`${option} ${file} cannot be written: ${reason}.`);
}

function realPath(file: string): Promise<string> {
  return realpath(file).catch(() => resolve(file));
}

/**
 * Why a file cannot be written, as the end of a sentence; undefined where it can. A new file is made
 * and removed again, as the rights of a folder do not tell (`/proc`, a full or read-only disk).
 */
async function whyUnwritable(file: string): Promise<string | undefined> {
  const isNew = (await stat(file).catch(() => undefined)) === undefined;
  try {
    await (await open(file, 'a')).close();
    if (isNew) await rm(file, { force: true });
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EISDIR' || file === '') return 'it is a folder, not a file';
    const isFolder = await stat(dirname(file)).catch(() => undefined);
    if (!isFolder) return `there is no folder ${dirname(file)}`;
    return isNew
      ? `the folder ${dirname(file)} takes no new file (${code ?? message})`
      : 'it exists and is not writable';
  }
}

/**
 * Writes a file that people may have changed: one with another text is kept as FILE.before. Returns a
 * sentence about that, or nothing.
 */
export async function replaceFile(file: string, text: string): Promise<string> {
  const isFile = await stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
  const isKept = isFile && (await readFile(file, 'utf8')) !== text;
  if (isKept) await rename(file, `${file}.before`);
  await writeFile(file, text);
  return isKept ? ` What was there is in ${file}.before.` : '';
}
