import type { CaaData, RecordType } from 'dns-packet';
import { followAliases } from '../../../contracts/dns/aliases.ts';
import type { DnsRecord as FoundRecord } from '../../../contracts/dns/ask-server.ts';
import { parseNameServer } from '../../../contracts/dns/name-server.ts';
import type { Resolver } from '../../../contracts/dns/resolver.ts';
import { createResolver } from '../../../contracts/dns/resolver.ts';
import type { DnsRecord } from '../../domains/dns-records.ts';
import { DomainError } from '../../domains/domains-state.ts';
import { type DomainKind, toDomainKind } from '../../domains/host-name.ts';
import { withParents } from './zone.ts';

/** What to look up about a domain. */
export type Looked = {
  name: string;
  kind: DomainKind;
  /** The name that its record is to point at, and the TTL that is taken for that of records. */
  target: string;
  ttl: number;
};

/**
 * The records that matter to a domain. Its own name has these and no others; the other names, which
 * were looked up too, have no other CNAME and CAA records.
 */
export type Found = { name: string; others: ReadonlySet<string>; records: readonly DnsRecord[] };

/** Looks up the records that matter to a domain. Rejects with a {@link DomainError}. */
export type LookUp = (looked: Looked) => Promise<Found>;

/** The wait for an answer, in milliseconds. */
const timeout = 4000;

/** Makes what asks a name server, given as an address with an optional port. */
export function createLookUp(server: string): LookUp {
  return async ({ name, kind, target, ttl }) => {
    const servers = [parseNameServer(server) ?? []].flat();
    const resolver = createResolver({ servers, timeout });
    const ask = createAsk(resolver, server);
    const addressesOf = async (one: string) => [
      ...(await ask(one, 'A')),
      ...(await ask(one, 'AAAA')),
    ];
    const { links, isCircle } = await followAliases(name, resolver);
    const found: FoundRecord[] = isCircle
      ? links.map((link) => ({ name: link.name, type: 'CNAME', ttl, data: link.target }))
      : [...(await ask(name, 'CNAME')), ...(await addressesOf(name))];
    // Of aliases in a circle, no name server says which CAA records they have.
    const { owners, records: ofCaa } = await findCaa(
      isCircle ? withParents(name).slice(1) : withParents(name),
      resolver,
      ask,
    );
    found.push(...ofCaa);
    const own = found.filter((record) => record.name === name && isAddress(record));
    const ofTarget = (kind === 'apex' ? await addressesOf(target) : []).filter(isAddress);
    // ALIAS and ANAME are seen as the addresses of their target.
    const isFlattened =
      own.length > 0 && own.every(({ data }) => ofTarget.some((one) => one.data === data));
    const shown = found
      .filter((record) => record.type === 'CNAME' || record.type === 'CAA' || own.includes(record))
      .filter((record) => !isFlattened || !own.includes(record))
      .map((record): DnsRecord => ({ name: record.name, ttl, ...toValue(record) }));
    const alias: DnsRecord[] = isFlattened ? [{ name, type: 'ALIAS', ttl, value: target }] : [];
    const records = unique([...alias, ...shown]);
    const targets = records.filter(({ type }) => type === 'CNAME').map(({ value }) => value);
    const names = [...owners, ...targets, ...records.map((one) => one.name)];
    return { name, records, others: new Set(names.filter((one) => one !== name)) };
  };
}

/**
 * The CAA records of the nearest of these names that has any, and the names that were asked. A public
 * suffix hardly ever has some, so a domain need not wait for an answer about one.
 */
async function findCaa(
  names: readonly string[],
  resolver: Resolver,
  ask: Ask,
): Promise<{ owners: string[]; records: FoundRecord[] }> {
  const owners: string[] = [];
  const records: FoundRecord[] = [];
  const isCaa = ({ type }: FoundRecord) => type === 'CAA';
  for (const owner of names) {
    const isSuffix = (await toDomainKind(owner)) === undefined;
    if (isSuffix && (await resolver.look(owner, 'CAA')).outcome === 'failed') break;
    // Those of aliases on the way to them are among these.
    records.push(...(await ask(owner, 'CAA')));
    owners.push(owner);
    if (records.some(isCaa)) break;
  }
  return { owners, records };
}

type Ask = (name: string, type: RecordType) => Promise<FoundRecord[]>;

function createAsk(resolver: Resolver, server: string): Ask {
  return async (name, type) => {
    const lookup = await resolver.look(name, type);
    if (lookup.outcome === 'answered') return lookup.records;
    throw new DomainError(
      `The name server ${server} does not say which ${type} records ${name} has (${lookup.reason}). Name a resolver with --dns-server, and see that it is running.`,
    );
  };
}

function isAddress({ type }: FoundRecord): boolean {
  return type === 'A' || type === 'AAAA';
}

function toValue({ type, data }: FoundRecord): Pick<DnsRecord, 'type' | 'value'> {
  if (type !== 'CAA') return { type: type as DnsRecord['type'], value: String(data).toLowerCase() };
  const { flags = 0, tag, value } = data as CaaData;
  return { type, value: `${flags} ${tag} "${value}"` };
}

/** An answer to one question may hold what that to another holds. */
function unique(records: readonly DnsRecord[]): DnsRecord[] {
  const keyOf = ({ name, type, value }: DnsRecord) => `${name} ${type} ${value}`;
  return [...new Map(records.map((record) => [keyOf(record), record])).values()];
}
