import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DnsRecord } from '../../../mock/domains/dns-records.ts';
import type { DomainsState, Project } from '../../../mock/domains/domains-state.ts';
import { changeProject } from '../../../mock/extras/domains/project.ts';
import { allRecords, sizeOf } from '../../../mock/extras/domains/zone.ts';
import {
  cname,
  docs,
  progressOf,
  rules,
  setRecords,
  start,
  zoneOf,
} from '../../support/domain-facts.ts';

const [minute, hour] = [60_000, 3_600_000];
const atOnce = { propagationHours: 0, issuanceMinutes: 0 };

/** The facts of a domain that is active an hour after the start. */
const active = zoneOf([[start, [cname]]], { project: atOnce, domains: [docs] });

const change = (state: DomainsState, project: Partial<Project>, now: number) =>
  changeProject(state, project, { rules, seed: 1, now });

it('goes by a changed target at once', () => {
  expect(progressOf(active, start + hour).state).toBe('active');
  const changed = change(active, { target: 'other.example' }, start + hour);
  expect(progressOf(changed, start + hour)).toMatchObject({
    state: 'pending',
    problems: [{ code: 'record-of-other-target' }],
  });
  const right = setRecords(changed, [{ ...cname, value: 'other.example' }], start + hour);
  expect(progressOf(right, start + 2 * hour)).toMatchObject({ state: 'active', problems: [] });
});

it('lets a changed authority and CAA records decide on the next certificate alone', () => {
  const changed = change(active, { authority: 'other.example' }, start + hour);
  const caa: DnsRecord = {
    name: 'example.com',
    type: 'CAA',
    ttl: 60,
    value: '0 issue "ca.petstore.example"',
  };
  const state = setRecords(changed, [cname, caa], start + hour);
  expect(progressOf(state, start + 2 * hour).state).toBe('active');
});

it('lets what still spreads or is being issued take the time that holds from now on', () => {
  const slow = zoneOf([[start, [cname]]], { domains: [docs] });
  const { expectedAt = 0 } = progressOf(slow, start);
  const halved = change(slow, { propagationHours: 24 }, start);
  expect(progressOf(halved, start).expectedAt).toBeCloseTo((start + expectedAt) / 2, -4);
  const quick = change(slow, { propagationHours: 0 }, start + minute);
  expect(progressOf(quick, start + minute)).toMatchObject({
    state: 'verified',
    since: start + minute,
  });
  const issued = change(quick, { issuanceMinutes: 0 }, start + minute);
  expect(progressOf(issued, start + minute)).toMatchObject({ state: 'certificate-issued' });
});

it('has nothing to come in the past, wherever the clock is moved', () => {
  const instant = fc.integer({ min: start - 60 * hour, max: start + 60 * hour });
  const state = zoneOf(
    [
      [start - 50 * hour, [cname]],
      [start + 50 * hour, [{ ...cname, ttl: 60 }]],
    ],
    { domains: [docs] },
  );
  fc.assert(
    fc.property(instant, (now) => {
      expect(progressOf(state, now).expectedAt ?? Number.POSITIVE_INFINITY).toBeGreaterThan(now);
    }),
    { examples: [[start - 1]] },
  );
  expect(progressOf(state, start - 1)).toMatchObject({ state: 'pending' });
});

it('says when a domain is verified, however many changes still spread', () => {
  const others = fc.constantFrom<DnsRecord[]>([], [{ ...cname, type: 'A', value: '192.0.2.1' }]);
  const records = fc.oneof(
    fc.integer({ min: 1, max: 9000 }).map((ttl) => [{ ...cname, ttl }]),
    others,
  );
  fc.assert(
    fc.property(fc.array(records, { minLength: 1, maxLength: 5 }), (sets) => {
      const changes = [...sets, [cname]].map((set, index): [number, DnsRecord[]] => [
        start + index * hour,
        set,
      ]);
      const state = zoneOf(changes, { domains: [docs] });
      const now = start + sets.length * hour;
      const { state: reached, expectedAt = 0 } = progressOf(state, now);
      fc.pre(reached === 'pending');
      expect(progressOf(state, expectedAt - 1).state).toBe('pending');
      expect(progressOf(state, expectedAt).state).not.toBe('pending');
    }),
  );
});

it('loses no record, however often records change', () => {
  const others = Array.from({ length: 200 }, (_, index): DnsRecord => {
    return { name: `n${index}.example.org`, type: 'A', ttl: 60, value: '192.0.2.1' };
  });
  let state = active;
  for (let ttl = 1; ttl <= 600; ttl++)
    state = setRecords(
      state,
      [cname, ...others, { ...cname, name: 'x.example.org', ttl }],
      start + hour,
    );
  expect(sizeOf(state.zone)).toBeLessThanOrEqual(1000);
  expect(allRecords(state.zone, start + hour)).toHaveLength(202);
  expect(progressOf(state, start + hour).state).toBe('active');
});

it('refuses changes that it has no room for, and says what to do', () => {
  const named = (round: number) =>
    Array.from({ length: 500 }, (_, index): DnsRecord => {
      return { name: `n${round}-${index}.example.org`, type: 'A', ttl: 60, value: '192.0.2.1' };
    });
  const now = start;
  let state = active;
  state = change(state, { propagationHours: 48 }, now);
  const fill = () => {
    for (let round = 0; round < 20; round++) state = setRecords(state, named(round), now);
  };
  expect(fill).toThrow(/^The zone has no room .+ PUT \/__admin\/clock/);
  expect(progressOf(change(state, { propagationHours: 0 }, now), start + hour).state).toBe(
    'pending',
  );
  expect(() => setRecords(state, named(30), start + 49 * hour)).not.toThrow();
});
