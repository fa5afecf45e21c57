import { StoreUnavailableError } from '../../state/store.ts';
import type { ItemRows } from './item-rows.ts';
import { maxRows } from './slices.ts';
import type { Writer } from './writer.ts';

/** Deletes contents that nothing refers to any more, bit by bit. */
export interface Sweeper {
  sweep(contents: Iterable<number>): void;
  /** Leaves the rest to the next twin of the file. */
  close(): void;
}

/** For how long it waits where the file cannot be written, in milliseconds. */
const pause = 1000;

/** Makes the sweeper of a file. */
export function createSweeper(items: ItemRows, writer: Writer): Sweeper {
  const waiting: number[] = [];
  let isClosed = false;
  let isRunning = false;
  const step = () => {
    const [contents] = waiting;
    isRunning = contents !== undefined && !isClosed;
    if (contents === undefined || isClosed) return;
    try {
      let isOver = false;
      writer.write(() => {
        isOver = items.sweep(contents, maxRows);
      });
      if (isOver) waiting.shift();
      setImmediate(step);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      setTimeout(step, pause).unref();
    }
  };
  return {
    sweep(contents) {
      waiting.push(...contents);
      if (isRunning || waiting.length === 0) return;
      isRunning = true;
      setImmediate(step);
    },
    close() {
      isClosed = true;
    },
  };
}
