import type { EntrySummary } from '../../../journal/entry.ts';
import type { Admin } from '../../pages/browser/admin.ts';

/** Whether requests arrive as they come; the problem is the twin's own words. */
export type FeedState = { state: 'connecting' | 'live' } | { state: 'lost'; problem: string };

export type FeedListener = {
  /** A connection begins, with all that the journal has. */
  onStart: () => void;
  onRequests: (requests: EntrySummary[]) => void;
  onState: (state: FeedState) => void;
};

const path = 'requests/stream?since=0&fields=summary&admin=true';

/**
 * Reads the requests of the sandbox as they come, those of its journal first. A connection that is
 * lost is opened again after a pause, in milliseconds. Gives the way out.
 */
export function openFeed(admin: Admin, listener: FeedListener, pause = 1000): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  const run = async () => {
    while (!signal.aborted) {
      const problem = await readStream(admin, listener, signal).catch(
        () => 'The connection to the twin was lost.',
      );
      if (signal.aborted) return;
      listener.onState({ state: 'lost', problem });
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  };
  void run();
  return () => leaving.abort();
}

/** Reads until the connection ends, and gives why it did. */
async function readStream(
  admin: Admin,
  { onStart, onRequests, onState }: FeedListener,
  signal: AbortSignal,
): Promise<string> {
  const response = await admin.open(path, {}, signal);
  if (!response.ok || !response.body) return await messageOf(response);
  onStart();
  onState({ state: 'live' });
  const parse = createEventParser();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return 'The twin closed the stream of requests.';
    const events = parse(value);
    const requests = events.flatMap(({ type, data }) =>
      type === 'message' ? [JSON.parse(data) as EntrySummary] : [],
    );
    if (requests.length > 0) onRequests(requests);
    for (const { type, data } of events) {
      if (type === 'available') onState({ state: 'live' });
      if (type === 'unavailable') onState({ state: 'lost', problem: JSON.parse(data).message });
    }
  }
}

async function messageOf(response: Response): Promise<string> {
  const body = (await response.json().catch(() => ({}))) as { message?: unknown };
  return String(body.message ?? `The answer was ${response.status}, without a message.`);
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
    return blocks.flatMap((block) => {
      const lines = block.split('\n');
      const valuesOf = (field: string) =>
        lines.flatMap((line) =>
          line.startsWith(`${field}: `) ? [line.slice(field.length + 2)] : [],
        );
      const data = valuesOf('data').join('\n');
      return data === '' ? [] : [{ type: valuesOf('event')[0] ?? 'message', data }];
    });
  };
}
