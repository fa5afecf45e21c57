import { expect, it } from 'vitest';
import { createHandOver } from '../../../contracts/proxy/hand-over.ts';
import type { RecordedExchange } from '../../../contracts/traffic/recorded-exchange.ts';

function toRecorded(name: string, bytes = 0): RecordedExchange {
  const body = { bytes: new Uint8Array(bytes) };
  return {
    request: { method: 'GET', url: `http://127.0.0.1/v1/${name}`, headers: [] },
    response: { status: 200, headers: [], body },
    sentAt: 0,
    endedAt: 0,
  };
}

const options = { maxBytes: 100_000, maxBatch: 2, pause: 0 };

it('hands exchanges over in their order, some at a time', async () => {
  const batches: string[][] = [];
  const handOver = createHandOver({
    ...options,
    take: async (batch) => {
      batches.push(batch.map(({ request }) => request.url.slice(-1)));
    },
  });
  for (const name of ['a', 'b', 'c', 'd', 'e']) handOver.add(toRecorded(name));
  expect(batches).toEqual([]);
  await handOver.flush();
  expect(batches).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
});

it('drops and counts what comes while too much waits, and goes on afterwards', async () => {
  const taken: string[] = [];
  const go = Promise.withResolvers<void>();
  const handOver = createHandOver({
    ...options,
    take: async (batch) => {
      await go.promise;
      taken.push(...batch.map(({ request }) => request.url.slice(-1)));
    },
  });
  handOver.add(toRecorded('a', 80_000));
  handOver.add(toRecorded('b', 80_000));
  handOver.add(toRecorded('c'));
  expect(handOver.dropped()).toBe(1);
  go.resolve();
  await handOver.flush();
  expect(taken).toEqual(['a', 'c']);
  handOver.add(toRecorded('d', 80_000));
  await handOver.flush();
  expect(taken).toEqual(['a', 'c', 'd']);
  expect(handOver.dropped()).toBe(1);
});
