/** A property of a CAA record (RFC 8659 §4.1). */
export type CaaProperty = { isCritical: boolean; tag: string; value: string };

/** Tags that authorities know; of others, a critical one forbids to issue (RFC 8659 §4.5). */
const knownTags = [
  'issue',
  'issuewild',
  'iodef',
  'issuemail',
  'issuevmc',
  'contactemail',
  'contactphone',
];

/** A property from what a record has: flags as a number, tag and value as they were written. */
export function toCaaProperty(flags: number, tag: string, value: string): CaaProperty {
  return { isCritical: (flags & 128) !== 0, tag: tag.toLowerCase(), value: value.trim() };
}

/** The authorities that may issue; undefined where any may (RFC 8659 §4.2, §4.3). */
export function permittedAuthorities(
  properties: readonly CaaProperty[],
  { isWildcard }: { isWildcard: boolean },
): string[] | undefined {
  const withTag = (tag: string) => properties.filter((one) => one.tag === tag);
  const wild = isWildcard ? withTag('issuewild') : [];
  const issue = wild.length > 0 ? wild : withTag('issue');
  if (issue.length === 0) return undefined;
  const domains = issue.map(({ value }) => (value.split(';')[0] ?? '').trim().toLowerCase());
  return [...new Set(domains.filter((domain) => domain !== ''))];
}

/** The tags that no authority may pass over, and that are not known here. */
export function unknownCritical(properties: readonly CaaProperty[]): string[] {
  return properties
    .filter(({ isCritical, tag }) => isCritical && !knownTags.includes(tag))
    .map(({ tag }) => tag);
}
