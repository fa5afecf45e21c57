import { createHash } from 'node:crypto';
import { toJson } from '../transcript/json.ts';

/** Values that a run finds out, for the placeholders of cases. */
export interface Values {
  /** Remembers a value for `{{name}}`. */
  set(name: string, value: unknown): void;
  get(name: string): unknown;
  /** The text with its placeholders filled, or the name of one that has no value. */
  fill(template: string): { text: string; missing?: never } | { text?: never; missing: string };
}

/** Starts with `{{run}}`, hexadecimal, which marks what this run creates, and `{{digits}}`, the same in digits. What is `known` stands in bodies as JSON, all else as it is. */
export function createValues(run: string): Values {
  const values = new Map<string, unknown>([
    ['run', run],
    ['digits', String(Number.parseInt(run, 16))],
  ]);
  return {
    set: (name, value) => values.set(name, value),
    get: (name) => values.get(name),
    fill(template) {
      let missing: string | undefined;
      const text = template.replace(/\{\{([^{}|]+)(?:\|([^{}]*))?\}\}/g, (whole, name: string, fallback?: string) => {
        const value = values.get(name);
        if (value !== undefined) return name.startsWith('known.') ? toJson(value) : String(value);
        if (fallback !== undefined) return decodeURIComponent(fallback);
        missing ??= name;
        return whole;
      });
      return missing === undefined ? { text } : { missing };
    },
  };
}

/** A number of 15 digits, the same for the same text; no deployment is likely to have it as an id. */
export function unknownNumber(text: string): string {
  const digits = BigInt(`0x${createHash('sha256').update(text).digest('hex').slice(0, 15)}`) % 900_000_000_000_000n;
  return String(digits + 100_000_000_000_000n);
}
