import {
  type Backend,
  type BackendOptions,
  type StoredSandbox,
  StoreError,
} from '../../sandboxes/backend.ts';
import { describeMismatch, type Fingerprint } from '../../sandboxes/fingerprint.ts';
import { SandboxOptionError } from '../../sandboxes/sandbox-options.ts';
import { parseState, type ToInitialState } from '../../sandboxes/sandbox-state.ts';
import { StoreUnavailableError } from '../../state/store.ts';
import { openDatabase, readFrom } from './database.ts';
import { openFiledSandbox } from './filed-sandbox.ts';
import { createRows, type Rows, type SandboxRow } from './rows.ts';
import { createWriter, type Writer } from './writer.ts';

/**
 * Holds the state of a twin in the file of an address (`sqlite:FILE`) too, so that a later twin goes
 * on with it. Throws {@link StoreError} where the file cannot be used.
 */
export async function openSqliteBackend(
  address: string,
  options: BackendOptions,
): Promise<Backend> {
  const { log, reset, toInitialState } = options;
  const path = address.replace(/^sqlite:/, '');
  const database = openDatabase(path);
  const writer = createWriter(database, {
    file: path,
    onChange(problem) {
      if (problem === undefined) log.info(`${path} can be written again.`);
      else log.error(`The store cannot be used. ${problem}`);
    },
  });
  const read = <T>(act: () => T): T => readFrom(path, act);
  const rows = createRows(database);
  const close = () => {
    try {
      writer.close();
    } finally {
      database.close();
    }
  };
  let held: SandboxRow[];
  let stored: StoredSandbox[];
  try {
    if (reset && !(await isFit(read(rows.list), toInitialState))) writer.commit(rows.clear);
    read(() => adopt(rows, writer, path, options));
    held = read(rows.list);
    stored = held.map(({ name, state, createdAt, lastUsedAt }) => ({
      name,
      options: parseState(state).options,
      createdAt,
      lastUsedAt,
    }));
  } catch (error) {
    close();
    throw error instanceof StoreUnavailableError
      ? new StoreError(`--store: ${error.message}`)
      : error;
  }
  const unopened = new Map(held.map((row) => [row.name, row]));
  let lastId = Math.max(0, ...held.map(({ id }) => id));
  return {
    stored,
    open(parts) {
      const row = unopened.get(parts.name);
      unopened.delete(parts.name);
      const files = { rows, writer, id: (lastId += 1) };
      return read(() => openFiledSandbox(parts, row, { ...files, toInitialState }));
    },
    async follow(fingerprint) {
      writer.due(() => rows.putFingerprint(JSON.stringify(fingerprint)));
    },
    async health() {
      if (writer.problem() === undefined) return undefined;
      try {
        writer.commit(rows.probe);
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
      }
      return writer.problem();
    },
    async close() {
      try {
        close();
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        log.error(`What calls counted last is not stored. ${error.message}`);
      }
    },
  };
}

/** Starts with the stored items of the file, or with new ones after a reset. */
function adopt(
  rows: Rows,
  writer: Writer,
  path: string,
  { fingerprint, reset, follows, log }: BackendOptions,
): void {
  const now = fingerprint();
  const text = JSON.stringify(now);
  const heldText = rows.fingerprint();
  if (heldText === text) return;
  const held: Fingerprint | undefined = heldText === undefined ? undefined : JSON.parse(heldText);
  const mismatch = held && describeMismatch(path, held, now);
  if (held && mismatch) {
    if (reset) writer.commit(rows.clear);
    else if (!follows) throw new StoreError(`--store: ${mismatch}`);
    else
      log.info(
        `${path} was used with other items. Stored items stay; new seeds apply after the next reset, and in new sandboxes (--watch).`,
      );
  }
  writer.commit(() => rows.putFingerprint(text));
}

/** Whether all sandboxes of a file can be made by this twin, which may have other plans. */
async function isFit(
  rows: readonly SandboxRow[],
  toInitialState: ToInitialState,
): Promise<boolean> {
  try {
    for (const { state } of rows) await toInitialState(parseState(state).options);
    return true;
  } catch (error) {
    if (error instanceof SandboxOptionError) return false;
    throw error;
  }
}
