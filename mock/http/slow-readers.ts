import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { getHeapStatistics } from 'node:v8';

/** How long a reader may read nothing of an answer that waits for it, in milliseconds. */
const defaultPatience = 30_000;

/** How many bytes of answers may wait for readers in this process: an eighth of the heap. */
const defaultMax = Math.floor(getHeapStatistics().heap_size_limit / 8);

/** Leaves out what waits in the buffers of Node and of the system, in bytes. */
const little = 16_384;

/** Calls a listener once when a response was sent or its client left, at once if that is so; gives what takes it away. */
export function onceOver(response: ServerResponse, listener: () => void): () => void {
  if (response.closed) listener();
  else response.once('close', listener);
  return () => void response.off('close', listener);
}

/** Waits until a reader has read what was written. Whether the response goes on; one that nobody reads is cut off. */
export async function hasDrained(
  response: ServerResponse,
  patience: number = defaultPatience,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const goOn = () => resolve(true);
  const timer = setTimeout(() => response.req.socket.destroy(), patience).unref();
  response.once('drain', goOn);
  const stop = onceOver(response, () => resolve(false));
  const goesOn = await promise;
  clearTimeout(timer);
  response.off('drain', goOn);
  stop();
  return goesOn;
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
   * Follows a response that has ended and is not sent yet. It is cut off once nobody reads it for
   * too long, or where others need its memory, of which the oldest goes first.
   */
  follow(response: ServerResponse): void {
    const { socket } = response.req;
    const bytes = response.writableLength;
    if (bytes <= (response.socket ? little : 0) || !(socket instanceof Socket)) return;
    this.#waiting.set(response, bytes);
    this.#bytes += bytes;
    response.setTimeout(this.#patience, () => socket.destroy());
    onceOver(response, () => {
      if (this.#waiting.delete(response)) this.#bytes -= bytes;
    });
    for (const [oldest, taken] of this.#waiting) {
      if (this.#bytes <= this.#max || oldest === response) return;
      this.#waiting.delete(oldest);
      this.#bytes -= taken;
      oldest.req.socket.destroy();
    }
  }
}

/** Follows the slow readers of this process, whose memory all of its twins share. */
export const slowReaders = new SlowReaders();
