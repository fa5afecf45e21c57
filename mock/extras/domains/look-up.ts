import { getDomain } from 'tldts';
import { toCaaText } from '../../../contracts/dns/caa.ts';
import { findCaa } from '../../../contracts/dns/find-caa.ts';
import { parseNameServer } from '../../../contracts/dns/name-server.ts';
import { createResolver, type FoundRecord } from '../../../contracts/dns/resolver.ts';
import type { DnsRecord } from '../../domains/dns-records.ts';
import { type AttachedDomain, DomainError } from '../../domains/domains-state.ts';

/** What to look up about a domain. */
export type Looked = Pick<AttachedDomain, 'name' | 'kind'> & {
  /** The name that its record is to point at, and the TTL that is taken for that of records. */
  target: string;
  ttl: number;
};

/**
 * Looks up the records that matter to a domain, all as records of its name: the CNAME record to which
 * its aliases lead, its addresses, and the CAA records that hold for it. Rejects with a
 * {@link DomainError}.
 */
export type LookUp = (looked: Looked) => Promise<DnsRecord[]>;

/** The wait for an answer, in milliseconds. */
const timeout = 4000;

/** Makes what asks a name server, given as an address with an optional port. */
export function createLookUp(server: string): LookUp {
  return async ({ name, kind, target, ttl }) => {
    const servers = [parseNameServer(server) ?? []].flat();
    const resolver = createResolver({ servers, timeout });
    const fail = (type: string, of: string, reason: string) =>
      new DomainError(
        `The name server ${server} does not say which ${type} records ${of} has (${reason}). Name a resolver with --dns-server, and see that it is running.`,
      );
    const ask = async (of: string, type: 'A' | 'AAAA' | 'CNAME'): Promise<FoundRecord[]> => {
      const lookup = await resolver.look(of, type);
      if (lookup.outcome === 'failed') throw fail(type, of, lookup.reason);
      return lookup.records;
    };
    const addressesOf = async (of: string) => [...(await ask(of, 'A')), ...(await ask(of, 'AAAA'))];
    const [cname] = await ask(name, 'CNAME');
    const found = await addressesOf(name);
    const own = found.filter((record) => record.name === name && record.type !== 'CNAME');
    const caa = await findCaa(name, getDomain(name) ?? name, resolver);
    if (caa.outcome === 'failed') throw fail('CAA', caa.domain, caa.reason);
    const toRecord = (type: DnsRecord['type'], value: string) => ({ name, type, ttl, value });
    const leadsThere = found.some((record) => record.type === 'CNAME' && record.value === target);
    const ofTarget = kind === 'apex' ? await addressesOf(target) : [];
    // ALIAS and ANAME are seen as the addresses of their target.
    const isFlattened =
      own.length > 0 && own.every(({ value }) => ofTarget.some((one) => one.value === value));
    return [
      ...(cname ? [toRecord('CNAME', leadsThere ? target : cname.value)] : []),
      ...(isFlattened
        ? [toRecord('ALIAS', target)]
        : own.map(({ type, value }) => toRecord(type as 'A' | 'AAAA', value))),
      ...(caa.outcome === 'found' ? caa.properties : []).map((one) =>
        toRecord('CAA', toCaaText(one)),
      ),
    ];
  };
}
