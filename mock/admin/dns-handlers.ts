import { toJsonAnswer } from '../answers/answer.ts';
import { findBesideCname } from '../domains/beside-cname.ts';
import { replaceRecords } from '../domains/change-records.ts';
import { type DnsRecord, toRecord } from '../domains/dns-records.ts';
import type { ReadDomainRules } from '../domains/domain-rules.ts';
import { allRecords } from '../domains/zone.ts';
import type { AdminHandlers } from './admin.ts';
import { circumstancesOf, invalid, refuse } from './domain-answers.ts';

/** The TTL of a record that is set without one, in seconds. */
const defaultTtl = 3600;

/** Show and replace the records of the zone, which are looked up where there is a name server. */
export function createDnsHandlers(
  readRules: ReadDomainRules,
  dnsServer: string | undefined,
): AdminHandlers {
  return {
    getDns: ({ sandbox: { domains, clock } }) =>
      toJsonAnswer({
        records: allRecords(domains.state().zone, clock.now()),
        ...(dnsServer !== undefined && { dnsServer }),
      }),
    setDns: async ({ sandbox, body }) => {
      if (dnsServer !== undefined)
        return refuse(
          `Records are looked up at ${dnsServer} (--dns-server). Set them there, and verify the domain again.`,
        );
      const { records } = body as { records: DnsRecord[] };
      const next: DnsRecord[] = [];
      for (const [index, given] of records.entries()) {
        const record = toRecord({ ...given, ttl: given.ttl ?? defaultTtl });
        if (typeof record === 'string') return invalid(`"records/${index}": ${record}`);
        next.push(record);
      }
      const misplaced = findBesideCname(next);
      if (misplaced) return invalid(`"records/${misplaced.index}": ${misplaced.problem}`);
      const circumstances = await circumstancesOf(sandbox, readRules);
      const changed = replaceRecords(sandbox.domains.state(), next, circumstances);
      if (changed.refusal !== undefined) return refuse(changed.refusal);
      sandbox.domains.change(changed.state);
      return toJsonAnswer({ records: next });
    },
  };
}
