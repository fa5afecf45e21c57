import { StoreUnavailableError } from '../../state/store.ts';

/** Primary result codes of SQLite. */
export const sqliteCodes = {
  busy: 5,
  noMemory: 7,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const;

const codes: ReadonlySet<number> = new Set(Object.values(sqliteCodes));

/**
 * The primary result code of an error that SQLite gave for the state of a file or the machine;
 * undefined for another error, such as that of a wrong statement.
 */
export function codeOf(error: unknown): number | undefined {
  const { errcode } = error as { errcode?: unknown };
  const code = typeof errcode === 'number' ? errcode & 0xff : -1;
  return codes.has(code) ? code : undefined;
}

/**
 * What callers are told where SQLite could not write a file, which may pass; undefined for other
 * errors.
 */
export function toUnavailable(error: unknown, file: string): StoreUnavailableError | undefined {
  const code = codeOf(error);
  if (code === undefined) return undefined;
  const problem =
    code === sqliteCodes.full
      ? `The disk of ${file} is full`
      : `${file} cannot be written (${(error as Error).message})`;
  return new StoreUnavailableError(`${problem}, so nothing was changed.`);
}
