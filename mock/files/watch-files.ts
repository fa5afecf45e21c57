import { stat } from 'node:fs/promises';

/** A fingerprint of the state of each file, by its absolute path. */
export type FileStates = ReadonlyMap<string, string>;

export type WatchOptions = {
  /** The files to watch first, in the states in which they were read. */
  states: FileStates;
  /** Handles a change, and returns the files to watch from then on. */
  onChange: () => Promise<Iterable<string>>;
  /** Milliseconds between two checks. */
  interval?: number;
  /** How many milliseconds a file may be gone or empty before that counts as a change. */
  gracePeriod?: number;
};

export type FileWatch = {
  /** Resolves once a change under way has been handled. */
  close(): Promise<void>;
};

/**
 * Watches files by polling. Polling also sees changes that the system does not report, as in a
 * container's mount or a replaced folder. A change counts after two equal checks, so that no file
 * is read while it is written.
 */
export function watchFiles({
  states: initial,
  onChange,
  interval = 200,
  gracePeriod = 1000,
}: WatchOptions): FileWatch {
  let known = initial;
  let latest = known;
  let waited = 0;

  const check = async () => {
    const found = await readFileStates(known.keys());
    const isSettled = isSame(found, latest);
    latest = found;
    if (isSame(found, known)) waited = 0;
    else if (isSettled && (isComplete(found, known) || waited >= gracePeriod)) await apply(found);
    else if (isSettled) waited += interval;
  };
  const apply = async (found: FileStates) => {
    waited = 0;
    const named = new Set(await onChange());
    // A change since then is yet to be handled, so files that stay keep the states that they had.
    const added = await readFileStates([...named].filter((file) => !found.has(file)));
    known = new Map([...named].map((file) => [file, found.get(file) ?? added.get(file) ?? gone]));
    latest = known;
  };

  let closed = false;
  let checking: Promise<void> = Promise.resolve();
  const next = () =>
    setTimeout(
      () => (checking = check().finally(() => closed || (timer = next()))),
      interval,
    ).unref();
  let timer = next();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      return checking;
    },
  };
}

const gone = 'gone';
const empty = 'empty';

/** The states of files, given as absolute paths. */
export async function readFileStates(files: Iterable<string>): Promise<FileStates> {
  const states = [...files].map(async (file) => [file, await stateOf(file)] as const);
  return new Map(await Promise.all(states));
}

async function stateOf(file: string): Promise<string> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  if (!found) return gone;
  return found.size === 0n ? empty : [found.ino, found.size, found.mtimeNs, found.ctimeNs].join();
}

function isSame(left: FileStates, right: FileStates): boolean {
  return (
    left.size === right.size && left.entries().every(([file, state]) => right.get(file) === state)
  );
}

/** Whether no file is gone or empty that was not before, as it is while some editors save it. */
function isComplete(found: FileStates, known: FileStates): boolean {
  return found
    .entries()
    .every(([file, state]) => (state !== gone && state !== empty) || known.get(file) === state);
}
