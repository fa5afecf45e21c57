import { expect, it, onTestFinished } from 'vitest';
import type { Connection } from '../../../../mock/extras/redis/connection.ts';
import { toKeys } from '../../../../mock/extras/redis/keys.ts';
import { shareJournal } from '../../../../mock/extras/redis/shared-journal.ts';
import { Exchange } from '../../../../mock/journal/exchange.ts';
import type { Journal } from '../../../../mock/journal/journal.ts';
import { createJournals } from '../../../../mock/journal/journals.ts';
import { toByteText } from '../../../../mock/json/exact-json.ts';
import { Budget } from '../../../../mock/state/budget.ts';
import { StoreUnavailableError } from '../../../../mock/state/store.ts';
import { connect, useRedis } from '../../../support/redis-connection.ts';
import { describeWithRedis } from '../../../support/redis-server.ts';

const redis = useRedis();
let opened = 0;

/** Processes that share the journals of sandboxes, as far as these take so much memory. */
function openProcesses(
  count: number,
  { entries = 10, maxBytes = 1e6 } = {},
): ((name: string) => Journal)[] {
  const prefix = `journal-${++opened}`;
  const keys = toKeys(prefix);
  const connection = { ...redis.connection, prefix };
  return Array.from({ length: count }, () => {
    const journals = createJournals({ entries, budget: new Budget(maxBytes), secrets: [] });
    return (name: string) => shareJournal(journals.open(), { name, connection, keys });
  });
}

function record(journal: Journal, size = 10): void {
  const exchange = new Exchange(0, 'a', Date.now(), 0);
  exchange.method = 'GET';
  exchange.target = '/v1/pets';
  exchange.status = 200;
  exchange.content = toByteText('x'.repeat(size));
  journal.record(exchange);
}

async function idsOf(journal: Journal): Promise<number[]> {
  await journal.refresh?.();
  return journal.ids();
}

describeWithRedis('a journal that processes share', () => {
  it('counts ids over all sandboxes, and is emptied for all', async () => {
    const [openOne, openTwo] = openProcesses(2) as [
      (name: string) => Journal,
      (name: string) => Journal,
    ];
    const [a, b, other] = [openOne('a'), openOne('b'), openTwo('a')];
    for (const journal of [a, b, a, b]) {
      record(journal);
      await journal.refresh?.();
    }
    expect([await idsOf(other), await idsOf(b)]).toEqual([
      [3, 1],
      [4, 2],
    ]);
    await other.clear();
    expect(redis.server.command('EXISTS', toKeys(`journal-${opened}`).journalOf('a'))).toBe('0');
    expect([await idsOf(a), await idsOf(b)]).toEqual([[], [4, 2]]);
    record(a);
    expect([await idsOf(a), await idsOf(other)]).toEqual([[5], [5]]);
    expect(other.retained.dropped).toBe(0);
  });

  it('is not emptied where the server cannot be used, and that is said', async () => {
    const ended = await connect(redis.server);
    const keys = toKeys(redis.connection.prefix);
    const journals = createJournals({ entries: 10, secrets: [] });
    const journal = shareJournal(journals.open(), { name: 'ended', connection: ended, keys });
    record(journal);
    const ids = await idsOf(journal);
    ended.close();
    await expect(journal.clear()).rejects.toThrow(StoreUnavailableError);
    expect([ids.length, journal.ids()]).toEqual([1, ids]);
  });

  it('can be read while requests are recorded without a pause', async () => {
    let isOver = false;
    const busy: Connection = {
      ...redis.connection,
      async run(...call) {
        const reply = await redis.connection.run(...call);
        if (!isOver) record(journal);
        return reply;
      },
    };
    const keys = toKeys(redis.connection.prefix);
    const journals = createJournals({ entries: 10, secrets: [] });
    const journal = shareJournal(journals.open(), { name: 'busy', connection: busy, keys });
    onTestFinished(() => {
      isOver = true;
    });
    record(journal);
    expect((await idsOf(journal)).length).toBeGreaterThan(0);
  });

  it('takes no more memory than all of them may, the largest first', async () => {
    const [open] = openProcesses(1, { entries: 1000, maxBytes: 200_000 }) as [
      (name: string) => Journal,
    ];
    const [small, large] = [open('small'), open('large')];
    record(small);
    await small.refresh?.();
    for (let at = 0; at < 60; at++) {
      record(large, 9000);
      await large.refresh?.();
    }
    const ids = await idsOf(large);
    expect(ids.length).toBeGreaterThan(10);
    expect(ids.length).toBeLessThan(22);
    expect(ids[0]).toBe(61);
    expect(large.retained.dropped).toBe(60 - ids.length);
    expect(await idsOf(small)).toEqual([1]);
  });

  it('begins anew with a server that lost it', async () => {
    const [one, two] = openProcesses(2).map((open) => open('a')) as [Journal, Journal];
    for (let at = 0; at < 3; at++) record(one, 10);
    expect([await idsOf(one), await idsOf(two)]).toEqual([
      [3, 2, 1],
      [3, 2, 1],
    ]);
    redis.server.command('FLUSHALL');
    for (let at = 0; at < 5; at++) record(one, 20);
    expect([await idsOf(one), await idsOf(two)]).toEqual([
      [5, 4, 3, 2, 1],
      [5, 4, 3, 2, 1],
    ]);
    expect(two.get(1)?.response?.bytes).toBe(20);
  });
});
