import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsageError } from '../../common/cli/usage-error.ts';
import type { Reference } from '../../reference/reference.ts';

/** The file that lists the files of a run, so that the next one replaces these and no others. */
const manifestFile = '.petstore-twin-docs.json';

/** The form of all paths of a reference; a list of files is not trusted. */
const ownPath = /^(?:(?:assets|operations|schemas)\/)?[\w-]+\.(?:css|html|js|json|svg|yaml)$/;

export type WriteSiteOptions = {
  folder: string;
  /** The time that the pages go by, in Unix milliseconds. */
  now: number;
  /** Gets how many files are written. */
  onFile?: (count: number) => void;
};

/**
 * Writes a reference into a folder, which is made if there is none. Throws a {@link UsageError} where
 * it cannot, or where a file of somebody else would be overwritten.
 */
export async function writeSite(
  { paths, render }: Reference,
  { folder, now, onFile }: WriteSiteOptions,
): Promise<void> {
  const before = await readManifest(folder);
  for (const path of paths) if (!before.has(path)) await refuseForeign(join(folder, path));
  for (const place of new Set(['.', ...paths.map(dirname)]))
    await attempt(join(folder, place), () => mkdir(join(folder, place), { recursive: true }));
  const write = (path: string, text: string) =>
    attempt(join(folder, path), () => writeFile(join(folder, path), text));
  await write(manifestFile, JSON.stringify({ files: [...new Set([...before, ...paths])] }));
  let count = 0;
  for (const path of paths) {
    await write(path, render(path, { now })?.text ?? '');
    onFile?.(++count);
  }
  for (const path of before)
    if (!paths.includes(path))
      await attempt(join(folder, path), () => rm(join(folder, path), { force: true }));
  await write(manifestFile, JSON.stringify({ files: paths }));
}

/** The files of the run before this one; none where there was none. */
async function readManifest(folder: string): Promise<Set<string>> {
  const text = await readFile(join(folder, manifestFile), 'utf8').catch(() => '');
  try {
    const { files } = JSON.parse(text);
    return new Set((files as unknown[]).map(String).filter((path) => ownPath.test(path)));
  } catch {
    return new Set();
  }
}

async function refuseForeign(file: string): Promise<void> {
  const isThere = await stat(file).then(
    () => true,
    () => false,
  );
  if (isThere)
    throw new UsageError(
      `${file} exists and is not from this command, so it is not overwritten. Move it, or name another --out.`,
    );
}

async function attempt(file: string, run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `${file} cannot be written (${code ?? message}). Name another folder with --out.`,
    );
  }
}
