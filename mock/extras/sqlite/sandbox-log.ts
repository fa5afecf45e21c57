import { type Differences, noSeeds } from '../../state/differences.ts';
import type { Change, ChangeLog, Whole } from '../../state/round.ts';
import type { Head } from './collection-rows.ts';
import type { Heads } from './contents.ts';
import type { SandboxFile } from './sandbox-file.ts';
import { maxRows, writeInSlices } from './slices.ts';

/** The changes of a sandbox, until it is removed. */
export interface SandboxLog<Extra> extends ChangeLog<Extra> {
  /** Writes nothing from now on: a sandbox that is removed may still be used by calls under way. */
  close(): void;
}

export type SandboxLogOptions<Extra> = {
  file: Pick<SandboxFile, 'collections' | 'contents' | 'items' | 'writer'>;
  /** The number of the sandbox. */
  sandbox: number;
  /** The names of the collections that a later twin may make seeds of. */
  seedNames: () => readonly string[];
  /** Writes what goes with a whole, within its commit. */
  writeWhole: (whole: Whole<Extra>) => void;
};

/**
 * Holds the items of a sandbox in a file. What is short is in the file before its caller goes on.
 * What is long is written under new contents while other requests have their turns.
 */
export function createSandboxLog<Extra>(options: SandboxLogOptions<Extra>): SandboxLog<Extra> {
  const { sandbox, seedNames, writeWhole } = options;
  const { items, collections, contents, writer } = options.file;
  let isClosed = false;
  let heads: Heads = collections.read({ sandbox });

  const create = (): Head => ({ next: 1, isEmptied: false, contents: items.create() });
  const apply = (changed: Map<string, Head>, change: Change): void => {
    const { collection, next } = change;
    const head =
      change.act === 'clear'
        ? { ...create(), isEmptied: true }
        : (changed.get(collection) ?? create());
    changed.set(collection, { ...head, next });
    if (change.act === 'put') items.put(head.contents, change.item, change.place);
    else if (change.act === 'remove' && change.isSeed) items.mark(head.contents, change.id);
    else if (change.act === 'remove') items.remove(head.contents, change.id);
  };
  const putHeads = (changed: Heads) => {
    if (isClosed) return;
    for (const [name, head] of changed) collections.put({ sandbox }, name, head);
  };
  /** Goes on with these, and drops what none of them has. */
  const use = (next: Heads) => {
    // Nothing refers to what was written while the sandbox was removed.
    if (isClosed) {
      contents.drop(next.values().map((head) => head.contents));
      return;
    }
    const used = new Set(next.values().map((head) => head.contents));
    const before = heads.values().map((head) => head.contents);
    contents.drop(before.filter((one) => !used.has(one)).toArray());
    heads = next;
  };
  const useChanged = (changed: Heads) => use(new Map([...heads, ...changed]));
  const appendShort = (changes: readonly Change[]) => {
    let changed = new Map<string, Head>();
    writer.commit(() => {
      changed = new Map();
      for (const change of changes) {
        const head = changed.get(change.collection) ?? heads.get(change.collection);
        if (head) changed.set(change.collection, head);
        apply(changed, change);
      }
      putHeads(changed);
    });
    useChanged(changed);
  };
  const appendLong = async (changes: readonly Change[]) => {
    const changed = new Map<string, Head>();
    const copies: number[] = [];
    try {
      for (const name of new Set(changes.map(({ collection }) => collection))) {
        const before = heads.get(name);
        if (!before) continue;
        const copy = await contents.copy(before.contents);
        copies.push(copy);
        changed.set(name, { ...before, contents: copy });
      }
      await writeInSlices(writer, changes, {
        write: (change) => apply(changed, change),
        sizeOf,
      });
      writer.commit(() => putHeads(changed));
    } catch (error) {
      contents.drop(copies);
      throw error;
    }
    useChanged(changed);
  };
  return {
    append(version, changes) {
      const stored = { version: version + 1 };
      if (isClosed) return stored;
      if (changes.length > maxRows) return appendLong(changes).then(() => stored);
      appendShort(changes);
      return stored;
    },
    replace(version, whole) {
      const stored = { version: version + 1 };
      if (isClosed) return stored;
      let written: Heads = new Map();
      const differences =
        whole.seeds === noSeeds ? withEmptied(whole.differences, seedNames()) : whole.differences;
      const done = contents.write(differences, (next) => {
        written = next;
        if (isClosed) return;
        collections.remove({ sandbox });
        putHeads(next);
        writeWhole(whole);
      });
      const finish = () => {
        use(written);
        return stored;
      };
      return done ? done.then(finish) : finish();
    },
    close() {
      isClosed = true;
    },
  };
}

/** What differs from no seeds, with nothing of collections that are not there. */
export function withEmptied(differences: Differences, names: readonly string[]): Differences {
  const emptied = names.map((name) => [name, { next: 1, isEmptied: true, items: [] }]);
  return { ...Object.fromEntries(emptied), ...differences };
}

function sizeOf(change: Change): number {
  return change.act === 'put' ? change.item.json.length : 0;
}
