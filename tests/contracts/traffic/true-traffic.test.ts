import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RecordedExchange } from '../../../contracts/traffic/read-outcome.ts';
import {
  type Event,
  type Simulation,
  simulate,
  simulatedUrl,
} from '../../support/simulated-traffic.ts';
import { judgeTraffic } from '../../support/traffic.ts';

const begin = Date.UTC(2030, 0, 1, 9);
const json = { 'Content-Type': 'application/json' };
const keys = ['k-free-1', 'k-free-2', 'k-pro-1', 'k-business', 'no-such-key'];
const bearer = (key: string) => ({ Authorization: `Bearer ${key}`, Accept: 'application/json' });

/** Generates the requests of a client, well-formed or not. */
const requests = fc.oneof(
  fc.record({
    path: fc.constantFrom('/pets', '/pets?limit=3', '/pets?limit=100', '/pets?limit=0'),
  }),
  fc.record({
    path: fc.constantFrom('/pets?status=sold', '/pets?status=sold&limit=100', '/pets?page=2'),
  }),
  fc.record({ path: fc.nat(70).map((id) => `/pets/${id}`) }),
  fc.record({ path: fc.constantFrom('/store/orders', '/elsewhere', '/pets/abc', '/pets/007') }),
  fc.record({
    method: fc.constant('POST'),
    path: fc.constant('/pets'),
    body: fc
      .oneof(
        fc.record({
          name: fc.constantFrom('Rex', 'Ada of the hill', 'Mittens the third'),
          categoryId: fc.nat(12),
        }),
        fc.record({
          name: fc.constantFrom('Rex', 'Nobody in particular'),
          status: fc.constant('sold'),
        }),
        fc.record({
          name: fc.string(),
          categoryId: fc.constant(1),
          status: fc.constantFrom('sold', 'lost'),
          color: fc.string(),
        }),
      )
      .map((body) => JSON.stringify(body)),
  }),
  fc.record({ method: fc.constantFrom('HEAD', 'DELETE', 'OPTIONS'), path: fc.constant('/pets/1') }),
);

const headers = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...keys).map(bearer) },
  {
    weight: 1,
    arbitrary: fc.constantFrom({}, { Authorization: 'Bearer' }, { Authorization: 'Basic eDp5' }),
  },
);

const calls: fc.Arbitrary<Event> = fc
  .record({
    request: requests,
    headers,
    second: fc.nat(240),
    takes: fc.oneof(fc.nat(80), fc.nat(4000)),
    isUnseen: fc.constantFrom(true, false, false),
    recorded: fc.option(fc.nat(400), { freq: 8, nil: undefined }),
  })
  .map(({ request, headers: sent, second, recorded, ...event }) => ({
    ...event,
    ...request,
    at: begin + second * 1000 + ((second * 7919) % 997),
    headers: { ...sent, ...('body' in request ? json : {}) },
    ...(recorded !== undefined && { recorded }),
  }));

/**
 * Generates the acts of others beside the calls: they sell, remove and restore items, and empty the
 * store.
 */
const happenings: fc.Arbitrary<Event> = fc
  .record({
    second: fc.nat(240),
    id: fc.nat(60),
    what: fc.constantFrom('sells', 'sells', 'removes', 'removes', 'empties'),
  })
  .map(({ second, id, what }) => ({
    at: begin + second * 1000 + 3,
    happens: ({ items }) => {
      const item = items.get(String(id));
      if (what === 'removes') items.delete(String(id));
      if (what === 'sells' && item) items.set(String(id), { ...item, status: 'sold' });
      if (what === 'empties' && id < 5) items.clear();
    },
  }));

async function findDrift(recorded: readonly RecordedExchange[]): Promise<string[]> {
  const { findings, defects } = await judgeTraffic(recorded, { baseUrl: simulatedUrl });
  const gating = findings.filter(({ verdict }) => verdict === 'drift' || verdict === 'unanswered');
  return [...defects, ...gating.map(({ check, message }) => `${check}: ${message}`)];
}

const deployments: fc.Arbitrary<Simulation> = fc.record({
  settings: fc.record({
    animals: fc.constantFrom(0, 3, 45, 150),
    windowSeconds: fc.constantFrom(60, 60, 2),
    shows: fc.constantFrom('minute', 'day'),
  }),
});

it('finds nothing in traffic with a true deployment, whoever else uses it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 12, arbitrary: calls }, happenings), {
        minLength: 20,
        maxLength: 160,
        size: 'max',
      }),
      deployments,
      async (events, deployment) => {
        expect(await findDrift(simulate(events, deployment))).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
}, 180_000);
