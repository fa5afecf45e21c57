import type { RawDocument } from '../schema.ts';

/** A part of a document that cannot be used, or not as it is written. */
export type Fault = {
  /** A JSON pointer, without `#`. */
  pointer: string;
  /**
   * What is wrong and what comes of it, as a sentence without its end; undefined where nothing is,
   * and the same is only written otherwise.
   */
  problem?: string;
  /** Whether nothing else is read otherwise once it is mended. */
  isSettled?: boolean;
  /** Takes the part out, or puts something that can be used in its place. */
  mend: () => void;
};

/** What takes a part away; of a list, the others are left where they are until all is mended. */
export function removal(holder: RawDocument, key: string | number): () => void {
  return () => {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
  };
}
