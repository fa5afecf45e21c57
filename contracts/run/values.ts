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

/** `run` marks what this run creates; `seed` gives the ids that nothing has. */
export function createValues({ run, seed }: { run: string; seed: number }): Values {
  const values = new Map<string, unknown>([
    ['run', run],
    ['unknown.id.far', numberFrom(`${seed} far`)],
    ['unknown.id.farther', numberFrom(`${seed} farther`)],
  ]);
  return {
    set: (name, value) => values.set(name, value),
    get: (name) => values.get(name),
    fill(template) {
      let missing: string | undefined;
      const text = template.replace(/\{\{([^{}|]+)(?:\|([^{}]*))?\}\}/g, (whole, name: string, fallback?: string) => {
        const value = values.get(name);
        if (value !== undefined) return typeof value === 'string' && !name.startsWith('known.') ? value : toText(name, value);
        if (fallback !== undefined) return decodeURIComponent(fallback);
        missing ??= name;
        return whole;
      });
      return missing === undefined ? { text } : { missing };
    },
  };
}

/** Ids stand in paths as they are; other known values stand in bodies as JSON. */
function toText(name: string, value: unknown): string {
  return name.startsWith('known.id.') ? encodeURIComponent(String(value)) : toJson(value);
}

/** A number of 15 digits, the same for the same text. */
function numberFrom(text: string): string {
  const digits = BigInt(`0x${createHash('sha256').update(text).digest('hex').slice(0, 15)}`) % 900_000_000_000_000n;
  return String(digits + 100_000_000_000_000n);
}
