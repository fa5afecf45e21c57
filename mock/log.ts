import type { Writable } from 'node:stream';
import { toPrinted } from '../common/look/print.ts';
import { toVisible } from '../common/look/visible.ts';

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;

export type LogLevel = (typeof logLevels)[number];

/**
 * Logs messages for people, one line each except for stacks of errors. Messages cannot control a
 * terminal.
 */
export type Log = Record<Exclude<LogLevel, 'silent'>, (message: string) => void> & {
  readonly level: LogLevel;
};

export function createLog(level: LogLevel, write = createLineWriter(process.stderr)): Log {
  const writer = (of: LogLevel, toLine = toVisible) =>
    logLevels.indexOf(of) <= logLevels.indexOf(level)
      ? (message: string) => write(`${toPrinted(toLine(message))}\n`)
      : () => {};
  // An error comes with its stack.
  return {
    level,
    error: writer('error', (stack) => stack),
    warn: writer('warn'),
    info: writer('info'),
    debug: writer('debug'),
  };
}

/** The maximum number of characters that may wait for a reader of the log. */
const maxUnread = 1024 * 1024;

/**
 * Creates a writer of lines to a stream. If too many characters wait for the reader, lines are
 * dropped, and a later line says how many.
 */
export function createLineWriter(
  stream: Pick<Writable, 'write' | 'writableLength'>,
): (line: string) => void {
  let dropped = 0;
  return (line) => {
    if (stream.writableLength > maxUnread) {
      dropped += 1;
      return;
    }
    if (dropped > 0)
      stream.write(`${dropped} lines of the log were dropped, as it was not read fast enough.\n`);
    dropped = 0;
    stream.write(line);
  };
}
