import type * as RedisModule from '@redis/client';
import { StoreError } from '../../sandboxes/backend.ts';
import type { RedisAddress } from './address.ts';

/** A client of a server or of a cluster. A command that names no key goes to any node. */
export type Client = {
  send(key: string, command: readonly string[]): Promise<unknown>;
  /** Ends all connections; what waits for an answer is rejected. */
  destroy(): void;
};

export type ClientOptions = {
  /** Called with each failure of a connection. */
  onProblem: (error: Error) => void;
  /** Called as a connection is there, at first and again. */
  onReady: () => void;
};

/** How long a connection may take, in milliseconds. */
const connectTimeout = 2000;

/** How long it may take until all nodes of a cluster are connected, in milliseconds. */
const clusterTimeout = 5000;

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

function toOptions({ host, port, tls, username, password, database }: RedisAddress) {
  return {
    node: { host, port },
    client: {
      RESP: 2,
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      ...(database !== 0 && { database }),
      // A command that waits for a server to come back would keep its request waiting.
      disableOfflineQueue: true,
      // The time limit is the connection's own; an AbortSignal for each command is slow.
      commandOptions: { timeout: 0 },
      disableClientInfo: true,
      maintNotifications: 'disabled',
    },
    socket: {
      connectTimeout,
      reconnectStrategy: toPause,
      ...(tls ? { tls: true as const } : {}),
    },
  } as const;
}

/**
 * Connects to one server, and again whenever the connection is lost. It gives the client at once:
 * until it is connected, commands are rejected.
 */
export function openServerClient(
  { createClient }: typeof RedisModule,
  address: RedisAddress,
  { onProblem, onReady }: ClientOptions,
): Client {
  const { node, client: options, socket } = toOptions(address);
  const client = createClient({ ...options, socket: { ...socket, ...node } });
  client.on('error', onProblem);
  client.on('ready', onReady);
  client.connect().catch(onProblem);
  return {
    send: (_, command) => client.sendCommand(command),
    destroy: () => client.destroy(),
  };
}

/** Connects to all nodes of a cluster that an address of one leads to, likewise. */
export async function openClusterClient(
  { createCluster }: typeof RedisModule,
  address: RedisAddress,
  { onProblem, onReady }: ClientOptions,
): Promise<Client> {
  const { node, client: options, socket } = toOptions(address);
  const { RESP, commandOptions, ...defaults } = options;
  const cluster = createCluster({
    RESP,
    commandOptions,
    // This connection only asks for the nodes; one that never answers would be waited for without end.
    rootNodes: [{ ...defaults, socket: { ...socket, ...node, socketTimeout: connectTimeout } }],
    defaults: { ...defaults, socket },
    topologyRefreshOnReconnectionAttemptStrategy: 500,
  });
  cluster.on('error', onProblem);
  cluster.on('node-error', onProblem);
  cluster.on('node-ready', onReady);
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new Error('A node of the cluster took the connection and has not answered.'));
    cluster.destroy();
  }, clusterTimeout);
  try {
    await Promise.race([cluster.connect(), tooLate]);
  } finally {
    clearTimeout(timer);
  }
  return {
    send: (key, command) => cluster.sendCommand(key, false, [...command]),
    destroy: () => cluster.destroy(),
  };
}
