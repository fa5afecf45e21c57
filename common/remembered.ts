/** How many results are kept: more than the paths, names and references of a large document. */
const maxKept = 20_000;

/** Returns a function of a text that keeps its latest results: inference asks for few texts often. */
export function remembered<Value>(compute: (text: string) => Value): (text: string) => Value {
  const kept = new Map<string, Value>();
  return (text) => {
    let value = kept.get(text);
    if (value !== undefined) return value;
    value = compute(text);
    if (value === undefined) return value;
    if (kept.size >= maxKept) kept.clear();
    kept.set(text, value);
    return value;
  };
}
