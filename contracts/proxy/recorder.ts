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
  const room: Room = { maxBody, left: maxUnderWay };
  return ({ method, url, headers }: Request): Recording => {
    const sentAt = now();
    const [sent, received] = [new RecordedBytes(room), new RecordedBytes(room)];
    let head: { status: number; headers: RawHeader[] } | undefined;
    let isSent = false;
    let sentUntil = sentAt;
    const end = (failure?: Failure) => {
      const [sentBody, body] = [sent.take(), received.take()];
      onExchange({
        request: { method, url, headers: toPairs(headers), ...(isSent && { body: sentBody }) },
        ...(head && { response: { ...head, body } }),
        ...(failure && { failure }),
        sentAt,
        endedAt: now(),
      });
    };
    return {
      onSent(chunk) {
        isSent = true;
        sentUntil = now();
        sent.add(chunk);
      },
      onResponse(status, responseHeaders) {
        head = { status, headers: toPairs(responseHeaders) };
      },
      onReceived: (chunk) => received.add(chunk),
      end,
      leave({ hasSentAll }) {
        received.cut();
        // Of a client that took long to send, nobody knows how long the target had.
        const whenSent = sentUntil - sentAt < maxSending ? clientLeft : clientLeftSlow;
        const message = hasSentAll ? whenSent : 'the client left before it had sent all';
        end(head ? undefined : { kind: 'aborted', message });
      },
      discard() {
        sent.take();
        received.take();
      },
    };
  };
}

/** How much may be recorded of a body, and now of all bodies that are under way, in bytes. */
type Room = { readonly maxBody: number; left: number };

/** What has passed of a body, as far as there is room for it. */
class RecordedBytes {
  readonly #room: Room;
  #chunks: Buffer[] = [];
  #size = 0;
  #isCut = false;

  constructor(room: Room) {
    this.#room = room;
  }

  add(chunk: Buffer): void {
    const { maxBody, left } = this.#room;
    const length = this.#isCut ? 0 : Math.min(chunk.length, maxBody - this.#size, left);
    this.#isCut ||= length < chunk.length;
    if (length <= 0) return;
    this.#chunks.push(chunk.subarray(0, length));
    this.#size += length;
    this.#room.left -= length;
  }

  cut(): void {
    this.#isCut = true;
  }

  /** Gives what was recorded, and the room that it took to others. */
  take(): RecordedBody {
    this.#room.left += this.#size;
    // A copy of its own: a piece may be a view of much more memory.
    const bytes = new Uint8Array(Buffer.concat(this.#chunks));
    return { bytes, ...(this.#isCut && { isCut: true }) };
  }
}

function toPairs(raw: RawHeaders): RawHeader[] {
  const pairs: RawHeader[] = [];
  for (let at = 0; at < raw.length; at += 2) pairs.push([raw[at] as string, raw[at + 1] as string]);
  return pairs;
}
