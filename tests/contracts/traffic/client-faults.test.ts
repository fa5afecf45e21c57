import { expect, it } from 'vitest';
import { toCurl } from '../../../contracts/judging/reported-exchange.ts';
import type { ReportedExchange } from '../../../contracts/report/events.ts';
import {
  type Event,
  type Simulation,
  simulate,
  simulatedUrl,
} from '../../support/simulated-traffic.ts';
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

it('counts early retries over all operations of a key, also after another one was answered', async () => {
  const listsAlone: Simulation = {
    mutate: (truth) => ({
      meter: (call, account) =>
        truth.meter(call, call.operation === 'getPet' ? undefined : account),
    }),
  };
  const paths = ['/pets?limit=1', '/pets/1', '/store/orders', '/pets/2', '/pets?limit=1'];
  const early = paths.map((path, index) => ({
    at: begin + (4 + index * 6) * 1000,
    takes: 8,
    path,
    headers,
  }));
  const calls = simulate([...callsAt(2), ...early], listsAlone);
  const { findings } = await judgeTraffic(calls, { baseUrl: simulatedUrl });
  expect(findings.filter(({ check }) => check === 'early-retry')).toMatchObject([{ count: 5 }]);
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
    {
      check: 'deprecated-operation',
      count: 3,
    },
    { check: 'key-in-query', count: 1, actual: '/pets?api_key=$KEY' },
  ]);
  const { exchange } = findings.find(({ check }) => check === 'key-in-query') ?? {};
  expect(toCurl(exchange as ReportedExchange)).toBe(`curl -i "${simulatedUrl}/pets?api_key=$KEY"`);
  expect(JSON.stringify(findings)).not.toContain('k-free-1');
});
