import type { Random } from '../../mock/faults/random.ts';

/** A twin that may be gone at any instant; a call rejects with {@link Gone} then. */
export type Call = (
  method: string,
  path: string,
  options?: { body?: string; key?: string },
) => Promise<{ status: number; text: string }>;

/** The twin ended before it answered. */
class Gone extends Error {}

/** A client that knows, from the answers that it got, what the twin has to hold. */
export interface KilledTwinClient {
  /** One step. */
  act(call: Call): Promise<void>;
  /** Holds a twin that was started again against what the one before acknowledged. */
  check(call: Call): Promise<void>;
}

/** Makes a call to a twin; bytes of answers are characters, so that nothing is decoded away. */
export function createCall(origin: string): Call {
  return async (method, path, { body, key } = {}) => {
    const headers: Record<string, string> = {};
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    if (key !== undefined) headers.Authorization = `Bearer ${key}`;
    try {
      const response = await fetch(origin + path, {
        method,
        headers,
        ...(body !== undefined && { body }),
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      return { status: response.status, text: bytes.toString('latin1') };
    } catch (error) {
      throw new Gone('The twin is gone.', { cause: error });
    }
  };
}

/** Has clients act at the same time until the twin is gone; `onStep` is called after each step. */
export async function actUntilGone(
  clients: readonly KilledTwinClient[],
  call: Call,
  onStep: () => void,
): Promise<void> {
  await Promise.all(
    clients.map(async (client) => {
      try {
        for (;;) {
          await client.act(call);
          onStep();
        }
      } catch (error) {
        if (!(error instanceof Gone)) throw error;
      }
    }),
  );
}

/** One of several, at random. */
export function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T;
}
