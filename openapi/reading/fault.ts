import type { RawDocument } from '../schema.ts';

/** A part of a document that cannot be used, or not as it is written. */
export type Fault = {
  /** A JSON pointer, without `#`. */
  pointer: string;
  /**
   * The problem and its consequence, as a sentence without a full stop; undefined if nothing is
   * wrong and only the form changes.
   */
  problem?: string;
  /** Whether nothing else is read otherwise once it is mended. */
  isSettled?: boolean;
  /** Takes the part out, or puts something that can be used in its place. */
  mend: () => void;
};

/** Creates a mend that removes a part; items of a list keep their places until all is mended. */
export function removal(holder: RawDocument, key: string | number): () => void {
  return () => {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
  };
}
