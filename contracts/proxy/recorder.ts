import { now } from '../run/wait.ts';
import type { RawHeader, RecordedBody, RecordedExchange } from '../traffic/recorded-exchange.ts';
import type { Failure } from '../transcript/exchange.ts';
import { type RawHeaders, toPairs } from './forwarded-headers.ts';

type Request = { method: string; url: string; headers: RawHeaders };

/** Sees an exchange as it passes, and never holds it up. */
export class Recording {
  readonly #request: Request;
  readonly #onExchange: (recorded: RecordedExchange) => void;
  readonly #sentAt = now();
  readonly #sent: RecordedBytes;
  readonly #received: RecordedBytes;
  #head: { status: number; headers: RawHeader[] } | undefined;

  /** `maxBody` is how much of a body is recorded, in bytes. */
  constructor(
    request: Request,
    { maxBody, onExchange }: { maxBody: number; onExchange: (recorded: RecordedExchange) => void },
  ) {
    this.#request = request;
    this.#onExchange = onExchange;
    this.#sent = new RecordedBytes(maxBody);
    this.#received = new RecordedBytes(maxBody);
  }

  /** A piece of the request's body has passed. */
  onSent(chunk: Buffer): void {
    this.#sent.add(chunk);
  }

  onResponse(status: number, headers: RawHeaders): void {
    this.#head = { status, headers: toPairs(headers) };
  }

  /** A piece of the response's body has passed. */
  onReceived(chunk: Buffer): void {
    this.#received.add(chunk);
  }

  /** The response is complete, or the reason why it never will be. */
  end(failure?: Failure): void {
    const { method, url, headers } = this.#request;
    const request = { method, url, headers: toPairs(headers) };
    const response = this.#head && { ...this.#head, body: this.#received.take() };
    this.#onExchange({
      request: this.#sent.isEmpty ? request : { ...request, body: this.#sent.take() },
      ...(response && { response }),
      ...(failure && { failure }),
      sentAt: this.#sentAt,
      endedAt: now(),
    });
  }

  /** The client left before the response was complete, which is no fault of the target. */
  leave({ hasSentAll }: { hasSentAll: boolean }): void {
    this.#received.isCut = true;
    const message = `the client left before ${hasSentAll ? 'an answer' : 'it had sent all'}`;
    this.end(this.#head ? undefined : { kind: 'aborted', message });
  }
}

/** The recorded bytes of a body, up to a maximum size. */
class RecordedBytes {
  readonly #maxBody: number;
  #chunks: Buffer[] = [];
  #size = 0;
  isEmpty = true;
  isCut = false;

  constructor(maxBody: number) {
    this.#maxBody = maxBody;
  }

  add(chunk: Buffer): void {
    this.isEmpty = false;
    const length = this.isCut ? 0 : Math.min(chunk.length, this.#maxBody - this.#size);
    this.isCut ||= length < chunk.length;
    this.#chunks.push(chunk.subarray(0, length));
    this.#size += length;
  }

  take(): RecordedBody {
    // A copy of its own: a piece may be a view of much more memory.
    const bytes = new Uint8Array(Buffer.concat(this.#chunks));
    return { bytes, ...(this.isCut && { isCut: true }) };
  }
}
