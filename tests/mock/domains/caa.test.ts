import { expect, it } from 'vitest';
import { permittedAuthorities, unknownCritical } from '../../../contracts/dns/caa.ts';
import { createResolver } from '../../../contracts/dns/resolver.ts';
import { findCaa } from '../../../contracts/domains/caa.ts';
import type { DnsRecord } from '../../../mock/domains/dns-records.ts';
import { findRefusal } from '../../../mock/extras/domains/judge-records.ts';
import { startZone, type ZoneRecord } from '../../support/zone-server.ts';

const name = 'docs.example.test';
const authority = 'ca.test';
const caa = (owner: string, value = 'other.test', tag = 'issue', flags = 0): ZoneRecord => ({
  name: owner,
  type: 'CAA',
  flags,
  tag,
  value,
});
const alias = (from: string, to: string): ZoneRecord => ({ name: from, type: 'CNAME', domain: to });

const cases: [what: string, isAllowed: boolean, records: ZoneRecord[]][] = [
  ['no records', true, []],
  ['records of the name', false, [caa(name)]],
  ['records of the name that name it', true, [caa(name, 'CA.test; account=7')]],
  ['one of two records', true, [caa(name), caa(name, authority)]],
  ['records that name nobody', false, [caa(name, ';')]],
  ['records of a parent', false, [caa('example.test')]],
  ['the nearest records alone', true, [caa('example.test'), caa(name, authority)]],
  ['records for wildcards', true, [caa(name, 'other.test', 'issuewild')]],
  ['an unknown tag', true, [caa(name, 'x', 'future')]],
  ['an unknown critical tag', false, [caa(name, 'x', 'future', 128)]],
  ['known critical tags', true, [caa(name, 'x', 'issuemail', 128)]],
  ['the alias of the name', false, [alias(name, 'a.host.test'), caa('a.host.test')]],
  [
    'an alias of an alias',
    false,
    [alias(name, 'a.host.test'), alias('a.host.test', 'b.host.test'), caa('b.host.test')],
  ],
  ['the alias of a parent', false, [alias('example.test', 'host.test'), caa('host.test')]],
  ['no parent of an alias', true, [alias(name, 'a.host.test'), caa('host.test')]],
  [
    'the alias before the parent',
    true,
    [alias(name, 'a.host.test'), caa('a.host.test', authority), caa('example.test')],
  ],
];

it.each(cases)('goes by %s in the twin and in the check alike: %s', async (_, isAllowed, zone) => {
  const recordsOf = (owner: string) => zone.filter((one) => one.name === owner).map(toRecord);
  expect(findRefusal(name, authority, recordsOf) === undefined).toBe(isAllowed);

  const resolver = createResolver({ servers: [await startZone(zone)], timeout: 5000 });
  const found = await findCaa(name, resolver);
  const properties = found.outcome === 'found' ? found.properties : [];
  const permitted = permittedAuthorities(properties, { isWildcard: false });
  const isPermitted = permitted === undefined || permitted.includes(authority);
  expect(isPermitted && unknownCritical(properties).length === 0).toBe(isAllowed);
});

function toRecord(record: ZoneRecord): DnsRecord {
  const { name: owner } = record;
  if (record.type === 'CNAME') return { name: owner, type: 'CNAME', ttl: 60, value: record.domain };
  if (record.type !== 'CAA') throw new Error(`There is no ${record.type} record here.`);
  const value = `${record.flags} ${record.tag} "${record.value}"`;
  return { name: owner, type: 'CAA', ttl: 60, value };
}
