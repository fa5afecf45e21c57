import { access, constants, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Why a file cannot be written, as the end of a sentence; undefined where it can. A new file is made
 * and removed again, as the rights of a folder do not tell (`/proc`, a full or read-only disk).
 */
export async function whyUnwritable(file: string): Promise<string | undefined> {
  const folder = dirname(file);
  const existing = await stat(file).catch(() => undefined);
  if (file === '' || existing?.isDirectory()) return 'it is a folder, not a file';
  if (existing) return (await isWritable(file)) ? undefined : 'it exists and is not writable';
  const isFolder = (await stat(folder).catch(() => undefined))?.isDirectory();
  if (!isFolder) return `there is no folder ${folder}`;
  try {
    await (await open(file, 'wx')).close();
    await rm(file, { force: true });
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return `the folder ${folder} takes no new file (${code ?? message})`;
  }
}

function isWritable(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
}
