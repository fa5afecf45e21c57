/** The address that a `Link` header gives for a relation such as `next` (RFC 8288). */
export function linkedBy(header: string | undefined, relation: string): string | undefined {
  for (const [, address, parameters = ''] of (header ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    const [, relations = ''] = /;\s*rel=("[^"]*"|[^\s;,"]+)/i.exec(parameters) ?? [];
    if (relations.toLowerCase().replaceAll('"', '').split(/\s+/).includes(relation)) return address;
  }
  return undefined;
}
