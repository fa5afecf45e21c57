declare global {
  // Node has both (ECMA-262, JSON.parse source text access); TypeScript does not know them yet.
  interface JSON {
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
    rawJSON(text: string): unknown;
  }
}

/** Parses JSON; an integer that a double cannot hold is a bigint. Undefined where the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, (_, value, { source = '' }) =>
      typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value,
    );
  } catch {
    return undefined;
  }
}

/** A body in each form that checks look at: its bytes, its text, and what it says as JSON. */
export function readBody(body: Uint8Array): { body: Uint8Array; text: string; json: unknown } {
  const text = Buffer.from(body).toString('utf8');
  return { body, text, json: parseJson(text.replace(/^\ufeff/, '')) };
}

/** Writes JSON, bigints as integers. */
export function toJson(value: unknown, indent?: number): string {
  return (
    JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? JSON.rawJSON(String(inner)) : inner), indent) ?? 'nothing'
  );
}

/** The value with bigints as doubles, for libraries that know no others. */
export function withDoubles(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withDoubles);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withDoubles(inner)]));
}
