import type { ServerResponse } from 'node:http';
import { toEntry } from '../../journal/entry.ts';
import type { Filter, Journal } from '../../journal/journal.ts';

/** How often a stream says that it is alive, in milliseconds. */
const defaultHeartbeat = 15_000;

/** `after` is the id to begin after, unless the client has `seen` one before. */
type Options = {
  journal: Journal;
  filter: Filter;
  after: number;
  seen?: number | undefined;
  heartbeat?: number;
};

/**
 * Sends the exchanges of a journal as server-sent events, those after an id first. The journal is
 * the only buffer: a client that reads slowly gets the event `gap` where some made room before it
 * could have them. So does one that had an id which the twin never gave out, as it started
 * again since; it gets all from the first on.
 */
export function streamRequests(
  response: ServerResponse,
  { journal, filter, after, seen, heartbeat = defaultHeartbeat }: Options,
): void {
  response.writeHead(200, ['Content-Type', 'text/event-stream', 'Cache-Control', 'no-store']);
  if (response.req.method === 'HEAD') return void response.end();
  const isUnknown = seen !== undefined && seen > journal.newestId();
  let last = isUnknown ? 0 : (seen ?? after);
  let isFull = false;
  let isAwake = false;

  const write = (text: string) => {
    isFull = !response.write(text);
  };
  const pump = () => {
    isAwake = false;
    while (!isFull && !response.destroyed) {
      const before = last;
      const read = journal.read(before, filter, 1, toEntry);
      last = read.last;
      if (read.missed) write(toGap(before));
      for (const entry of read.entries)
        write(`id: ${entry.id}\ndata: ${JSON.stringify(entry)}\n\n`);
      if (last === before) return;
    }
  };
  const wake = () => {
    // Not before the exchange under way is over, and once for all that come together.
    if (!isAwake) setImmediate(pump);
    isAwake = true;
  };

  write(': requests as they come\n\n');
  if (isUnknown) write(toGap(seen));
  response.on('drain', () => {
    isFull = false;
    wake();
  });
  const beat = setInterval(() => isFull || write(':\n\n'), heartbeat).unref();
  const unsubscribe = journal.subscribe({
    onRecord: wake,
    onRestart: () => {
      write(toGap(last));
      last = 0;
    },
    // What a client does not read would keep the connection, and with it the twin, open.
    onClose: () => {
      clearInterval(beat);
      if (isFull) response.destroy();
      else response.end();
    },
  });
  response.once('close', () => {
    clearInterval(beat);
    unsubscribe();
  });
  wake();
}

function toGap(after: number): string {
  return `event: gap\ndata: {"after":${after}}\n\n`;
}
