import { expect, it } from 'vitest';
import {
  platform,
  rulingOf,
  standing,
  startStand,
  verdictsOf,
  without,
} from '../../support/domain-stand.ts';
import type { ZoneRecord } from '../../support/zone-server.ts';

const docs = 'docs.example.test';

it('finds nothing wrong with a subdomain that stands as demanded, and says what it cannot see', async () => {
  const { check, rules } = await startStand();
  const checked = await check([docs]);
  expect(verdictsOf(checked)).toEqual({
    'paid-plan': 'unobserved',
    deployed: 'unobserved',
    cname: 'kept',
    ttl: 'kept',
    apex: 'vacuous',
    verified: 'unobserved',
    certificate: 'kept',
    'no-address': 'kept',
    caa: 'kept',
    several: 'unobserved',
  });
  const known = [...checked.rulings.keys(), 'redirect', 'removed'];
  expect(known.toSorted()).toEqual(rules.clauses.map(({ id }) => id).toSorted());
});

it('follows aliases to the platform, and beyond it', async () => {
  const { check } = await startStand({
    records: [
      { name: docs, type: 'CNAME', domain: 'alias.example.test' },
      { name: 'alias.example.test', type: 'CNAME', domain: platform },
      { name: platform, type: 'CNAME', domain: 'edge.platform.test' },
      { name: 'edge.platform.test', type: 'A', address: '127.0.0.1' },
    ],
  });
  expect(verdictsOf(await check([docs]))).toMatchObject({ cname: 'kept', certificate: 'kept' });
});

it('sees a CNAME record that points elsewhere', async () => {
  const { check } = await startStand({
    records: [
      { name: docs, type: 'CNAME', domain: 'old.host.test' },
      { name: 'old.host.test', type: 'A', address: '127.0.0.1' },
      { name: platform, type: 'A', address: '127.0.0.1' },
    ],
  });
  expect(rulingOf(await check([docs]), 'cname')).toMatchObject({
    verdict: 'drift',
    message: `The CNAME record of ${docs} does not point at the platform`,
    expected: `a CNAME record that points at ${platform}`,
    actual: `${docs} -> old.host.test`,
    again: expect.stringMatching(
      /^dig \+noall \+answer @127\.0\.0\.1 -p \d+ docs\.example\.test CNAME$/,
    ),
  });
});

it('sees names that have no CNAME record', async () => {
  const { check } = await startStand({ records: without(docs, 'CNAME') });
  const checked = await check([docs]);
  expect(rulingOf(checked, 'cname')).toMatchObject({
    message: `${docs} has no CNAME record`,
    actual: 'none',
  });
  expect(verdictsOf(checked)).toMatchObject({ ttl: 'vacuous', certificate: 'inconclusive' });
});

it('does not judge where a name leads without a target', async () => {
  const { check } = await startStand();
  const checked = await check([docs], { platform: false });
  expect(rulingOf(checked, 'cname')).toEqual({
    verdict: 'inconclusive',
    reason: `no --target says which host is the platform's; the name leads ${docs} -> ${platform}`,
  });
});

it('holds an authority to the TTL exactly, and a resolver that counts it down to the upper end', async () => {
  const at = async (ttl: number, isAuthoritative: boolean) => {
    const { check } = await startStand({
      records: [...without(docs, 'CNAME'), { name: docs, type: 'CNAME', domain: platform, ttl }],
      zone: { isAuthoritative },
    });
    return rulingOf(await check([docs]), 'ttl');
  };
  for (const ttl of [300, 86_400])
    expect(await at(ttl, true)).toMatchObject({
      verdict: 'drift',
      expected: '3600 s',
      actual: `${ttl} s`,
    });
  expect(await at(3600, false)).toEqual({ verdict: 'kept' });
  expect(await at(1200, false)).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringContaining('a resolver gave the TTL as 1200 s'),
  });
  expect(await at(7200, false)).toMatchObject({ verdict: 'drift', actual: '7200 s' });
});

it('sees an A record beside a CNAME record, and one in its place', async () => {
  const a: ZoneRecord = { name: docs, type: 'A', address: '127.0.0.1' };
  const beside = await startStand({ records: [...standing, a] });
  const both = await beside.check([docs]);
  expect(rulingOf(both, 'no-address')).toMatchObject({
    message: `${docs} has an A record, which blocks a CNAME record`,
    actual: 'A 127.0.0.1',
  });
  expect(verdictsOf(both)).toMatchObject({ cname: 'kept', certificate: 'vacuous' });
  const instead = await startStand({ records: [...without(docs, 'CNAME'), a] });
  const only = await instead.check([docs]);
  expect(rulingOf(only, 'no-address')).toMatchObject({
    message: `${docs} has an A record, which blocks a CNAME record`,
  });
  expect(rulingOf(only, 'cname')).toMatchObject({
    verdict: 'drift',
    actual: 'addresses of its own: 127.0.0.1',
  });
});

it('compares the addresses of an apex domain with those of the platform, IPv6 too', async () => {
  const apex = async (...records: ZoneRecord[]) => {
    const { check } = await startStand({
      records: [
        { name: platform, type: 'A', address: '127.0.0.1' },
        { name: platform, type: 'AAAA', address: '::1' },
        { name: 'example.test', type: 'CAA', tag: 'iodef', value: 'mailto:a@example.test' },
        ...records,
      ],
    });
    return check(['example.test']);
  };
  const name = 'example.test';
  const a: ZoneRecord = { name, type: 'A', address: '127.0.0.1' };
  expect(verdictsOf(await apex(a))).toMatchObject({
    apex: 'kept',
    cname: 'vacuous',
    ttl: 'vacuous',
    'no-address': 'vacuous',
    certificate: 'kept',
  });
  const aaaa: ZoneRecord = { name, type: 'AAAA', address: '0:0:0:0:0:0:0:1' };
  expect(rulingOf(await apex(aaaa), 'apex')).toEqual({ verdict: 'kept' });
  const other: ZoneRecord = { name, type: 'A', address: '127.0.0.9' };
  expect(rulingOf(await apex(other), 'apex')).toMatchObject({
    verdict: 'drift',
    message: 'The apex domain example.test has addresses that are not of the platform',
    expected: `an ALIAS or ANAME record, which shows as addresses of ${platform}`,
    actual: '127.0.0.9',
  });
  // A platform may give some of its addresses at a time.
  expect(rulingOf(await apex(a, other), 'apex')).toMatchObject({ verdict: 'inconclusive' });
  expect(rulingOf(await apex(), 'apex')).toMatchObject({
    message: 'The apex domain example.test has no address',
    actual: 'no A and no AAAA record',
  });
  expect(rulingOf(await apex({ name, type: 'CNAME', domain: platform }), 'apex')).toMatchObject({
    message: 'The apex domain example.test has a CNAME record',
    actual: `CNAME ${platform}`,
  });
});

it('tells a failing name server from a missing record', async () => {
  const { check } = await startStand({ zone: { behave: () => 'SERVFAIL' } });
  const checked = await check([docs]);
  expect(rulingOf(checked, 'cname')).toMatchObject({
    verdict: 'unanswered',
    message: `The records of ${docs} could not be looked up`,
    actual: expect.stringMatching(/^SERVFAIL from 127\.0\.0\.1:\d+$/),
  });
  expect(verdictsOf(checked)).toMatchObject({ caa: 'unanswered', certificate: 'inconclusive' });
});
