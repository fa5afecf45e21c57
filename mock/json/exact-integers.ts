declare global {
  // Node and browsers have it (ECMA-262, JSON.parse source text access); TypeScript does not know
  // it yet.
  interface JSON {
    rawJSON(text: string): unknown;
  }
}

/**
 * Whether a JSON text may hold a number that a double cannot: a double holds any number of 15
 * digits, so such a number has more of them, or an exponent.
 */
export function mayHoldInexactNumber(text: string): boolean {
  return /[\d.]{16}|\d[eE]/.test(text);
}

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
