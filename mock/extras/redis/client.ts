import type * as RedisModule from '@redis/client';
import { StoreError } from '../../sandboxes/backend.ts';

export type ClientOptions = {
  /** Called with each failure of a connection. */
  onProblem: (error: Error) => void;
  /** Called as a connection is there, at first and again. */
  onReady: () => void;
};

/** How long a connection may take, in milliseconds. */
const connectTimeout = 2000;

/** The pause before the next attempt to connect, in milliseconds. */
function toPause(attempts: number): number {
  return Math.min(1000, 50 * 2 ** Math.min(attempts, 5)) * (0.75 + Math.random() / 4);
}

/** Loads the client library, which is installed only where a store in Redis is used. */
export async function loadRedisModule(): Promise<typeof RedisModule> {
  try {
    return await import('@redis/client');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new StoreError(
      'A store in Redis needs the package @redis/client. Install it with: npm install @redis/client',
    );
  }
}

/**
 * Opens a client that connects and reconnects. Returns at once; commands reject while it is
 * disconnected, and pending ones when it is destroyed.
 */
export function openClient(
  { createClient }: typeof RedisModule,
  url: string,
  { onProblem, onReady }: ClientOptions,
) {
  const client = createClient({
    url,
    RESP: 2,
    // A command that waits for a server to come back would keep its request waiting.
    disableOfflineQueue: true,
    // The time limit is the connection's own; an AbortSignal for each command is slow.
    commandOptions: { timeout: 0 },
    disableClientInfo: true,
    maintNotifications: 'disabled',
    socket: { connectTimeout, reconnectStrategy: toPause },
  });
  client.on('error', onProblem);
  client.on('ready', onReady);
  client.connect().catch(onProblem);
  return client;
}
