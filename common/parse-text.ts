import { load, mapTag, mergeTag } from 'js-yaml';
import { exactYaml, toExact } from './exact-yaml.ts';
import { toToken } from './json-pointer.ts';

const yaml = exactYaml.withTags(mergeTag);

/** The value of a text, and whether its form shows that no number of it needs a bigint. */
export type ParsedText = { value: unknown; hasDoublesOnly: boolean };

/** Parses JSON or YAML as {@link parseWhole} does. */
export function parseText(source: string): unknown {
  return parseWhole(source).value;
}

/** Receives the pointer of a repaired value, and the problem unless it is a repeated key. */
type OnRepeat = (pointer: string, problem?: string) => void;

/**
 * Parses JSON or YAML, with integers that a double cannot hold as bigints, and with the last of
 * equal keys of one object; `onRepeat` gets the JSON pointer of each but the first. Throws what the
 * parser of YAML throws, and {@link refuseRepeats}.
 */
export function parseWhole(source: string, onRepeat?: OnRepeat): ParsedText {
  const text = source.replace(/^\ufeff/, '');
  if (/^\s*[[{]/.test(text)) {
    try {
      const hasDoublesOnly = !longInteger.test(text);
      const value = hasDoublesOnly
        ? JSON.parse(text)
        : JSON.parse(text, (_, value, { source: written }) => toExact(value, written));
      if (onRepeat && repeatsKeys(text, countKeys(value))) loadYaml(text, onRepeat);
      return { value, hasDoublesOnly };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return { value: loadYaml(text, onRepeat), hasDoublesOnly: !/\d{16}/.test(text) };
}

/** An integer of JSON that a double may not hold, or a text that looks like one; few have its digits. */
const longInteger = /\d{16}(?<=[[:,]\s*-?\d{16})/;

const [space, quote, backslash] = [32, 34, 92];

/** Whether JSON has more keys than the value that is read from it. */
function repeatsKeys(text: string, keys: number): boolean {
  let colons = 0;
  // Within a text, a colon may follow a quote, too: there are no fewer than keys.
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) <= space) before -= 1;
    if (text.charCodeAt(before) !== quote) continue;
    if (text.charCodeAt(before - 1) !== backslash || !isEscaped(text, before)) colons += 1;
  }
  return colons > keys && countColons(text) > keys;
}

/** Whether an odd number of backslashes stands before a place. */
function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === '\\') start -= 1;
  return (at - start) % 2 === 1;
}

/** Counts the colons of JSON outside of its texts, one for each key. */
function countColons(text: string): number {
  let colons = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === ':') colons += 1;
    // Within a text, a backslash is followed by what ends nothing.
    if (character === '"')
      for (at += 1; text[at] !== '"' && at < text.length; at++) if (text[at] === '\\') at += 1;
  }
  return colons;
}

function countKeys(value: unknown): number {
  let sum = 0;
  // A loop over names makes no list of them.
  if (Array.isArray(value)) for (const inner of value) sum += countKeys(inner);
  else if (typeof value === 'object' && value !== null)
    for (const name in value) sum += 1 + countKeys((value as Record<string, unknown>)[name]);
  return sum;
}

function loadYaml(text: string, onRepeat?: OnRepeat): unknown {
  const repeats = new Map<unknown, unknown[]>();
  // With `json`, only merges ask for keys; what they bring in may be given again.
  const merged: typeof repeats = new Map();
  const add = (to: typeof repeats, object: unknown, key: unknown) =>
    to.set(object, [...(to.get(object) ?? []), key]);
  const has: typeof mapTag.has = (object, key) => {
    if (!mapTag.has(object, key)) add(merged, object, key);
    return mapTag.has(object, key);
  };
  const addPair: typeof mapTag.addPair = (object, key, value) => {
    if (mapTag.has(object, key)) add(repeats, object, key);
    return mapTag.addPair(object, key, value);
  };
  const schema = onRepeat ? yaml.withTags({ ...mapTag, has, addPair }) : yaml;
  const value = refuseRepeats(loadWithTabs(text, { schema, json: true }, onRepeat), text);
  const find = (node: unknown, at: string): void => {
    for (const key of repeats.get(node) ?? [])
      if (!merged.get(node)?.includes(key)) onRepeat?.(`${at}/${toToken(String(key))}`);
    if (typeof node !== 'object' || node === null) return;
    for (const [key, inner] of Object.entries(node)) find(inner, `${at}/${toToken(key)}`);
  };
  if (repeats.size > 0) find(value, '');
  return value;
}

/** Loads YAML, which indents with spaces, also where it is indented with tabs. */
function loadWithTabs(
  text: string,
  options: Parameters<typeof load>[1],
  onRepeat?: OnRepeat,
): unknown {
  try {
    return load(text, options);
  } catch (error) {
    if (!text.includes('\t')) throw error;
    try {
      const value = load(
        text.replace(/^[ \t]+/gm, (indent) => indent.replaceAll('\t', '  ')),
        options,
      );
      onRepeat?.('', 'YAML is indented with spaces; each tab there is read as two of them');
      return value;
    } catch {
      throw error;
    }
  }
}

/** How many values aliases may repeat: what uses a value sees each of them. */
const maxRepeated = 1_000_000;

/**
 * Returns a parsed YAML value. Throws if its aliases repeat too many values, or if an alias
 * contains itself.
 */
function refuseRepeats<Value>(value: Value, { length }: string): Value {
  const known = new Map<unknown, number | 'open'>();
  const count = (node: unknown): number => {
    if (typeof node !== 'object' || node === null) return 1;
    const found = known.get(node);
    if (found === 'open')
      throw new Error('an alias contains itself; refer to a schema with $ref instead');
    if (found !== undefined) return found;
    known.set(node, 'open');
    const total = Object.values(node).reduce((sum, inner) => sum + count(inner), 1);
    known.set(node, total);
    return total;
  };
  if (count(value) <= maxRepeated + length) return value;
  throw new Error(`its aliases repeat more than ${maxRepeated.toLocaleString('en')} values`);
}
