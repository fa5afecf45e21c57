export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;

export type LogLevel = (typeof logLevels)[number];

/** Tells a person what happens, a line each; what a request says is shown without control characters. */
export type Log = Record<Exclude<LogLevel, 'silent'>, (message: string) => void> & { readonly level: LogLevel };

export function createLog(level: LogLevel, write: (line: string) => void = (line) => process.stderr.write(line)): Log {
  const writer = (of: LogLevel) =>
    logLevels.indexOf(of) <= logLevels.indexOf(level) ? (message: string) => write(`${toPlainText(message)}\n`) : () => {};
  return { level, error: writer('error'), warn: writer('warn'), info: writer('info'), debug: writer('debug') };
}

/** Text that cannot steer a terminal: C0 (but line breaks), C1 and DEL are shown as escapes. */
export function toPlainText(text: string): string {
  return text.replace(/(?!\n)\p{Cc}/gu, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
