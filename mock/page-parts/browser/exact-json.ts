import { readExact } from '../../../contracts/json-text.ts';

/** Parses JSON; an integer that a double cannot hold is a bigint. Throws a SyntaxError. */
export const parseJson = readExact;

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
