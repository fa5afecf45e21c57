import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { getHeapStatistics } from 'node:v8';

/** How long a reader may read nothing of an answer that waits for it, in milliseconds. */
const defaultPatience = 30_000;

/** How many bytes of answers may wait for readers in this process: an eighth of the heap. */
const defaultMax = Math.floor(getHeapStatistics().heap_size_limit / 8);

/** Leaves out what waits in the buffers of Node and of the system, in bytes. */
const little = 16_384;

/** Calls a listener once a response is over; returns a function that removes the listener. */
export function onceOver(response: ServerResponse, listener: () => void): () => void {
  if (response.closed) listener();
  else response.once('close', listener);
  return () => void response.off('close', listener);
}

/** Bounds the bytes of answers that wait for their readers. */
export class SlowReaders {
  readonly #max: number;
  readonly #patience: number;
  readonly #waiting = new Map<ServerResponse, number>();
  #bytes = 0;

  constructor({ max = defaultMax, patience = defaultPatience } = {}) {
    this.#max = max;
    this.#patience = patience;
  }

  /**
   * Counts a response until it is read. It is cut off once nobody reads it for too long, or where
   * others need its memory, of which the oldest goes first.
   */
  follow(response: ServerResponse): void {
    const { socket } = response.req;
    const bytes = response.writableLength;
    if (bytes <= (response.socket ? little : 0) || !(socket instanceof Socket)) return;
    this.#forget(response);
    this.#waiting.set(response, bytes);
    this.#bytes += bytes;
    const cutOff = () => void socket.destroy();
    response.setTimeout(this.#patience, cutOff);
    const stop = onceOver(response, () => this.#forget(response));
    response.once('drain', () => {
      this.#forget(response);
      stop();
      response.setTimeout(0).off('timeout', cutOff);
    });
    for (const oldest of this.#waiting.keys()) {
      if (this.#bytes <= this.#max || oldest === response) return;
      this.#forget(oldest);
      oldest.req.socket.destroy();
    }
  }

  /** Waits until what was written is read; returns whether the response goes on, and was not cut off. */
  async hasDrained(response: ServerResponse): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const goOn = () => resolve(true);
    response.once('drain', goOn);
    const stop = onceOver(response, () => resolve(false));
    this.follow(response);
    const goesOn = await promise;
    response.off('drain', goOn);
    stop();
    return goesOn;
  }

  #forget(response: ServerResponse): void {
    this.#bytes -= this.#waiting.get(response) ?? 0;
    this.#waiting.delete(response);
  }
}

/** Follows the slow readers of this process, whose memory all of its twins share. */
export const slowReaders = new SlowReaders();
