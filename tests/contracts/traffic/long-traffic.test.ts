import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';
import { builtInDocument } from '../../../common/built-in-document.ts';
import type { RecordedExchange } from '../../../contracts/traffic/read-outcome.ts';
import { TrafficJudge } from '../../../contracts/traffic/traffic-judge.ts';
import { compile } from '../../../openapi/index.ts';
import { itInAll } from '../../support/sample.ts';
import { type Event, simulate, simulatedUrl } from '../../support/simulated-traffic.ts';

const begin = Date.UTC(2030, 0, 1, 9);
const headers = { Authorization: 'Bearer k-enterprise' };
const minute = 60_000;

/** The calls of a client within a minute; some of the answers are too long lists. */
function toEvent(index: number): Event {
  const at = begin + index * 40;
  if (index % 5 === 0)
    return {
      ...{ at, takes: 9, method: 'POST', path: '/pets' },
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: `Animal number ${index}`, categoryId: 1 }),
    };
  return { at, takes: 9, path: index % 5 < 3 ? '/pets?limit=10' : `/pets/${index}`, headers };
}

/** The same exchanges, some minutes later. */
function later(exchange: RecordedExchange, minutes: number): RecordedExchange {
  const { response, sentAt, endedAt } = exchange;
  const shift = minutes * minute;
  const toLater = (name: string, value: string) =>
    name === 'X-RateLimit-Reset' ? String(Number(value) + shift / 1000) : value;
  return {
    ...exchange,
    sentAt: sentAt + shift,
    endedAt: endedAt + shift,
    ...(response && {
      response: {
        ...response,
        headers: response.headers
          .filter(([name]) => name !== 'Date')
          .map(([name, value]) => [name, toLater(name, value)] as const),
      },
    }),
  };
}

itInAll(
  'takes no more memory the longer the traffic goes on, and counts all of it',
  async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const heap = () => {
      collect();
      return process.memoryUsage().heapUsed / 1e6;
    };
    const recorded = simulate(
      Array.from({ length: 1000 }, (_, index) => toEvent(index)),
      { mutate: (truth) => ({ list: (query, call) => truth.list({ ...query, limit: 12 }, call) }) },
    );
    const document = await compile(builtInDocument);
    const judge = new TrafficJudge({ document, baseUrl: simulatedUrl });
    const sizes: number[] = [];
    for (let minutes = 0; minutes < 9; minutes++) {
      for (const one of recorded) await judge.add(later(one, minutes));
      sizes.push(heap());
    }
    const { findings, targets } = await judge.report();
    expect(targets[0]?.requests).toBe(9_000);
    expect(findings.find(({ check }) => check === 'page-size')?.count).toBe(9 * 400);
    // Half a kilobyte an exchange.
    expect((sizes.at(-1) as number) - (sizes[3] as number)).toBeLessThan(2.5);
  },
  180_000,
);
