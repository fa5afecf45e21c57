import { Beginning, type RawHeaders, toPairs } from '../../common/http/forward.ts';
import { now } from '../run/wait.ts';
import type { RecordedBody, RecordedExchange } from '../traffic/read-outcome.ts';
import type { Failure, RawHeader } from '../transcript/exchange.ts';

type Request = { method: string; url: string; headers: RawHeaders };

/** Sees an exchange as it passes, and never holds it up. */
export class Recording {
  readonly #request: Request;
  readonly #onExchange: (recorded: RecordedExchange) => void;
  readonly #sentAt = now();
  /** The bodies, to which each piece is added as it passes. */
  readonly sent: Beginning;
  readonly received: Beginning;
  /** Whether the client left before it had the whole response. */
  #isLeft = false;
  #head: { status: number; headers: RawHeader[] } | undefined;

  /** `maxBody` is how much of a body is recorded, in bytes. */
  constructor(
    request: Request,
    { maxBody, onExchange }: { maxBody: number; onExchange: (recorded: RecordedExchange) => void },
  ) {
    this.#request = request;
    this.#onExchange = onExchange;
    this.sent = new Beginning(maxBody);
    this.received = new Beginning(maxBody);
  }

  onResponse(status: number, headers: RawHeaders): void {
    this.#head = { status, headers: toPairs(headers) };
  }

  /** The response is complete, or the reason why it never will be. */
  end(failure?: Failure): void {
    const { method, url, headers } = this.#request;
    const body = this.sent.length > 0 && { body: toBody(this.sent) };
    const received = this.#head && toBody(this.received, this.#isLeft || undefined);
    this.#onExchange({
      request: { method, url, headers: toPairs(headers), ...body },
      ...(this.#head && received && { response: { ...this.#head, body: received } }),
      ...(failure && { failure }),
      sentAt: this.#sentAt,
      endedAt: now(),
    });
  }

  /** The client left before the response was complete, which is no fault of the target. */
  leave({ hasSentAll }: { hasSentAll: boolean }): void {
    this.#isLeft = true;
    const message = `the client left before ${hasSentAll ? 'an answer' : 'it had sent all'}`;
    this.end(this.#head ? undefined : { kind: 'aborted', message });
  }
}

function toBody(passed: Beginning, isCut = passed.isCut): RecordedBody {
  // A copy of its own: a piece may be a view of much more memory.
  return { bytes: new Uint8Array(passed.bytes()), ...(isCut && { isCut }) };
}
