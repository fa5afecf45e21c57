import { count } from '../cli/count.ts';
import { UsageError } from '../cli/usage-error.ts';

/**
 * Why an entry of a recording is no exchange with a deployment: it is broken or too long to read, the
 * file was cut, a cache answered, the client never sent it, or it is not HTTP.
 */
export type SkipKind = 'broken' | 'cut' | 'too-long' | 'from-cache' | 'not-sent' | 'not-http';

/**
 * An entry that is passed over: its number, from 1, and why, as the end of a sentence about it. Without
 * a number, the sentence is about the file.
 */
export type SkippedEntry = {
  entry?: number;
  /** Whether the recording has a line for each entry, so that its number is that of the line. */
  isLine?: true;
  kind: SkipKind;
  problem: string;
};

/** What a value of a recording is, where it is no exchange. */
export type NoExchange = Pick<SkippedEntry, 'kind' | 'problem'>;

/** A value that is not of the form of an exchange; the problem ends a sentence about it. */
export function toBroken(problem: string): NoExchange {
  return { kind: 'broken', problem };
}

/** What is wrong with which entry of a file, in a sentence without its full stop. */
export function describeSkipped(file: string, { entry, isLine, problem }: SkippedEntry): string {
  const place = isLine ? `line ${entry}` : `entry ${entry}`;
  return `${file}: ${entry === undefined ? 'the file' : place} ${problem}`;
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
  note(file: string, skipped: SkippedEntry): void {
    this.#count += 1;
    if (this.#count <= maxNamed) this.#say(`${describeSkipped(file, skipped)}.`);
  }

  /** Says how many were not named; `where` begins the sentence. */
  end(where = ''): void {
    const more = this.#count - maxNamed;
    if (more > 0)
      this.#say(`${where}${count(more, 'more entry', 'more entries')} could not be read.`);
  }
}

/** A recording cannot be read at all; the message says why, and what to do. */
export class RecordingError extends UsageError {
  /** The message without the name of the file, as the end of a sentence. */
  readonly reason: string;

  constructor(file: string, reason: string) {
    super(`${file} ${reason}`);
    this.reason = reason;
  }
}
