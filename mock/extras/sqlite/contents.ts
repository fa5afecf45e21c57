import { setImmediate } from 'node:timers/promises';
import type { Difference, Differences } from '../../state/differences.ts';
import type { Head } from './collection-rows.ts';
import type { ItemRows } from './item-rows.ts';
import { isShort, maxRows, writeInSlices } from './slices.ts';
import type { Sweeper } from './sweeper.ts';
import type { Writer } from './writer.ts';

/** What collections hold, by their names. */
export type Heads = ReadonlyMap<string, Head>;

/** Writes what collections hold, and reads it. */
export interface Contents {
  /**
   * Writes what differs, and has `refer` refer to it within the commit that puts it in place. What
   * is short is written at once, and what is long while other requests have their turns.
   */
  write(differences: Differences, refer: (heads: Heads) => void): void | Promise<void>;
  read(heads: Heads): Differences;
  /** Copies contents while other requests have their turns. */
  copy(contents: number): Promise<number>;
  /** Deletes contents that nothing refers to. */
  drop(contents: Iterable<number>): void;
}

type Row = { contents: number; difference: Difference };

export type ContentsOptions = { items: ItemRows; writer: Writer; sweeper: Sweeper };

/** Makes what writes contents in slices where they are long. */
export function createContents({ items, writer, sweeper }: ContentsOptions): Contents {
  const createNow = (): number => {
    let contents = 0;
    writer.write(() => {
      contents = items.create();
    });
    return contents;
  };
  const put = ({ contents, difference: { id, item, place } }: Row) => {
    if (item) items.put(contents, item, place);
    else items.mark(contents, id);
  };
  function* itemsOf(differences: Differences): Generator<Difference> {
    for (const { items } of Object.values(differences)) yield* items;
  }
  const sizeOf = ({ item }: Difference) => item?.json.length ?? 0;
  const toHeads = (differences: Differences, create: () => number): Heads =>
    new Map(
      Object.entries(differences).map(([name, { next, isEmptied = false }]) => [
        name,
        { next, isEmptied, contents: create() },
      ]),
    );
  function* rowsOf(differences: Differences, heads: Heads): Generator<Row> {
    for (const [name, { contents }] of heads)
      for (const difference of differences[name]?.items ?? []) yield { contents, difference };
  }
  const writeLong = async (differences: Differences, refer: (heads: Heads) => void) => {
    const created: number[] = [];
    try {
      const heads = toHeads(differences, () => {
        created.push(createNow());
        return created.at(-1) as number;
      });
      await writeInSlices(writer, rowsOf(differences, heads), {
        write: put,
        sizeOf: ({ difference }) => sizeOf(difference),
      });
      writer.commit(() => refer(heads));
    } catch (error) {
      sweeper.sweep(created);
      throw error;
    }
  };
  return {
    write(differences, refer) {
      if (!isShort(itemsOf(differences), sizeOf)) return writeLong(differences, refer);
      writer.commit(() => {
        const heads = toHeads(differences, items.create);
        for (const row of rowsOf(differences, heads)) put(row);
        refer(heads);
      });
    },
    read: (heads) =>
      Object.fromEntries(
        [...heads].map(([name, { next, isEmptied, contents }]) => [
          name,
          { next, ...(isEmptied && { isEmptied }), items: items.read(contents) },
        ]),
      ),
    async copy(from) {
      const to = createNow();
      try {
        let last: string | undefined;
        do {
          const after = last;
          writer.write(() => {
            last = items.copy(from, to, after, maxRows);
          });
          await setImmediate();
        } while (last !== undefined);
        return to;
      } catch (error) {
        sweeper.sweep([to]);
        throw error;
      }
    },
    drop: sweeper.sweep,
  };
}
