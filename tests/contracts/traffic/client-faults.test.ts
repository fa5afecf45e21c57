import { expect, it } from 'vitest';
import { type Event, simulate, simulatedUrl } from '../../support/simulated-traffic.ts';
import { judgeTraffic } from '../../support/traffic.ts';

const begin = Date.UTC(2030, 0, 1, 9);
const headers = { Authorization: 'Bearer k-free-1' };

/** Calls at these seconds, after the 60 of a free key's minute are used up. */
function callsAt(...seconds: number[]): Event[] {
  const used = Array.from({ length: 60 }, (_, index) => index * 0.02);
  return [...used, ...seconds].map((second) => ({
    at: begin + second * 1000,
    takes: 8,
    path: '/pets?limit=1',
    headers,
  }));
}

async function faultsIn(events: readonly Event[]): Promise<string[]> {
  const { findings } = await judgeTraffic(simulate(events), { baseUrl: simulatedUrl });
  return findings.filter(({ verdict }) => verdict === 'client').map(({ check }) => check);
}

it('reports a client that does not wait as long as Retry-After says, and none that does', async () => {
  expect(await faultsIn(callsAt(2, 10))).toEqual(['early-retry']);
  expect(await faultsIn(callsAt(2, 70))).toEqual([]);
});

it('reports a client that does not slow down, and none whose pauses grow', async () => {
  expect(await faultsIn(callsAt(2, 4, 6, 8, 10))).toEqual(['early-retry', 'no-backoff']);
  expect(await faultsIn(callsAt(2, 3, 5, 9, 17))).toEqual(['early-retry']);
});

it('reports a deprecated operation once for each key, and a key in the query', async () => {
  const calls = [1, 2, 3].map(
    (second): Event => ({
      at: begin + second * 1000,
      takes: 8,
      path: '/pets/1',
      headers,
    }),
  );
  const inQuery: Event = { at: begin, takes: 8, path: '/pets?api_key=k-free-1', headers: {} };
  const { findings } = await judgeTraffic(simulate([...calls, inQuery]), { baseUrl: simulatedUrl });
  expect(findings.filter(({ verdict }) => verdict === 'client')).toMatchObject([
    { check: 'deprecated-operation', count: 3 },
    { check: 'key-in-query', count: 1, actual: '/pets?api_key=$KEY' },
  ]);
  expect(JSON.stringify(findings)).not.toContain('k-free-1');
});
