import { now } from '../run/wait.ts';
import { clientLeft } from '../traffic/hang-watch.ts';
import type { RawHeader, RecordedBody, RecordedExchange } from '../traffic/recorded-exchange.ts';
import type { Failure } from '../transcript/exchange.ts';
import type { RawHeaders } from './forwarded-headers.ts';

/** Sees an exchange as it passes, and never holds it up. */
export interface Recording {
  /** A piece of the request's body has passed. */
  readonly onSent: (chunk: Buffer) => void;
  onResponse(status: number, headers: RawHeaders): void;
  /** A piece of the response's body has passed. */
  readonly onReceived: (chunk: Buffer) => void;
  /** The response is complete, or the reason why it never will be. */
  end(failure?: Failure): void;
  /** The client left before the response was complete, which is no fault of the target. */
  leave(options: { hasSentAll: boolean }): void;
  /** The request went no further than here, so that there is nothing to record. */
  discard(): void;
}

type Request = { method: string; url: string; headers: RawHeaders };

type RecorderOptions = {
  /** How much of a body is recorded, in bytes. */
  maxBody: number;
  /** How much of all bodies that are under way, in bytes. */
  maxUnderWay: number;
  onExchange: (recorded: RecordedExchange) => void;
};

/** How long a client may take to send a request whose answer it is said to have waited for. */
const maxSending = 1000;

const clientLeftSlow = `${clientLeft}, and took long to send its request`;

/** Gives a function that begins to record an exchange. */
export function createRecorder({ maxBody, maxUnderWay, onExchange }: RecorderOptions) {
  let taken = 0;
  const createBody = () => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isCut = false;
    return {
      add(chunk: Buffer) {
        const room = Math.min(maxBody - size, maxUnderWay - taken, isCut ? 0 : Infinity);
        isCut ||= chunk.length > room;
        if (room <= 0) return;
        const kept = chunk.length > room ? chunk.subarray(0, room) : chunk;
        chunks.push(kept);
        size += kept.length;
        taken += kept.length;
      },
      cut() {
        isCut = true;
      },
      take(): RecordedBody {
        // A copy of its own: a piece may be a view of much more memory.
        const bytes = new Uint8Array(size);
        let at = 0;
        for (const chunk of chunks) {
          bytes.set(chunk, at);
          at += chunk.length;
        }
        return { bytes, ...(isCut && { isCut }) };
      },
      release() {
        taken -= size;
      },
    };
  };
  return ({ method, url, headers }: Request): Recording => {
    const sentAt = now();
    const sent = createBody();
    const received = createBody();
    let head: { status: number; headers: RawHeaders } | undefined;
    let isSent = false;
    let sentUntil = sentAt;
    const release = () => {
      sent.release();
      received.release();
    };
    const handOver = (failure?: Failure) => {
      const recorded: RecordedExchange = {
        request: {
          method,
          url,
          headers: toPairs(headers),
          ...(isSent && { body: sent.take() }),
        },
        ...(head && {
          response: {
            status: head.status,
            headers: toPairs(head.headers),
            body: received.take(),
          },
        }),
        ...(failure && { failure }),
        sentAt,
        endedAt: now(),
      };
      release();
      onExchange(recorded);
    };
    return {
      onSent(chunk) {
        isSent = true;
        sentUntil = now();
        sent.add(chunk);
      },
      onResponse(status, responseHeaders) {
        head = { status, headers: responseHeaders };
      },
      onReceived: received.add,
      end: handOver,
      leave({ hasSentAll }) {
        received.cut();
        // Of a client that took long to send, nobody knows how long the target had.
        const whenSent = sentUntil - sentAt < maxSending ? clientLeft : clientLeftSlow;
        const message = hasSentAll ? whenSent : 'the client left before it had sent all';
        handOver(head ? undefined : { kind: 'aborted', message });
      },
      discard: release,
    };
  };
}

function toPairs(raw: RawHeaders): RawHeader[] {
  const pairs: RawHeader[] = [];
  for (let at = 0; at < raw.length; at += 2) pairs.push([raw[at] as string, raw[at + 1] as string]);
  return pairs;
}
