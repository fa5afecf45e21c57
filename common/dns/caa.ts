/** A property of a CAA record (RFC 8659 §4.1). */
export type CaaProperty = { flags: number; tag: string; value: string };

/** The authorities that may issue; undefined where any may (RFC 8659 §4.2). */
export function permittedAuthorities(properties: readonly CaaProperty[]): string[] | undefined {
  const issue = properties.filter(({ tag }) => tag.toLowerCase() === 'issue');
  if (issue.length === 0) return undefined;
  const domains = issue.map(({ value }) => (value.split(';')[0] ?? '').trim().toLowerCase());
  return [...new Set(domains.filter((domain) => domain !== ''))];
}

/** A property as a zone file has it. */
export function toCaaText({ flags, tag, value }: CaaProperty): string {
  return `${flags} ${tag} "${value}"`;
}

/** Reads a CAA record as zone files write it; undefined where it is malformed. */
export function parseCaa(text: string): CaaProperty | undefined {
  const [, flags, tag, quoted, bare] =
    /^(\d{1,3})\s+([a-z0-9]{1,15})\s+(?:"([^"]*)"|([^\s"]+))$/i.exec(text) ?? [];
  if (tag === undefined || Number(flags) > 255) return undefined;
  return { flags: Number(flags), tag, value: quoted ?? bare ?? '' };
}
