import { statSync } from 'node:fs';
import type { MemoryStores } from '../../state/memory-store.ts';
import { type CollectionRows, createCollectionRows } from './collection-rows.ts';
import { type Contents, createContents } from './contents.ts';
import { createItemRows, type ItemRows } from './item-rows.ts';
import { openDatabase } from './open-database.ts';
import { createSandboxRows, type SandboxRows } from './sandbox-rows.ts';
import { createSweeper } from './sweeper.ts';
import { createWriter, type Writer, type WriterOptions } from './writer.ts';

/** The open file of a twin, for its sandboxes. */
export type SandboxFile = {
  readonly memory: MemoryStores;
  readonly writer: Writer;
  readonly sandboxes: SandboxRows;
  readonly collections: CollectionRows;
  readonly items: ItemRows;
  readonly contents: Contents;
  /** What the items that its twin begins with depend on, as JSON; undefined in a new file. */
  fingerprint(): string | undefined;
  /** Whether all that it holds can be read whatever items a twin begins with. */
  isWhole(): boolean;
  /** Says what a later twin finds. */
  put(state: { fingerprint: string; isWhole: boolean }): void;
  /** Removes all sandboxes. */
  clear(): void;
  /** Writes what is due and closes the file. Throws where that could not be written. */
  close(): void;
};

export type SandboxFileOptions = { memory: MemoryStores } & Pick<WriterOptions, 'onChange'>;

/** Opens the file of a twin, or creates it. Throws {@link StoreError}. */
export function openSandboxFile(
  path: string,
  { memory, ...options }: SandboxFileOptions,
): SandboxFile {
  const database = openDatabase(path);
  const { ino, dev } = statSync(path);
  const writer = createWriter(database, {
    file: path,
    isInPlace() {
      const found = statSync(path, { throwIfNoEntry: false });
      return found?.ino === ino && found.dev === dev;
    },
    ...options,
  });
  const items = createItemRows(database);
  const sweeper = createSweeper(items, writer);
  // A twin that was killed may have left some.
  sweeper.sweep(items.orphans());
  const fingerprint = database.prepare("SELECT value FROM twin WHERE name = 'fingerprint'");
  const isWhole = database.prepare("SELECT value FROM twin WHERE name = 'is_whole'");
  const put = database.prepare('INSERT OR REPLACE INTO twin (name, value) VALUES (?, ?)');
  return {
    memory,
    writer,
    items,
    sandboxes: createSandboxRows(database),
    collections: createCollectionRows(database),
    contents: createContents({ items, writer, sweeper }),
    fingerprint: () => fingerprint.get()?.value?.toString(),
    isWhole: () => isWhole.get()?.value === 'true',
    put: (state) =>
      writer.commit(() => {
        put.run('fingerprint', state.fingerprint);
        put.run('is_whole', String(state.isWhole));
      }),
    clear() {
      writer.commit(() => database.exec('DELETE FROM sandboxes'));
      sweeper.sweep(items.orphans());
    },
    close() {
      sweeper.close();
      try {
        writer.close();
      } finally {
        database.close();
      }
    },
  };
}
