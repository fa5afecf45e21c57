/** The values of a header among those by their names, in any case. */
export function headerValues<Value>(
  headers: Readonly<Record<string, Value | readonly Value[]>> | undefined,
  name: string,
): Value[] {
  const wanted = name.toLowerCase();
  const found = Object.entries(headers ?? {}).filter(([one]) => one.toLowerCase() === wanted);
  return found.flatMap(([, values]) => values) as Value[];
}
