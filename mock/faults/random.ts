/** Gives the next number of a sequence, at least 0 and below 1. */
export type Random = () => number;

/** The largest number that is a seed, as sequences hold 32 bits. */
export const maxSeed = 2 ** 32 - 1;

/**
 * A sequence determined by its seed (mulberry32), which is a number or a text, or at a position of
 * one. It is of a class, as a rule has two, and closures would take many times its memory.
 */
export class Sequence {
  /** A whole number of 32 bits. */
  position: number;

  constructor(seed: number | string) {
    this.position = (typeof seed === 'number' ? seed : hashOf(seed)) | 0;
  }

  next(): number {
    const state = (this.position + 0x6d2b79f5) | 0;
    this.position = state;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

/** The numbers of a sequence. */
export function createRandom(seed: number | string): Random {
  const sequence = new Sequence(seed);
  return () => sequence.next();
}

/** The number from 0 to 2^32 - 1 that a text gives as a seed (FNV-1a). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
