import { createHash } from 'node:crypto';
import type { Schema } from '../description/document.ts';
import { toJson } from '../json.ts';

/** Values that a run finds out, for the placeholders of cases. */
export interface Values {
  /** Remembers a value for `{{name}}`. */
  set(name: string, value: unknown): void;
  get(name: string): unknown;
  /** Makes another value for `{{name}}` in each text; `make` is given a number that differs. */
  vary(name: string, make: (number: number) => unknown): void;
  /** The text with its placeholders filled in, or the name of a placeholder that has no value. */
  fill(template: string): { text: string; missing?: never } | { text?: never; missing: string };
}

/**
 * Starts with `{{run}}`, hexadecimal, which marks what this run creates, `{{digits}}`, the same in
 * digits. `{{fresh}}` and `{{number}}`, an integer of 32 bits, differ in each text; the first is
 * always as long. What is `known` stands in bodies as JSON, all else as it is.
 */
export function createValues(run: string): Values {
  const values = new Map<string, unknown>([
    ['run', run],
    ['digits', String(Number.parseInt(run, 16))],
  ]);
  const varied = new Map<string, (number: number) => unknown>();
  let filled = 0;
  return {
    set: (name, value) => values.set(name, value),
    get: (name) => values.get(name),
    vary: (name, make) => varied.set(name, make),
    fill(template) {
      const isVaried = varied.size > 0 && template.includes('{{known.');
      if (isVaried || /\{\{(fresh|number)\}\}/.test(template)) {
        values.set('fresh', toFresh(++filled));
        values.set('number', toNumber(run, filled));
      }
      let missing: string | undefined;
      const text = template.replace(placeholder, (whole, name: string, fallback?: string) => {
        const value = varied.get(name)?.(toNumber(run, filled)) ?? values.get(name);
        if (value !== undefined) return name.startsWith('known.') ? toJson(value) : String(value);
        if (fallback !== undefined) return decodeURIComponent(fallback);
        missing ??= name;
        return whole;
      });
      return missing === undefined ? { text } : { missing };
    },
  };
}

function toFresh(count: number): string {
  return count.toString(16).padStart(6, '0');
}

/** Thousands for each run: others are unlikely to have had the same. */
function toNumber(run: string, count: number): number {
  return (Number.parseInt(run, 16) % 500_000) * 4000 + 1_000_000 + (count % 4000);
}

/** The name of a nested collection has the parameters of its path. */
const placeholder = /\{\{((?:[^{}|]|\{[^{}]*\})+)(?:\|([^{}]*))?\}\}/g;

/**
 * An id that fits a schema and that no deployment is likely to have; the same text gives the same
 * id.
 */
export function unknownId(schema: Schema, text: string): string {
  const hash = createHash('sha256').update(text).digest('hex');
  if (schema.format === 'uuid')
    return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
  const digits = BigInt(`0x${hash.slice(0, 15)}`);
  const max = toMax(schema);
  return String(
    max < 10n ** 15n
      ? max - (digits % (max / 2n || 1n))
      : 10n ** 14n + (digits % (9n * 10n ** 14n)),
  );
}

/** The largest integer that a schema allows. */
function toMax({ format, maximum, exclusiveMaximum }: Schema): bigint {
  const bounds = [
    format === 'int32' ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER,
    maximum,
    (exclusiveMaximum as number) - 1,
  ];
  return BigInt(
    Math.floor(Math.min(...bounds.filter((bound): bound is number => Number.isFinite(bound)))),
  );
}
