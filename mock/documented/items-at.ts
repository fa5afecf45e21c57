/** The list that a value has at the keys that lead to it; undefined where there is none. */
export function itemsAt(value: unknown, keys: readonly string[]): unknown[] | undefined {
  const items = keys.reduce<unknown>(
    (inner, key) => (inner as Readonly<Record<string, unknown>> | null | undefined)?.[key],
    value,
  );
  return Array.isArray(items) ? items : undefined;
}
