import { load, mergeTag } from 'js-yaml';
import { exactYaml, toExact } from '../exact-parser.ts';

/** A number of 16 digits or more where a value may be, which a double may not hold. */
const longNumber = /[:[,\s]-?\d{16}/;

const yaml = exactYaml.withTags(mergeTag);

/**
 * Parses JSON or YAML, with integers that a double cannot hold as bigints, and with the last of
 * equal keys of one object. Throws what the parser of YAML throws, and {@link refuseRepeats}.
 */
export function parseText(source: string): unknown {
  const text = source.replace(/^\ufeff/, '');
  if (/^\s*[[{]/.test(text)) {
    try {
      return longNumber.test(text)
        ? JSON.parse(text, (_, value, { source: written }) => toExact(value, written))
        : JSON.parse(text);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return refuseRepeats(load(text, { schema: yaml, json: true }), text);
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
