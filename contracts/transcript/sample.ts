/** How many items of a list are compared with their schema. */
export const maxItems = 200;

const samples = new WeakMap<readonly unknown[], unknown[]>();

/** Cuts a long list to the items that its schema is held against; the same list gives the same sample. */
export function sampleOf(json: unknown): unknown {
  if (!Array.isArray(json) || json.length <= maxItems) return json;
  const sample = samples.get(json) ?? json.slice(0, maxItems);
  samples.set(json, sample);
  return sample;
}
