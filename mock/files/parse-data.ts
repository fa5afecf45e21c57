import { type ExactJson, JsonSizeError, NestingError, parseExact } from '../json/exact-json.ts';
import { DataSyntaxError } from './data-json.ts';
import type { DataText } from './data-text.ts';
import { yamlToJson } from './yaml-text.ts';

/** Parses the text of data, integers exact. Rejects with {@link DataSyntaxError}. */
export async function parseData({ text, format }: DataText): Promise<ExactJson> {
  try {
    return parseExact(format === 'YAML' ? await yamlToJson(text) : text);
  } catch (error) {
    if (error instanceof NestingError || error instanceof JsonSizeError)
      throw new DataSyntaxError(`has too much in it: ${error.message}.`);
    throw error instanceof SyntaxError ? toJsonError(error, text) : error;
  }
}

function toJsonError({ message }: SyntaxError, text: string): DataSyntaxError {
  // Some of its messages quote the text.
  const reason = message
    .replace(/, (\.\.\.)?".*is not valid JSON$/s, '')
    .replace(/ in JSON at position.*$/s, '');
  const at = /at position (\d+)/.exec(message)?.[1];
  return new DataSyntaxError(`is not valid JSON: ${reason}.`, {
    at: at === undefined ? findUnexpected(text) : Number(at),
  });
}

/**
 * Where a JSON text has a token that cannot be there, or its end: V8 does not say where that is. A
 * part of the text up to there is not finished, and no more than that.
 */
function findUnexpected(text: string): number {
  const isWrong = (length: number) => {
    try {
      JSON.parse(text.slice(0, length));
      return false;
    } catch (error) {
      return /^Unexpected token/.test((error as Error).message);
    }
  };
  let [good, wrong] = [0, text.length + 1];
  while (wrong - good > 1) {
    const middle = (good + wrong) >> 1;
    if (middle <= text.length && isWrong(middle)) wrong = middle;
    else good = middle;
  }
  return wrong - 1;
}
