/**
 * A text as a column of the type ANY holds it: as TEXT, or as a BLOB of UTF-16 where it has halves
 * of surrogate pairs, which TEXT would make all alike.
 */
export function toColumn(text: string): string | Uint8Array {
  return text.isWellFormed() ? text : new Uint8Array(Buffer.from(text, 'utf16le'));
}

/** The text of such a column. */
export function fromColumn(column: unknown): string {
  return column instanceof Uint8Array
    ? Buffer.from(column.buffer, column.byteOffset, column.byteLength).toString('utf16le')
    : String(column);
}
