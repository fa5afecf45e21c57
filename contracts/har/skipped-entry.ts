import { count } from '../../common/cli/count.ts';
import { UsageError } from '../../common/cli/usage-error.ts';

/**
 * Why an entry of a recording is no exchange with a deployment: it is broken, a cache
 * answered, or it is not HTTP.
 */
export type SkipKind = 'broken' | 'from-cache' | 'not-http';

/** The kind and problem of a value that is no exchange; `problem` ends a sentence about it. */
export type NoExchange = { kind: SkipKind; problem: string };

/** An entry that is passed over, with its place, such as `entry 1`. */
export type SkippedEntry = NoExchange & { place: string };

/** A value that is not of the form of an exchange. */
export function toBroken(problem: string): NoExchange {
  return { kind: 'broken', problem };
}

/** How many entries that cannot be read are named; the others are counted. */
const maxNamed = 10;

/** Says what is wrong with entries of recordings, in a sentence each. */
export class SkippedNotes {
  readonly #say: (sentence: string) => void;
  #count = 0;

  constructor(say: (sentence: string) => void) {
    this.#say = say;
  }

  /** Names an entry that cannot be read. */
  note(file: string, { place, problem }: SkippedEntry): void {
    this.#count += 1;
    if (this.#count <= maxNamed) this.#say(`${file}: ${place} ${problem}.`);
  }

  /** Says how many were not named. */
  end(): void {
    const more = this.#count - maxNamed;
    if (more > 0) this.#say(`${count(more, 'more entry', 'more entries')} could not be read.`);
  }
}

/** A recording cannot be read at all; the message says why, and what to do. */
export class RecordingError extends UsageError {
  constructor(file: string, reason: string) {
    super(`${file} ${reason}`);
  }
}
