import { open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Why a file cannot be written, as the end of a sentence; undefined where it can. A new file is made
 * and removed again, as the rights of a folder do not tell (`/proc`, a full or read-only disk).
 */
export async function whyUnwritable(file: string): Promise<string | undefined> {
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
