import type { EntrySummary } from '../../../journal/entry.ts';
import type { VersionView } from '../../admin/twin-handlers.ts';
import type { Admin } from '../../pages/browser/admin.ts';

/** Whether requests arrive as they come; the problem is the twin's own words. */
export type FeedState = { state: 'connecting' | 'live' } | { state: 'lost'; problem: string };

export type FeedListener = {
  onRequests: (requests: EntrySummary[]) => void;
  onState: (state: FeedState) => void;
  /** The twin was started again, so ids begin anew. */
  onRestart: () => void;
};

/** What a feed needs of the page around it. */
export type FeedHost = {
  isHidden: () => boolean;
  /** Notifies of each change of that; gives the way out. */
  onHiddenChange: (listener: () => void) => () => void;
  /** The longest pause before it connects again, in milliseconds. */
  maxPause: number;
};

const path = 'requests/stream?since=0&fields=summary&admin=true';

/**
 * Reads the requests of the sandbox as they come, those of its journal first. A connection that is
 * lost is opened again, and goes on after the last request. It is closed while the page is hidden,
 * as a browser opens no more than six to a host. Gives the way out.
 */
export function openFeed(admin: Admin, listener: FeedListener, host: FeedHost): () => void {
  const leaving = new AbortController();
  const reader = createReader(admin, listener);
  let connection = new AbortController();
  let wake: (() => void) | undefined;
  const unsubscribe = host.onHiddenChange(() => {
    if (host.isHidden()) connection.abort();
    wake?.();
  });
  const untilSeen = async () => {
    while (host.isHidden() && !leaving.signal.aborted)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  };
  const rest = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      wake = resolve;
      setTimeout(resolve, milliseconds);
    });
  const run = async () => {
    let pause = 250;
    while (!leaving.signal.aborted) {
      await untilSeen();
      if (leaving.signal.aborted) return;
      connection = new AbortController();
      const before = reader.last();
      const problem = await reader
        .read(connection.signal)
        .catch(() => 'The connection to the twin was lost.');
      connection.abort();
      if (leaving.signal.aborted) return;
      if (host.isHidden()) continue;
      listener.onState({ state: 'lost', problem });
      pause = reader.last() === before ? Math.min(pause * 2, host.maxPause) : 250;
      await rest(pause);
    }
  };
  listener.onState({ state: 'connecting' });
  void run();
  return () => {
    leaving.abort();
    connection.abort();
    unsubscribe();
    wake?.();
  };
}

/** Reads one connection after another. */
type Reader = {
  /** The id of the last request that was read. */
  last: () => number | undefined;
  /** Reads until the connection ends, and gives why it did. */
  read: (signal: AbortSignal) => Promise<string>;
};

function createReader(admin: Admin, listener: FeedListener): Reader {
  let last: number | undefined;
  let startedAt: string | undefined;
  const follow = (events: readonly StreamEvent[]) => {
    for (const { type, data } of events) {
      if (type === 'available') listener.onState({ state: 'live' });
      if (type === 'unavailable')
        listener.onState({ state: 'lost', problem: JSON.parse(data).message });
    }
    const requests = events
      .filter(({ type }) => type === 'message')
      .map(({ data }) => JSON.parse(data) as EntrySummary);
    last = requests.at(-1)?.id ?? last;
    if (requests.length > 0) listener.onRequests(requests);
  };
  return {
    last: () => last,
    async read(signal) {
      const version = await admin.call({ method: 'GET', path: 'version' });
      if (!version.ok) return version.message;
      const { startedAt: start } = version.value as VersionView;
      if (startedAt !== undefined && start !== startedAt) {
        last = undefined;
        listener.onRestart();
      }
      startedAt = start;
      const headers: Record<string, string> = {};
      if (last !== undefined) headers['Last-Event-ID'] = String(last);
      const response = await admin.open(path, headers, signal);
      if (!response.ok || !response.body) return await messageOf(response);
      listener.onState({ state: 'live' });
      const parse = createEventParser();
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return 'The twin closed the stream of requests.';
        follow(parse(value));
      }
    },
  };
}

async function messageOf(response: Response): Promise<string> {
  try {
    const { message } = (await response.json()) as { message: unknown };
    return String(message);
  } catch {
    return `The answer was ${response.status}, without a message.`;
  }
}

/** An event of a stream: its type, and its data. */
export type StreamEvent = { type: string; data: string };

/**
 * Makes the parser of a stream of server-sent events (HTML standard, §9.2.6), as far as the twin
 * writes them: it takes the text as it comes and gives the events that are complete.
 */
export function createEventParser(): (text: string) => StreamEvent[] {
  let rest = '';
  return (text) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => parseBlock(block) ?? []);
  };
}

function parseBlock(block: string): StreamEvent | undefined {
  let type = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('data:')) data.push(textAfter(line, 5));
    else if (line.startsWith('event:')) type = textAfter(line, 6);
  }
  return data.length === 0 ? undefined : { type, data: data.join('\n') };
}

function textAfter(line: string, start: number): string {
  return line.slice(line[start] === ' ' ? start + 1 : start);
}
