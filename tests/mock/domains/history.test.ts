import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DomainsState, Project } from '../../../mock/domains/domains-state.ts';
import { changeProject } from '../../../mock/extras/domains/project.ts';
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

it('refuses more changes than it has room for, and says what to do', () => {
  const set = (ttl: number) => setRecords(active, [{ ...cname, ttl }], start);
  expect(() => set(60)).not.toThrow();
  const full = { ...active, zone: Array(2000).fill(active.zone[0]) };
  expect(() => setRecords(full, [{ ...cname, ttl: 60 }], start)).toThrow(/^The zone has no room/);
});
