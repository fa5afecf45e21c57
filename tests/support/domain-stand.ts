import { readFileSync } from 'node:fs';
import { builtInDocument } from '../../common/built-in-document.ts';
import { toDomainRules } from '../../common/prose/domains.ts';
import {
  type CheckedDomain,
  type CheckOptions,
  checkDomains,
} from '../../contracts/domains/check-domains.ts';
import { parseSite } from '../../contracts/domains/read-what.ts';
import { compile } from '../../openapi/index.ts';
import { authoritiesFile, type CertificateName, type Sites, startSite } from './domain-site.ts';
import { startZone, type ZoneOptions, type ZoneRecord } from './zone-server.ts';

export const platform = 'hosting.platform.test';

/** Records of a subdomain that stands as the interface demands, at the platform on loopback. */
export const standing: readonly ZoneRecord[] = [
  { name: 'docs.example.test', type: 'CNAME', domain: platform },
  { name: platform, type: 'A', address: '127.0.0.1' },
];

/** The records without those of a name and a type. */
export function without(name: string, type: ZoneRecord['type']): ZoneRecord[] {
  return standing.filter((record) => record.name !== name || record.type !== type);
}

/** How it is checked; the platform is the one above, or false for none. */
type Given = Partial<Omit<CheckOptions, 'platform'>> & { platform?: string | false };

export type StandOptions = {
  records?: readonly ZoneRecord[];
  certificate?: CertificateName;
  sites?: Sites;
  zone?: ZoneOptions;
  /** Where the site listens. */
  address?: string;
};

/** A name server and a site for a domain, and what checks it. */
export async function startStand({
  records = standing,
  certificate = 'good',
  sites = {},
  zone = {},
  address = '127.0.0.1',
}: StandOptions = {}) {
  const server = await startZone(records, zone);
  const site = await startSite(certificate, { sites, address });
  const rules = toDomainRules((await compile(builtInDocument)).asOpenApi());
  const at = (name: string) => parseSite(`${name}:${site.port}`);
  /** Checks names of the site, and gives what became of the first. */
  async function check(
    names: readonly string[],
    { platform: host = platform, ...options }: Given = {},
  ): Promise<CheckedDomain> {
    const [first] = await checkDomains({
      rules,
      names: names.map(at),
      redirects: [],
      removed: [],
      ...(host !== false && { platform: host }),
      ca: [readFileSync(authoritiesFile, 'utf8')],
      servers: [server],
      timeout: 5000,
      ...options,
    });
    if (first === undefined) throw new Error('No domain was checked.');
    return first;
  }
  return { server, site, rules, at, check };
}

/** The verdicts on a domain by clause. */
export function verdictsOf({ rulings }: CheckedDomain): Record<string, string> {
  return Object.fromEntries([...rulings].map(([id, { verdict }]) => [id, verdict]));
}

/** What became of a clause, with its texts. */
export function rulingOf({ rulings }: CheckedDomain, id: string) {
  const ruling = rulings.get(id);
  if (ruling === undefined) throw new Error(`Nothing is known of ${id}.`);
  return ruling;
}
