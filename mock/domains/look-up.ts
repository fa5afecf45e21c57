import { Resolver } from 'node:dns/promises';
import { withParents } from './caa.ts';
import type { DnsRecord } from './dns-records.ts';
import type { DomainKind } from './domains-state.ts';

/** The name server gives no answer; the message says what to do. */
export class LookUpError extends Error {}

/** What to look up about a domain. */
export type Looked = {
  name: string;
  kind: DomainKind;
  /** The name that its record is to point at, and the TTL that is taken for that of records. */
  target: string;
  ttl: number;
};

/** Looks up the records that matter to a domain. Rejects with a {@link LookUpError}. */
export type LookUp = (looked: Looked) => Promise<DnsRecord[]>;

/** Makes what asks a name server, given as an address with an optional port. */
export function createLookUp(server: string): LookUp {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  resolver.setServers([server]);

  /** What is found; nothing where there is no such name or record. */
  const found = async <T>(asking: Promise<T[]>): Promise<T[]> => {
    try {
      return await asking;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOTFOUND' || code === 'ENODATA') return [];
      throw new LookUpError(
        `The name server ${server} gives no answer (${code}). Check --dns-server, and that it is running.`,
      );
    }
  };
  const addressesOf = async (name: string) => ({
    A: await found(resolver.resolve4(name)),
    AAAA: await found(resolver.resolve6(name)),
  });
  return async ({ name, kind, target, ttl }) => {
    const records: DnsRecord[] = [];
    const add = (owner: string, type: DnsRecord['type'], value: string) =>
      records.push({ name: owner, type, ttl, value });
    const aliases = await found(resolver.resolveCname(name));
    for (const alias of aliases) add(name, 'CNAME', alias.toLowerCase());
    if (aliases.length === 0) {
      const own = await addressesOf(name);
      const ofTarget = kind === 'apex' ? Object.values(await addressesOf(target)).flat() : [];
      const all = [...own.A, ...own.AAAA];
      // ALIAS and ANAME are seen as the addresses of their target.
      const isFlattened = all.length > 0 && all.every((one) => ofTarget.includes(one));
      if (isFlattened) add(name, 'ALIAS', target);
      else
        for (const type of ['A', 'AAAA'] as const)
          for (const one of own[type]) add(name, type, one);
    }
    for (const owner of withParents(name))
      for (const { critical, ...property } of await found(resolver.resolveCaa(owner))) {
        const [tag = '', value = ''] =
          Object.entries(property).find(([key]) => key !== 'type') ?? [];
        add(owner, 'CAA', `${critical} ${tag} "${String(value)}"`);
      }
    return records;
  };
}
