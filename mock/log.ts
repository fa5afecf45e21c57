import type { Writable } from 'node:stream';

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;

export type LogLevel = (typeof logLevels)[number];

/**
 * Tells a person what happens, a line each, but for the stacks of errors; nothing in a message can
 * steer a terminal.
 */
export type Log = Record<Exclude<LogLevel, 'silent'>, (message: string) => void> & {
  readonly level: LogLevel;
};

export function createLog(level: LogLevel, write = createLineWriter(process.stderr)): Log {
  const writer = (of: LogLevel, toPlain = toPlainLine) =>
    logLevels.indexOf(of) <= logLevels.indexOf(level)
      ? (message: string) => write(`${toPlain(message)}\n`)
      : () => {};
  // An error comes with its stack.
  return {
    level,
    error: writer('error', toPlainText),
    warn: writer('warn'),
    info: writer('info'),
    debug: writer('debug'),
  };
}

/** How much of a log may wait for somebody who reads it, in characters. */
const maxUnread = 1024 * 1024;

/**
 * Makes what writes lines to a stream as long as they are read. It drops those that would wait
 * behind too many others, and says how many once there is room again.
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

/**
 * Text that cannot steer a terminal: C0 (but line breaks), C1, DEL and what turns the direction of
 * text are shown as escapes.
 */
export function toPlainText(text: string): string {
  return text.replace(/(?!\n)[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, toEscape);
}

/** The same as one line. */
export function toPlainLine(text: string): string {
  return toPlainText(text).replaceAll('\n', toEscape);
}

function toEscape(char: string): string {
  const code = char.charCodeAt(0).toString(16);
  return code.length > 2 ? `\\u${code}` : `\\x${code.padStart(2, '0')}`;
}
