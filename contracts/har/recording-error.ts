import { UsageError } from '../cli/usage-error.ts';
/** A recording cannot be read at all; the message says why, and what to do. */
export class RecordingError extends UsageError {
  /** The message without the name of the file, as the end of a sentence. */
  readonly reason: string;

  constructor(file: string, reason: string) {
    super(`${file} ${reason}`);
    this.reason = reason;
  }
}
