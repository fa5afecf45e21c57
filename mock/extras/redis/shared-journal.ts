import { Exchange, trim } from '../../journal/exchange.ts';
import type { Journal, LocalJournal } from '../../journal/journal.ts';
import type { Connection } from './connection.ts';
import type { Keys } from './keys.ts';
import { clearJournalScript, recordScript } from './scripts.ts';

/** How many exchanges may wait for a slow server; others are not recorded. */
const maxWaiting = 1000;

/** How many exchanges are read at once. */
const readAtOnce = '200';

/** A journal at the server. */
export type SharedJournal = Journal & {
  /** Resolves once all that was recorded before is at the server, or could not be sent. */
  settle(): Promise<void>;
};

/**
 * Shares the journal of a sandbox: a stream at the server, whose ids all journals of the twin count
 * together. The one in memory mirrors it, as of when somebody reads it.
 */
export function shareJournal(
  local: LocalJournal,
  { name, connection, keys }: { name: string; connection: Connection; keys: Keys },
): SharedJournal {
  const stream = keys.journalOf(name);
  const { bounds } = local;
  let waiting: Exchange[] = [];
  /** Ends once all that was recorded until now was sent. */
  let flushing: Promise<void> = Promise.resolve();
  let refreshing: Promise<void> | undefined;
  let followed = 0;
  /** The tag of the followed journals. */
  let known: string | null = null;

  const send = async (batch: readonly Exchange[]) => {
    try {
      const first = (await connection.run(recordScript, [
        ...[connection.prefix, name, String(bounds.entries), String(bounds.bytes)],
        ...batch.flatMap((exchange) => [String(exchange.size), JSON.stringify(exchange)]),
      ])) as number;
      for (const [at, exchange] of batch.entries()) exchange.id = first + at;
    } catch {
      // A request that the server did not get is answered all the same.
    }
    for (const exchange of batch) local.report(exchange);
  };
  /** Sends what waits once all before it was sent. */
  const flush = async (before: Promise<void>) => {
    await before;
    // All of one turn of the event loop, or of a round trip, are sent together.
    await new Promise((resolve) => setImmediate(resolve));
    const batch = waiting;
    waiting = [];
    if (batch.length > 0) await send(batch);
  };
  const read = async () => {
    await flushing;
    let more = true;
    while (more) {
      const [[dropped, tag = null], oldest, found] = (await Promise.all([
        connection.send('HMGET', keys.dropped, name, '|tag'),
        connection.send('XRANGE', stream, '-', '+', 'COUNT', '1'),
        connection.send('XRANGE', stream, `${followed + 1}-0`, '+', 'COUNT', readAtOnce),
      ])) as [(string | null)[], StreamEntry[], StreamEntry[]];
      more = found.length === Number(readAtOnce);
      // Another server, or one that lost its data, counts from the beginning.
      if (tag !== known) {
        known = tag;
        if (followed > 0) {
          local.clear();
          followed = 0;
          more = true;
          continue;
        }
      }
      followed = found.length > 0 ? toId(found.at(-1) as StreamEntry) : followed;
      local.follow({
        exchanges: found.map(readExchange),
        oldest: oldest[0] ? toId(oldest[0]) : Number.POSITIVE_INFINITY,
        dropped: Number(dropped ?? 0),
      });
    }
  };
  const refresh = () => {
    refreshing ??= read().finally(() => (refreshing = undefined));
    return refreshing;
  };
  return {
    ...local,
    record(exchange) {
      if (bounds.entries === 0) return local.report(exchange);
      trim(exchange);
      if (waiting.length >= maxWaiting) return;
      if (waiting.push(exchange) === 1) flushing = flush(flushing);
    },
    async refresh() {
      // One that began before may have missed what was recorded since.
      await refreshing?.catch(() => {});
      await refresh();
    },
    settle: () => flushing,
    async clear() {
      waiting = [];
      await connection.run(clearJournalScript, [connection.prefix, name]);
      await refresh();
    },
  };
}

type StreamEntry = [id: string, fields: [string, string, string, string]];

function toId([id]: StreamEntry): number {
  return Number.parseInt(id, 10);
}

function readExchange(entry: StreamEntry): Exchange {
  const fields = JSON.parse(entry[1][3]) as Exchange;
  const { sandbox, at, clockOffset } = fields;
  return Object.assign(new Exchange(0, sandbox, at, clockOffset), fields, { id: toId(entry) });
}
