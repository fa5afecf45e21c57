import type { DnsRecord } from '../../domains/dns-records.ts';

/** Records as lines of text: name, TTL, type and value. */
export function toZoneText(records: readonly DnsRecord[]): string {
  return records.map(({ name, ttl, type, value }) => [name, ttl, type, value].join(' ')).join('\n');
}

/** Reads such lines; what is wrong with a value, the twin says. */
export function readZoneText(text: string): { records: unknown[]; problem?: string } {
  const lines = text.split('\n').map((line) => line.trim());
  const records: unknown[] = [];
  for (const [at, line] of lines.entries()) {
    if (line === '') continue;
    const [, name, ttl, type, value] = /^(\S+)\s+(\d+)\s+(\S+)\s+(.+)$/.exec(line) ?? [];
    if (name === undefined || type === undefined)
      return { records, problem: `Line ${at + 1} must be a name, a TTL, a type and a value.` };
    records.push({ name, type: type.toUpperCase(), ttl: Number(ttl), value });
  }
  return { records };
}
