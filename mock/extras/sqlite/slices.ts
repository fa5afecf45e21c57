import { setImmediate } from 'node:timers/promises';
import type { Writer } from './writer.ts';

/** How many rows a transaction may write, so that other requests have their turn soon. */
export const maxRows = 1000;

/** How many characters of JSON it may write likewise. */
const maxCharacters = 1024 * 1024;

/** Whether rows can be written in one transaction. */
export function isShort<Row>(rows: Iterable<Row>, sizeOf: (row: Row) => number): boolean {
  let count = 0;
  let size = 0;
  for (const row of rows) {
    count += 1;
    size += sizeOf(row);
    if (count > maxRows || size > maxCharacters) return false;
  }
  return true;
}

/**
 * Writes many rows in several transactions, each in a turn of the event loop of its own. Nothing may
 * refer to them before a commit that comes later, which puts them on the disk as well.
 */
export async function writeInSlices<Row>(
  writer: Writer,
  rows: Iterable<Row>,
  { write, sizeOf }: { write: (row: Row) => void; sizeOf: (row: Row) => number },
): Promise<void> {
  const iterator = Iterator.from(rows);
  for (let next = iterator.next(); !next.done; ) {
    const slice: Row[] = [];
    for (let size = 0; !next.done && slice.length < maxRows && size < maxCharacters; ) {
      slice.push(next.value);
      size += sizeOf(next.value);
      next = iterator.next();
    }
    writer.write(() => slice.forEach(write));
    await setImmediate();
  }
}
