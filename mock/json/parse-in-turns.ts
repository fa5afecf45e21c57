import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { marks, scanJson } from '../../contracts/json-text.ts';
import {
  createExtent,
  type ExactJson,
  JsonSizeError,
  NestingError,
  parseExact,
  parsePart,
} from './exact-json.ts';

/** A long array that lies in no other one: where its brackets are, and commas to cut it at. */
type LongArray = { start: number; end: number; cuts: readonly number[] };

/** How many characters are read in a turn, before other requests have theirs: some 15 ms of work. */
const defaultPartLength = 500_000;

/**
 * Parses JSON text as {@link parseExact} does, long arrays a part in each turn of the event loop, as
 * one of 33 MB would keep all other requests waiting for a second.
 */
export async function parseInTurns(
  text: string,
  { partLength = defaultPartLength } = {},
): Promise<ExactJson> {
  try {
    // Making the text took a turn already.
    await setImmediate();
    const arrays = await findLongArrays(text, partLength);
    return arrays.length === 0 ? parseExact(text) : await parseParts(text, arrays);
  } catch (error) {
    const isBound = error instanceof NestingError || error instanceof JsonSizeError;
    if (isBound || !(error instanceof SyntaxError)) throw error;
    // What is wrong with the whole text, and where.
    return parseExact(text);
  }
}

/** Throws {@link NestingError} or {@link JsonSizeError}. */
async function findLongArrays(text: string, partLength: number): Promise<LongArray[]> {
  const arrays: LongArray[] = [];
  const extent = createExtent();
  let outer: { start: number; depth: number; from: number; cuts: number[] } | undefined;
  const visit = (mark: number, at: number) => {
    const { depth } = extent;
    extent.count(mark);
    if (mark === marks.bracket)
      outer ??= { start: at, depth: extent.depth, from: at + 1, cuts: [] };
    else if (depth !== outer?.depth) return;
    else if (mark === marks.comma && at - outer.from >= partLength) {
      outer.cuts.push(at);
      outer.from = at + 1;
    } else if (extent.depth < depth) {
      if (outer.cuts.length > 0) arrays.push({ ...outer, end: at });
      outer = undefined;
    }
  };
  for (let at = 0; at < text.length; ) {
    const end = Math.min(at + 2 * partLength, text.length);
    at = scanJson(text, visit, { start: at, end });
    await setImmediate();
  }
  return arrays;
}

/** Throws a SyntaxError for what is no JSON, which need not be the one for the whole text. */
async function parseParts(text: string, arrays: readonly LongArray[]): Promise<ExactJson> {
  // Nobody can guess it, so no other text is the same.
  const mark = randomUUID();
  const inexact = { count: 0 };
  const values: unknown[][] = [];
  const doubles: unknown[][] = [];
  let hasOther = false;
  let rest = '';
  let copied = 0;
  for (const { start, end, cuts } of arrays) {
    if (text[end] !== ']') throw new SyntaxError();
    rest += `${text.slice(copied, start)}"${mark}${values.length}"`;
    copied = end + 1;
    const ofValues: unknown[] = [];
    const ofDoubles: unknown[] = [];
    let from = start + 1;
    for (const cut of [...cuts, end]) {
      const part = parsePart(`[${text.slice(from, cut)}]`, inexact);
      const elements = part.value as unknown[];
      // Behind a comma there is an element.
      if (elements.length === 0) throw new SyntaxError();
      for (const element of elements) ofValues.push(element);
      for (const element of part.doubles as unknown[]) ofDoubles.push(element);
      hasOther ||= part.doubles !== part.value;
      from = cut + 1;
      await setImmediate();
    }
    values.push(ofValues);
    doubles.push(ofDoubles);
  }
  rest += text.slice(copied);
  const parsed = parsePart(rest, inexact);
  hasOther ||= parsed.doubles !== parsed.value;
  const value = fill(parsed.value, mark, values);
  if (!hasOther) return { value, doubles: value };
  const other = parsed.doubles === parsed.value ? parsePart(rest, inexact).value : parsed.doubles;
  return { value, doubles: fill(other, mark, doubles) };
}

/** Puts arrays in place of the texts that stand for them, in the value itself. */
function fill(value: unknown, mark: string, arrays: readonly unknown[][]): unknown {
  if (typeof value === 'string')
    return value.startsWith(mark) ? arrays[Number(value.slice(mark.length))] : value;
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Record<string, unknown>;
  for (const name of Object.keys(fields)) {
    const filled = fill(fields[name], mark, arrays);
    if (filled !== fields[name]) fields[name] = filled;
  }
  return value;
}
