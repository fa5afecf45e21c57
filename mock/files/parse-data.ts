import { load, YAMLException } from 'js-yaml';
import { exactYaml } from '../../contracts/description/exact-parser.ts';
import { toToken } from '../../contracts/description/json-pointer.ts';
import { stringifyExact } from '../json/exact-integers.ts';
import {
  type ExactJson,
  JsonSizeError,
  maxDepth,
  NestingError,
  parseExact,
} from '../json/exact-json.ts';
import { type DataText, maxDataLength } from './data-text.ts';

/** Why data cannot be parsed: `at` is the place in its text, or `pointer` the place in its value. */
export class DataSyntaxError extends Error {
  readonly at: number | undefined;
  readonly pointer: string | undefined;

  constructor(message: string, { at, pointer }: { at?: number; pointer?: string } = {}) {
    super(message);
    this.at = at;
    this.pointer = pointer;
  }
}

/** Parses the text of data, integers exact. Throws {@link DataSyntaxError}. */
export function parseData({ text, format }: DataText): ExactJson {
  try {
    return parseExact(format === 'YAML' ? toDataJson(parseYaml(text)) : text);
  } catch (error) {
    if (error instanceof NestingError || error instanceof JsonSizeError)
      throw new DataSyntaxError(`has too much in it: ${error.message}.`);
    throw error instanceof SyntaxError ? toJsonError(error, text) : error;
  }
}

/** A value of code or YAML as JSON, bigints as integers. Throws {@link DataSyntaxError}. */
export function toDataJson(value: unknown): string {
  ensureJson(value);
  return stringifyExact(value) ?? 'null';
}

function parseYaml(text: string): unknown {
  try {
    return load(text, { schema: exactYaml, maxDepth });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { reason, mark } = error;
    throw new DataSyntaxError(`is not valid YAML: ${reason}.`, mark && { at: mark.position });
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

/**
 * Throws for what JSON cannot hold, and for what would be too long as JSON, since a value may hold
 * another one several times, or itself.
 */
function ensureJson(root: unknown): void {
  let left = maxDataLength;
  const names: string[] = [];
  const visit = (value: unknown): void => {
    left -= typeof value === 'string' ? value.length + 2 : 2;
    if (left < 0)
      throw new DataSyntaxError(
        `has too much in it: as JSON it would have more than ${maxDataLength.toLocaleString('en')} bytes.`,
      );
    if (typeof value === 'number' && !Number.isFinite(value)) throw notInJson(value, names);
    if (typeof value !== 'object' || value === null) return;
    if (names.length === maxDepth)
      throw new DataSyntaxError(
        `is nested too deeply: at most ${maxDepth} levels are allowed, and no value may contain itself.`,
      );
    for (const [name, inner] of Object.entries(value)) {
      names.push(name);
      visit(inner);
      names.pop();
    }
  };
  visit(root);
}

function notInJson(value: number, names: readonly string[]): DataSyntaxError {
  const pointer = names.map((name) => `/${toToken(name)}`).join('');
  const problem = `"${pointer.slice(1)}" must be a number of JSON, but is ${value}.`;
  return new DataSyntaxError(problem, { pointer });
}
