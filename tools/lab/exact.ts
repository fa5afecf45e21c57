/** Parses JSON; every number written as an integer becomes a bigint. Throws a SyntaxError. */
export function parseJson(text: string): unknown {
  return JSON.parse(text, (_, value, { source = '' }) =>
    typeof value !== 'number'
      ? value
      : /^-?\d+$/.test(source)
        ? BigInt(source)
        : Number.isInteger(value)
          ? BigInt(value)
          : value,
  );
}

/** Writes JSON; a bigint becomes its digits. */
export function toJson(value: unknown, indent?: number): string {
  return (
    JSON.stringify(
      value,
      (_, inner) => (typeof inner === 'bigint' ? JSON.rawJSON(String(inner)) : inner),
      indent,
    ) ?? ''
  );
}

export function isJson(content: string): boolean {
  try {
    JSON.parse(content);
    return true;
  } catch {
    return false;
  }
}
