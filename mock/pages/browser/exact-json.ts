import { mayHoldInexactNumber } from '../../json/exact-integers.ts';

declare global {
  // Browsers have it (ECMA-262, JSON.parse source text access); TypeScript does not know it yet.
  interface JSON {
    parse(
      text: string,
      reviver: (name: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown;
  }
}

/** Parses JSON; an integer that a double cannot hold is a bigint. Throws a SyntaxError. */
export function parseJson(text: string): unknown {
  if (!mayHoldInexactNumber(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value, { source = '' }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
      ? BigInt(source)
      : value,
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
