import { load, mergeTag } from 'js-yaml';
import { exactYaml, toExact } from '../exact-parser.ts';

/** A number of 16 digits or more where a value may be, which a double may not hold. */
const longNumber = /[:[,\s]-?\d{16}/;

const yaml = exactYaml.withTags(mergeTag);

/**
 * Parses JSON or YAML, with integers that a double cannot hold as bigints, and with the last of
 * equal keys of one object. Throws what the parser of YAML throws.
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
  return load(text, { schema: yaml, json: true });
}
