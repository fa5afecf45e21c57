/** Writes JSON text, bigints as integers. */
export function stringifyExact(value: unknown, indent?: number): string {
  try {
    // A replacer takes several times as long, and few values have bigints.
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  return JSON.stringify(
    value,
    (_, inner) => (typeof inner === 'bigint' ? JSON.rawJSON(String(inner)) : inner),
    indent,
  );
}
