import {
  type Backend,
  type BackendOptions,
  type StoredSandbox,
  StoreError,
} from '../../sandboxes/backend.ts';
import { parseControl } from '../../sandboxes/control-state.ts';
import { describeMismatch, type Fingerprint, isFollowed } from '../../sandboxes/fingerprint.ts';
import type { ToInitialState } from '../../sandboxes/sandbox.ts';
import { SandboxOptionError } from '../../sandboxes/sandbox-options.ts';
import { createMemoryStores } from '../../state/memory-store.ts';
import { StoreUnavailableError } from '../../state/store.ts';
import { fileProblem } from './open-database.ts';
import { type FiledSandbox, openSandbox } from './open-sandbox.ts';
import { openSandboxFile, type SandboxFile } from './sandbox-file.ts';
import type { SandboxRows } from './sandbox-rows.ts';
import { codeOf } from './sqlite-errors.ts';

/**
 * Holds the state of a twin in the file of an address (`sqlite:FILE`) too, so that a later twin goes
 * on with it. Throws {@link StoreError} where the file cannot be used.
 */
export async function openSqliteBackend(
  address: string,
  { fingerprint, reset, follows, toInitialState, log }: BackendOptions,
): Promise<Backend> {
  const path = address.replace(/^sqlite:/, '');
  const memory = createMemoryStores();
  const opened = new Set<FiledSandbox>();
  /** What the file has to follow yet. */
  let wanted: Fingerprint | undefined;
  const file = openSandboxFile(path, {
    memory,
    onChange(problem) {
      if (problem !== undefined) return log.error(`The store cannot be used. ${problem}`);
      log.info(`${path} can be written again.`);
      follow().catch(warn);
    },
  });
  /** Brings the file to what is served now, if that has changed. */
  const follow = async () => {
    if (!wanted) return;
    const text = JSON.stringify(wanted);
    wanted = undefined;
    if (file.fingerprint() === text) return;
    try {
      for (const { writeWhole } of opened) await writeWhole();
      file.put({ fingerprint: text, isWhole: follows });
    } catch (error) {
      wanted ??= JSON.parse(text);
      throw error;
    }
  };
  const warn = (error: unknown) => {
    if (!(error instanceof StoreUnavailableError)) throw error;
    log.warn(`${path} does not follow the change yet. ${error.message}`);
  };
  const readStored = (open: () => FiledSandbox): FiledSandbox => {
    try {
      return open();
    } catch (error) {
      const isOfFile = error instanceof SyntaxError || codeOf(error) !== undefined;
      throw isOfFile ? new StoreError(fileProblem(path, error)) : error;
    }
  };
  const { writer, items, sandboxes } = file;
  try {
    if (reset && !(await isFit(sandboxes, toInitialState))) file.clear();
    adopt(file, fingerprint(), { path, reset, follows, log });
  } catch (error) {
    file.close();
    throw error instanceof StoreUnavailableError
      ? new StoreError(`--store: ${error.message}`)
      : error;
  }
  const rows = sandboxes.list();
  const unopened = new Map(rows.map((row) => [row.name, row]));
  let lastId = Math.max(0, ...rows.map(({ id }) => id));
  return {
    bytesOf: memory.bytesOf,
    stored: rows.map(
      ({ name, control, createdAt, lastUsedAt }): StoredSandbox => ({
        name,
        options: parseControl(control).options,
        createdAt,
        lastUsedAt,
      }),
    ),
    open(parts) {
      const row = unopened.get(parts.name);
      unopened.delete(parts.name);
      const sandbox = readStored(() =>
        openSandbox(parts, {
          file,
          row,
          isWhole: follows,
          id: (lastId += 1),
          onRemoved: () => opened.delete(sandbox),
        }),
      );
      opened.add(sandbox);
      return sandbox.opened;
    },
    async restore() {
      for (const { restore } of opened) await restore(toInitialState);
      if (!follows || file.isWhole()) return;
      for (const { isChanged, writeWhole } of opened) if (isChanged()) await writeWhole();
      file.put({ fingerprint: JSON.stringify(fingerprint()), isWhole: true });
    },
    async follow(next) {
      wanted = next;
      await follow().catch(warn);
    },
    async health() {
      if (writer.problem() === undefined) return undefined;
      try {
        writer.commit(() => void items.sweep(items.create(), 1));
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
      }
      return writer.problem();
    },
    async close() {
      try {
        file.close();
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        log.error(`What calls counted last is not stored. ${error.message}`);
      }
    },
  };
}

/** Begins with the items that the file was made with, or others if it is to begin anew. */
function adopt(
  file: SandboxFile,
  now: Fingerprint,
  {
    path,
    reset,
    follows,
    log,
  }: { path: string } & Pick<BackendOptions, 'reset' | 'follows' | 'log'>,
): void {
  const text = JSON.stringify(now);
  const heldText = file.fingerprint();
  const isWhole = file.isWhole();
  if (heldText === text && isWhole === follows) return;
  const held: Fingerprint | undefined = heldText === undefined ? undefined : JSON.parse(heldText);
  const mismatch = held && describeMismatch(path, held, now);
  if (held && mismatch) {
    if (reset) file.clear();
    else if (isWhole && isFollowed(held, now))
      log.info(
        `${path} was used with --watch, and what is served has changed since. Stored items are kept; new seeds apply after the next reset, and in new sandboxes.`,
      );
    else throw new StoreError(`--store: ${mismatch}`);
  }
  file.put({ fingerprint: text, isWhole: isWhole && follows });
}

/** Whether all sandboxes of a file can be made by this twin, which may have other plans. */
async function isFit(rows: SandboxRows, toInitialState: ToInitialState): Promise<boolean> {
  try {
    for (const { control } of rows.list()) await toInitialState(parseControl(control).options);
    return true;
  } catch (error) {
    if (error instanceof SandboxOptionError) return false;
    throw error;
  }
}
