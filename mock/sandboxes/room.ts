import {
  type Admit,
  type Collections,
  OutOfRoomError,
  type Store,
  type Stores,
} from '../state/store.ts';

/** What takes memory: stores, and collections such as seeds and saved ones. */
export type Held = Store | Collections;

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

export type RoomOptions = {
  /** The total of bytes. */
  max: number;
  bytesOf: Stores['bytesOf'];
  /** What is not counted. */
  free: () => Iterable<Held>;
  /** What is held now. */
  held: () => Iterable<Held>;
};

/** Counts the memory of items, at most `max` bytes; what `free` returns is not counted. */
export function createRoom({ max, bytesOf, free, held: heldNow }: RoomOptions): Room {
  /**
   * What may be added until all is counted anew: a hundredth of the room, so that other changes are
   * soon noticed.
   */
  let credit = 0;
  const refuse = (taken: number, wanted: number) =>
    new OutOfRoomError(
      `Sandboxes and snapshots may take ${toMegabytes(max)} for their own items, of which ${toMegabytes(taken)} are used, and this needs ${toMegabytes(wanted)}. Delete what is no longer used (POST /__admin/reset, DELETE /__admin/sandboxes/NAME, DELETE /__admin/snapshots/NAME), or give the twin's Node more with --max-old-space-size.`,
    );
  return {
    ensure(more, held) {
      const wanted = bytesOf(more, [...held, ...free()]);
      const taken = bytesOf(held, free());
      if (wanted > 0 && taken + wanted > max) throw refuse(taken, wanted);
    },
    admit(wanted) {
      if (wanted > credit) {
        const taken = bytesOf(heldNow(), free());
        if (taken + wanted > max) throw refuse(taken, wanted);
        credit = Math.min(max - taken, Math.max(max / 100, wanted));
      }
      credit -= wanted;
    },
  };
}

function toMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`;
}
