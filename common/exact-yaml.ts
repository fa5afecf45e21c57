import { CORE_SCHEMA, intCoreTag } from 'js-yaml';

const integer = /^[-+]?\d{16,1000}$/;

/** A number as it was read, or as a bigint where a double cannot hold what was written. */
export function toExact(value: unknown, source = ''): unknown {
  const isExact = typeof value !== 'number' || Number.isSafeInteger(value) || !integer.test(source);
  return isExact ? value : BigInt(source.replace('+', ''));
}

/** YAML whose integers are bigints where a double cannot hold them. */
export const exactYaml = CORE_SCHEMA.withTags({
  ...intCoreTag,
  resolve: (source: string, isExplicit: boolean, tag: string) =>
    toExact(intCoreTag.resolve(source, isExplicit, tag), source) as number,
});

/** The bigints of a value by the doubles in their place. */
export type Exact = ReadonlyMap<unknown, bigint>;

/**
 * The value with doubles in the place of bigints, and these; the value is the very same where it has
 * none. What is in several places stays one.
 */
export function withDoubles<Value>(value: Value): { value: Value; exact: Exact } {
  const exact = new Map<unknown, bigint>();
  const toDouble = (one: unknown) => {
    if (typeof one !== 'bigint') return one;
    exact.set(Number(one), one);
    return Number(one);
  };
  return { value: withScalars(value, toDouble), exact };
}

/** The value with its bigints in the place of doubles; the very same where it has none. */
export function withExact<Value>(value: Value, exact: Exact): Value {
  return exact.size === 0 ? value : withScalars(value, (one) => exact.get(one) ?? one);
}

function withScalars<Value>(value: Value, change: (scalar: unknown) => unknown): Value {
  const known = new Map<object, unknown>();
  const copy = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return change(node);
    if (known.has(node)) return known.get(node);
    known.set(node, node);
    const entries = Object.entries(node).map(([key, inner]) => [key, copy(inner), inner] as const);
    if (entries.every(([, copied, inner]) => copied === inner)) return node;
    const copied = Array.isArray(node)
      ? entries.map(([, inner]) => inner)
      : Object.fromEntries(entries);
    known.set(node, copied);
    return copied;
  };
  return copy(value) as Value;
}
