import { lstat, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsageError } from '../cli/usage-error.ts';
import type { Reference } from '../reference/reference.ts';

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
  await refuseUnless('file', join(folder, manifestFile));
  const before = await readManifest(folder);
  await refuseForeign(folder, paths, before);
  for (const place of new Set(['.', ...paths.map(dirname)]))
    await attempt(join(folder, place), () => makeFolder(join(folder, place)));
  const list = JSON.stringify({ files: [...new Set([...before, ...paths])] });
  await write(join(folder, manifestFile), list);
  let count = 0;
  for (const path of paths) {
    await write(join(folder, path), render(path, { now })?.text ?? '');
    onFile?.(++count);
  }
  const stale = [...before].filter((path) => !paths.includes(path));
  for (const path of stale)
    await attempt(join(folder, path), () => rm(join(folder, path), { force: true }));
  await write(join(folder, manifestFile), JSON.stringify({ files: paths }));
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

/**
 * Refuses what a run would write or remove elsewhere, or what is of somebody else. A link to a folder
 * is welcome as the target itself, and nowhere below it.
 */
async function refuseForeign(
  folder: string,
  paths: readonly string[],
  before: ReadonlySet<string>,
): Promise<void> {
  const own = new Set([...paths, ...before]);
  for (const place of new Set([...own].map(dirname)))
    if (place !== '.') await refuseUnless('folder', join(folder, place));
  for (const path of own) {
    const file = join(folder, path);
    if (before.has(path)) await refuseUnless('file', file);
    else if ((await kindOf(file)) !== undefined)
      throw new UsageError(
        `${file} exists and is not from this command, so it is not overwritten. Move it, or name another --out.`,
      );
  }
}

async function refuseUnless(expected: 'file' | 'folder', path: string): Promise<void> {
  const kind = await kindOf(path);
  if (kind === undefined || kind === expected) return;
  const noun = expected === 'file' ? 'regular file' : 'folder';
  throw new UsageError(`${path} is in the way: it is no ${noun}. Move it, or name another --out.`);
}

/** What stands at a path; a link is neither a file nor a folder, and nothing is undefined. */
function kindOf(path: string): Promise<'file' | 'folder' | 'other' | undefined> {
  return lstat(path).then(
    (found) => (found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other'),
    () => undefined,
  );
}

/** Writes a new file, as the old one may have a second name somewhere else. */
function write(file: string, text: string): Promise<void> {
  return attempt(file, async () => {
    await rm(file, { force: true });
    await writeFile(file, text, { flag: 'wx' });
  });
}

/**
 * Makes a folder, and those around it, unless it is there. Node's own recursive `mkdir` never ends
 * where a folder that exists takes no other one, as `/proc` does.
 */
async function makeFolder(folder: string): Promise<void> {
  const isFolder = (path: string) =>
    stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await isFolder(folder))) return;
    const parent = dirname(folder);
    if (code !== 'ENOENT' || parent === folder || (await isFolder(parent))) throw error;
    await makeFolder(parent);
    await makeFolder(folder);
  }
}

async function attempt(file: string, run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reasons: Record<string, string> = {
      EACCES: 'there is no permission to',
      EPERM: 'there is no permission to',
      EROFS: 'the file system is read-only',
      EEXIST: 'it is a file, and a folder is needed',
      ENOTDIR: 'a part of its path is a file, and no folder',
      EISDIR: 'it is a folder',
      ENOENT: 'no folder can be made there',
      ENOSPC: 'no space is left',
    };
    const reason = reasons[code ?? ''] ?? message;
    throw new UsageError(
      `${file} cannot be written: ${reason} (${code ?? 'unknown'}). Name another folder with --out.`,
    );
  }
}
