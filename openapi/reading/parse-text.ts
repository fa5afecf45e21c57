import { load, mapTag, mergeTag } from 'js-yaml';
import { toToken } from '../../common/json-pointer.ts';
import { exactYaml, toExact } from '../exact-parser.ts';

/** A number of 16 digits or more where a value may be, which a double may not hold. */
const longNumber = /[:[,\s]-?\d{16}/;

const yaml = exactYaml.withTags(mergeTag);

/**
 * Parses JSON or YAML, with integers that a double cannot hold as bigints, and with the last of
 * equal keys of one object; `onRepeat` gets the JSON pointer of each but the first. Throws what the
 * parser of YAML throws, and {@link refuseRepeats}.
 */
export function parseText(source: string, onRepeat?: (pointer: string) => void): unknown {
  const text = source.replace(/^\ufeff/, '');
  if (/^\s*[[{]/.test(text)) {
    try {
      const value = longNumber.test(text)
        ? JSON.parse(text, (_, value, { source: written }) => toExact(value, written))
        : JSON.parse(text);
      if (onRepeat && countKeys(value) < (text.match(jsonKey)?.length ?? 0))
        loadYaml(text, onRepeat);
      return value;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return refuseRepeats(loadYaml(text, onRepeat), text);
}

/** Matches the end of a key of JSON; in a text, a quote is escaped. */
const jsonKey = /(?<!\\)(?:\\\\)*"\s*:/g;

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  return inner.reduce((sum, one) => sum + countKeys(one), Array.isArray(value) ? 0 : inner.length);
}

function loadYaml(text: string, onRepeat?: (pointer: string) => void): unknown {
  const repeats: [object: unknown, key: unknown][] = [];
  // With `json`, only merges ask for keys; what they bring in may be given again.
  const merged: typeof repeats = [];
  const has: typeof mapTag.has = (object, key) => {
    if (!mapTag.has(object, key)) merged.push([object, key]);
    return mapTag.has(object, key);
  };
  const addPair: typeof mapTag.addPair = (object, key, value) => {
    if (mapTag.has(object, key)) repeats.push([object, key]);
    return mapTag.addPair(object, key, value);
  };
  const schema = onRepeat ? yaml.withTags({ ...mapTag, has, addPair }) : yaml;
  const value = load(text, { schema, json: true });
  const find = (node: unknown, at: string): void => {
    for (const [object, key] of repeats)
      if (object === node && !merged.some((one) => one[0] === node && one[1] === key))
        onRepeat?.(`${at}/${toToken(String(key))}`);
    if (typeof node !== 'object' || node === null) return;
    for (const [key, inner] of Object.entries(node)) find(inner, `${at}/${toToken(key)}`);
  };
  if (repeats.length > 0) find(value, '');
  return value;
}

/** How many values aliases may repeat: what uses a value sees each of them. */
const maxRepeated = 1_000_000;

/**
 * Gives what a text of YAML holds. Throws if its aliases stand for too many values to be used, or if
 * one stands for what it is in.
 */
function refuseRepeats<Value>(value: Value, { length }: string): Value {
  const known = new Map<unknown, number | 'open'>();
  const count = (node: unknown): number => {
    if (typeof node !== 'object' || node === null) return 1;
    const found = known.get(node);
    if (found === 'open')
      throw new Error('an alias stands for what it is in; refer to a schema with $ref instead');
    if (found !== undefined) return found;
    known.set(node, 'open');
    const total = Object.values(node).reduce((sum, inner) => sum + count(inner), 1);
    known.set(node, total);
    return total;
  };
  if (count(value) <= maxRepeated + length) return value;
  throw new Error(`its aliases repeat more than ${maxRepeated.toLocaleString('en')} values`);
}
