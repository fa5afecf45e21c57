declare global {
  // Browsers have them (ECMA-262, JSON.parse source text access); TypeScript does not know them yet.
  interface JSON {
    rawJSON(text: string): unknown;
    parse(
      text: string,
      reviver: (name: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown;
  }
}

/** A double holds any number of 15 digits. */
const mayHoldInexactNumber = /[\d.]{16}|\d[eE]/;

/** Parses JSON; an integer that a double cannot hold is a bigint. Throws a SyntaxError. */
export function parseJson(text: string): unknown {
  if (!mayHoldInexactNumber.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value, { source = '' }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
      ? BigInt(source)
      : value,
  );
}

/** Writes JSON, bigints as integers. */
export function toJson(value: unknown, indent?: number): string {
  return JSON.stringify(
    value,
    (_, inner) => (typeof inner === 'bigint' ? JSON.rawJSON(String(inner)) : inner),
    indent,
  );
}

/** So deep levels are indented; deeper ones would fill the page with spaces. */
const maxIndent = 32;

/**
 * JSON on lines of its own; only white space changes, so numbers, repeated names and their order
 * stay. Undefined for what is no JSON.
 */
export function indentJson(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const tokens = text.match(/"(?:\\.|[^"\\])*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  let depth = 0;
  const newLine = () => `\n${'  '.repeat(Math.min(depth, maxIndent))}`;
  let shown = '';
  for (const [at, token] of tokens.entries()) {
    const isEmpty = /^[}\]]$/.test(token) && /^[{[]$/.test(tokens[at - 1] ?? '');
    if (token === '}' || token === ']') {
      depth -= 1;
      shown += isEmpty ? token : newLine() + token;
    } else if (token === '{' || token === '[') {
      depth += 1;
      shown += /^[}\]]$/.test(tokens[at + 1] ?? '') ? token : token + newLine();
    } else if (token === ',') shown += token + newLine();
    else shown += token === ':' ? ': ' : token;
  }
  return shown;
}
