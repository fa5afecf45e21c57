import type { WriteStream } from 'node:tty';
import { clip } from '../look/layout.ts';
import { toVisible } from '../look/visible.ts';

/** Shows on a terminal how far a long task is. */
export interface ProgressLine {
  show(text: string): void;
  /** Takes it away. */
  clear(): void;
}

/** The first time at which a task counts as long, and the time between two texts, in milliseconds. */
const patience = 900;
const interval = 100;

/** A stream that may be a terminal. */
export type Output = Pick<WriteStream, 'write'> & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;

/** A line on standard error that appears from the second second on, and on a terminal alone. */
export function createProgressLine(stderr: Output = process.stderr): ProgressLine {
  const start = performance.now();
  let shownAt: number | undefined;
  return {
    show(text) {
      const now = performance.now();
      if (!stderr.isTTY || now < (shownAt ?? start + patience) + interval) return;
      shownAt = now;
      stderr.write(`\r\x1b[K${clip(toVisible(text), Math.max(40, (stderr.columns || 80) - 1))}`);
    },
    clear() {
      if (shownAt !== undefined) stderr.write('\r\x1b[K');
      shownAt = undefined;
    },
  };
}
