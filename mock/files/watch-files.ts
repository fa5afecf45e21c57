import { stat } from 'node:fs/promises';

/** What tells one state of a file from another, by its absolute path. */
export type Look = ReadonlyMap<string, string>;

export type WatchOptions = {
  /** The files to begin with, as they were when they were read. */
  look: Look;
  /** Takes a change in, and gives the files to watch from then on. */
  onChange: () => Promise<Iterable<string>>;
  /** Milliseconds between two looks. */
  interval?: number;
  /** How many milliseconds a file may be gone or empty before that counts as a change. */
  patience?: number;
};

export type FileWatch = {
  /** Ends once a change that is being taken in has been. */
  close(): Promise<void>;
};

/**
 * Watches files by looking at them at intervals: that sees, too, what the system tells nothing of,
 * such as a file that is mounted into a container or replaced with its folder. A change counts once
 * it is at rest, so that a file is not read half written.
 */
export function watchFiles({
  look: first,
  onChange,
  interval = 200,
  patience = 1000,
}: WatchOptions): FileWatch {
  let known = first;
  let latest = known;
  let waited = 0;

  const look = async () => {
    const found = await lookAtFiles(known.keys());
    const isAtRest = isSame(found, latest);
    latest = found;
    if (isSame(found, known)) waited = 0;
    else if (isAtRest && (isWhole(found, known) || waited >= patience)) await takeIn(found);
    else if (isAtRest) waited += interval;
  };
  const takeIn = async (found: Look) => {
    waited = 0;
    const named = new Set(await onChange());
    // What has changed since this look is yet to be taken in, so files that stay keep the look that
    // they had.
    const added = await lookAtFiles([...named].filter((file) => !found.has(file)));
    known = new Map([...named].map((file) => [file, found.get(file) ?? added.get(file) ?? gone]));
    latest = known;
  };

  let closed = false;
  let looking: Promise<void> = Promise.resolve();
  const next = () =>
    setTimeout(
      () => (looking = look().finally(() => closed || (timer = next()))),
      interval,
    ).unref();
  let timer = next();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      return looking;
    },
  };
}

const gone = 'gone';
const empty = 'empty';

/** Looks at files, given as absolute paths. */
export async function lookAtFiles(files: Iterable<string>): Promise<Look> {
  const signatures = [...files].map(async (file) => [file, await signatureOf(file)] as const);
  return new Map(await Promise.all(signatures));
}

async function signatureOf(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  if (!found) return gone;
  return found.size === 0n ? empty : [found.ino, found.size, found.mtimeNs, found.ctimeNs].join();
}

function isSame(one: Look, other: Look): boolean {
  return (
    one.size === other.size &&
    one.entries().every(([file, signature]) => other.get(file) === signature)
  );
}

/** Whether no file is gone or empty that was not before, as it is while some editors save it. */
function isWhole(found: Look, known: Look): boolean {
  return found
    .entries()
    .every(([file, one]) => (one !== gone && one !== empty) || known.get(file) === one);
}
