import { toMegabytes } from '../state/budget.ts';
import { type Admit, OutOfRoomError } from '../state/store.ts';
import { bytesOf } from '../state/tables.ts';
import type { Held } from './sandbox.ts';

/** The memory that items may take. */
export interface Room {
  /** Throws {@link OutOfRoomError} if there is no room for more. */
  ensure(more: Iterable<Held>, held: Iterable<Held>): void;
  /**
   * Throws {@link OutOfRoomError} where there is no room for an item of so many bytes that is about
   * to be added to a store that is held.
   */
  admit: Admit;
}

type RoomOptions = {
  /** The total of bytes. */
  max: number;
  /** What is not counted. */
  free: () => Iterable<Held>;
  /** What is held now. */
  held: () => Iterable<Held>;
};

/** Counts the memory of items, at most `max` bytes; what `free` returns is not counted. */
export function createRoom({ max, free, held: heldNow }: RoomOptions): Room {
  const refuse = (taken: number, wanted: number) =>
    new OutOfRoomError(
      `Sandboxes and snapshots may take ${toMegabytes(max)} for their own items, of which ${toMegabytes(taken)} are used, and this needs ${toMegabytes(wanted)}. Delete what is no longer used (POST /__admin/reset, DELETE /__admin/sandboxes/NAME, DELETE /__admin/snapshots/NAME), or give the twin's Node more with --max-old-space-size.`,
    );
  /** What may be added before it is counted again. */
  let spare = 0;
  return {
    ensure(more, held) {
      spare = 0;
      const wanted = bytesOf(more, [...held, ...free()]);
      const taken = bytesOf(held, free());
      if (wanted > 0 && taken + wanted > max) throw refuse(taken, wanted);
    },
    admit(wanted) {
      spare -= wanted;
      if (spare >= 0) return;
      spare = 0;
      const taken = bytesOf(heldNow(), free());
      const left = max - taken - wanted;
      if (left < 0) throw refuse(taken, wanted);
      spare = Math.min(left, max / 16);
    },
  };
}
