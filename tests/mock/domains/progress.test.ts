import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toRecord } from '../../../mock/domains/dns-records.ts';
import type { AttachedDomain } from '../../../mock/domains/domains-state.ts';
import { verifyDomain } from '../../../mock/extras/domains/change-domains.ts';
import { domainStates, type Progress } from '../../../mock/extras/domains/progress.ts';
import {
  type Change,
  cname,
  docs,
  instantZone,
  progressOf,
  rules,
  start,
  zoneOf,
} from '../../support/domain-facts.ts';

const [minute, hour] = [60_000, 3_600_000];
const apex: AttachedDomain = { ...docs, name: 'example.com', kind: 'apex' };
const caa = (value: string, name = 'example.com') =>
  ({ name, type: 'CAA', ttl: 3600, value }) as const;

const codesOf = ({ problems }: Progress) => problems.map(({ code }) => code);

it('goes from pending to active as its records spread and its certificate is issued', () => {
  const state = zoneOf([[start, [cname]]]);
  const first = progressOf(state, start);
  expect(first).toMatchObject({ state: 'pending', since: start, problems: [] });
  expect(first.waitsFor).toBe('The records to spread, which takes up to 48 hours.');
  const verifiedAt = first.expectedAt as number;
  expect(verifiedAt - start).toBeGreaterThan(0);
  expect(verifiedAt - start).toBeLessThanOrEqual(48 * hour);

  expect(progressOf(state, verifiedAt - 1).state).toBe('pending');
  const verified = progressOf(state, verifiedAt);
  expect(verified).toMatchObject({ state: 'verified', since: verifiedAt });
  expect(verified.waitsFor).toBe('The certificate, which takes up to 5 minutes.');
  const issuedAt = verified.expectedAt as number;
  expect(issuedAt - verifiedAt).toBeLessThanOrEqual(5 * minute);

  const issued = progressOf(state, issuedAt);
  expect(issued).toMatchObject({ state: 'certificate-issued', since: issuedAt });
  const activeAt = issued.expectedAt as number;
  const active = progressOf(state, activeAt);
  expect(active).toMatchObject({ state: 'active', since: activeAt, problems: [] });
  expect([active.waitsFor, active.expectedAt]).toEqual([undefined, undefined]);
});

it('takes the time that the seed draws, and none where the settings say none', () => {
  const at = (seed: number) =>
    progressOf(zoneOf([[start, [cname]]], { seed }), start, { seed }).expectedAt;
  expect(at(1)).toBe(at(1));
  expect(new Set([at(1), at(2), at(3)]).size).toBe(3);
  const project = { propagationHours: 0, issuanceMinutes: 0 };
  const issued = { state: 'certificate-issued', expectedAt: start + minute };
  expect(progressOf(zoneOf([[start, [cname]]], { project }), start)).toMatchObject(issued);
});

it.each([
  ['record-missing', []],
  ['record-of-other-target', [{ ...cname, value: 'elsewhere.example' }]],
  ['record-of-other-type', [{ ...cname, type: 'ALIAS' as const }]],
  ['address-conflict', [cname, { ...cname, type: 'A' as const, value: '192.0.2.1' }]],
  ['address-conflict', [cname, { ...cname, type: 'AAAA' as const, value: '2001:db8::1' }]],
])('stays pending with %s, and says what to do', (code, records) => {
  const progress = progressOf(instantZone([start, records]), start + 90 * hour);
  const waitsFor = `The right records of ${docs.name}.`;
  const problems = [{ code, blocks: true }];
  expect(progress).toMatchObject({ state: 'pending', waitsFor, problems });
  expect(progress.expectedAt).toBeUndefined();
  expect(progress.problems[0]?.whatToDo).toMatch(/^(Set|Remove) /);
});

it('goes on once a conflicting A record is gone everywhere', () => {
  const conflict = [cname, { ...cname, type: 'A' as const, value: '192.0.2.1' }];
  const state = zoneOf([
    [start, conflict],
    [start + 100 * hour, [cname]],
  ]);
  expect(codesOf(progressOf(state, start + 99 * hour))).toEqual(['address-conflict']);
  const spreading = progressOf(state, start + 100 * hour);
  expect(spreading).toMatchObject({ state: 'pending', problems: [] });
  expect(progressOf(state, spreading.expectedAt as number).state).toBe('verified');
});

it('needs ALIAS or ANAME for an apex, and no CNAME', () => {
  const at = (type: 'ALIAS' | 'ANAME' | 'CNAME') => {
    const zone = instantZone([start, [{ ...cname, name: apex.name, type }]]);
    return progressOf(zone, start + hour, { domain: apex });
  };
  for (const type of ['ALIAS', 'ANAME'] as const)
    expect(at(type)).toMatchObject({ state: 'active', problems: [] });
  expect(codesOf(at('CNAME'))).toEqual(['record-of-other-type']);
});

it('is active with another TTL, and says so', () => {
  const state = instantZone([start, [{ ...cname, ttl: 300 }]]);
  const problems = [{ code: 'ttl-differs', clause: 'ttl', blocks: false }];
  expect(progressOf(state, start + hour)).toMatchObject({ state: 'active', problems });
});

it.each([
  ['0 issue "other.example"', true],
  ['0 issue ";"', true],
  ['0 issue "CA.petstore.example; account=7"', false],
  ['0 issuewild "other.example"', false],
  ['0 iodef "mailto:a@example.com"', false],
])('takes the CAA record %s for a refusal: %s', (value, isRefused) => {
  const progress = progressOf(instantZone([start, [cname, caa(value)]]), start + hour);
  expect([progress.state, codesOf(progress)]).toEqual(
    isRefused ? ['verified', ['caa-refuses']] : ['active', []],
  );
});

it('goes by the CAA records of the nearest name that has any', () => {
  const nearest = caa('0 issue "ca.petstore.example"', docs.name);
  const zone = instantZone([start, [cname, caa('0 issue "other.example"'), nearest]]);
  expect(progressOf(zone, start + hour).state).toBe('active');
});

it('asks for the certificate again when it is verified again, once CAA records allow it', () => {
  const zone = instantZone(
    [start, [cname, caa('0 issue "other.example"')]],
    [start + hour, [cname, caa('0 issue "ca.petstore.example"')]],
  );
  const state = { ...zone, domains: [docs] };
  const at = start + 2 * hour;
  const refused = progressOf(state, at);
  expect([refused.state, codesOf(refused)]).toEqual(['verified', ['verify-again']]);
  const [domain] = verifyDomain(state, docs.name, { rules, seed: 1, now: at }).domains;
  const asked = progressOf(state, at, { domain: domain as AttachedDomain });
  expect(asked).toMatchObject({ state: 'verified', since: start, problems: [] });
  const issuedAt = asked.expectedAt as number;
  const later = progressOf(state, issuedAt + minute, { domain: domain as AttachedDomain });
  expect(later.state).toBe('active');
});

it('falls back when its record is gone everywhere, and has its certificate still when it is back', () => {
  const state = instantZone([start, [cname]], [start + hour, []], [start + 2 * hour, [cname]]);
  expect(progressOf(state, start + hour - 1).state).toBe('active');
  const [gone, back] = [start + hour, start + 2 * hour];
  const problems = [{ code: 'record-missing' }];
  expect(progressOf(state, gone)).toMatchObject({ state: 'pending', since: gone, problems });
  expect(progressOf(state, back)).toMatchObject({ state: 'active', since: back });
});

it('is the same at an instant, however the clock got there, and only goes forward undisturbed', () => {
  const instant = fc.integer({ min: start, max: start + 60 * hour });
  fc.assert(
    fc.property(fc.nat(), instant, instant, (seed, left, right) => {
      const state = zoneOf([[start, [cname]]], { seed });
      const placeAt = (now: number) => domainStates.indexOf(progressOf(state, now, { seed }).state);
      const [early, late] = [Math.min(left, right), Math.max(left, right)].map(placeAt);
      expect(early).toBeLessThanOrEqual(late as number);
      const { state: last } = progressOf(state, start + 60 * hour, { seed });
      expect(last).toBe('active');
    }),
  );
});

it('lets the change that was made last win, though another spreads later', () => {
  const other = { ...cname, value: 'elsewhere.example' };
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const changes: Change[] = [
        [start, [other]],
        [start, [cname]],
      ];
      const state = zoneOf(changes, { seed });
      const seen = state.zone.at(-1)?.seenAt as number;
      expect(progressOf(state, seen, { seed }).state).toBe('verified');
    }),
  );
});

it.each([
  [{ name: 'Docs.Example.COM.', type: 'CNAME', value: 'A.example.' }, { value: 'a.example' }],
  [{ name: 'a.example', type: 'A', value: '192.0.2.300' }, undefined],
  [{ name: 'a.example', type: 'AAAA', value: '192.0.2.3' }, undefined],
  [{ name: '-a.example', type: 'A', value: '192.0.2.3' }, undefined],
  [{ name: 'a.example', type: 'CAA', value: '256 issue "x"' }, undefined],
  [{ name: 'a.example', type: 'CAA', value: '0 issue "x"' }, { type: 'CAA' }],
] as const)('reads the record %j', (given, expected) => {
  const record = toRecord({ ttl: 60, ...given });
  if (expected === undefined) expect(record).toMatch(/must be .+, but is "/);
  else expect(record).toMatchObject(expected);
});
