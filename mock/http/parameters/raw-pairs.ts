/** The names of a query or of cookies, decoded, each with its value as it was sent. */
export type RawPairs = readonly (readonly [name: string, raw: string])[];

/** The parts of a query; undefined where a name is not valid percent-encoded UTF-8. */
export function toQueryPairs(query: string): RawPairs | undefined {
  const pairs: [string, string][] = [];
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = decodeQuery(at === -1 ? pair : pair.slice(0, at));
    if (name === undefined) return undefined;
    pairs.push([name, at === -1 ? '' : pair.slice(at + 1)]);
  }
  return pairs;
}

/** The cookies of a Cookie header (RFC 6265 §4.2.1). */
export function toCookiePairs(header: string): RawPairs {
  return header.split(';').flatMap((part) => {
    const at = part.indexOf('=');
    if (at === -1) return [];
    const value = part.slice(at + 1).trim();
    return [[part.slice(0, at).trim(), value.replace(/^"(.*)"$/s, '$1')] as const];
  });
}

/** A part of a query as it was meant; undefined where it is not valid percent-encoded UTF-8. */
export function decodeQuery(raw: string): string | undefined {
  return decodePercent(raw.replaceAll('+', ' '));
}

/** Decodes percent-encoding; undefined where it is not valid UTF-8. */
export function decodePercent(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
