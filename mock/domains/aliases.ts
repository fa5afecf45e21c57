import type { DnsRecord } from './dns-records.ts';

/** Reads the records of a name. */
export type RecordsOf = (name: string) => readonly DnsRecord[];

/** A name, and those to which its CNAME records lead one by one. */
export function* withAliases(name: string, recordsOf: RecordsOf): Generator<string> {
  const seen = new Set<string>();
  for (let at: string | undefined = name; at !== undefined && !seen.has(at); ) {
    seen.add(at);
    yield at;
    at = recordsOf(at).find(({ type }) => type === 'CNAME')?.value;
  }
}

/** The names on the way from a name over another, where its CNAME records lead in a circle. */
export function findCircle(name: string, next: string, recordsOf: RecordsOf): string[] | undefined {
  const way = [...withAliases(next, recordsOf)];
  const back = recordsOf(way.at(-1) ?? next).find(({ type }) => type === 'CNAME')?.value;
  if (back === undefined) return undefined;
  const circle = [name, ...way, back];
  const end = circle.findIndex((one, at) => circle.indexOf(one) < at);
  return circle.slice(0, end + 1);
}

/** The name itself and those above it, up to its top-level domain. */
export function withParents(name: string): string[] {
  const labels = name.split('.');
  return labels.map((_, at) => labels.slice(at).join('.'));
}
