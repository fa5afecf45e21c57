/** Values of path parameters by their names, and of query parameters in their order. */
export type TargetValues = {
  path: Readonly<Record<string, string>>;
  query: readonly (readonly [name: string, value: string])[];
};

/** The path of an operation with its query, below the base path. */
export function toTarget(template: string, { path, query }: TargetValues): string {
  const filled = template.replace(/\{([^{}]*)\}/g, (braces, name) =>
    Object.hasOwn(path, name) ? encode(path[name] as string) : braces,
  );
  const sent = filled.replace(/[^!-~]+/gu, encode);
  const pairs = query.map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return pairs.length === 0 ? sent : `${sent}?${pairs.join('&')}`;
}

/** Half a surrogate pair has no percent-encoding. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
