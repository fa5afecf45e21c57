import type * as RedisModule from '@redis/client';
import { isUntrusted } from '../../../common/cli/explain-connection.ts';
import type { Log } from '../../log.ts';
import { StoreError } from '../../sandboxes/backend.ts';
import { StoreUnavailableError } from '../../state/store.ts';
import type { RedisAddress } from './address.ts';
import type { Script } from './scripts.ts';

/** A connection to a Redis or Valkey server that comes back by itself. */
export interface Connection {
  /** The URL without its credentials. */
  readonly shown: string;
  /** The prefix of all key names. */
  readonly prefix: string;
  /**
   * Runs a script. Rejects with {@link StoreUnavailableError} where the server is gone, does not
   * answer in time, or cannot do it at the moment. `extraTime` is how many milliseconds longer than
   * others it may take.
   */
  run(script: Script, args: readonly string[], extraTime?: number): Promise<unknown>;
  /** Sends a command, likewise. */
  send(...command: string[]): Promise<unknown>;
  close(): void;
}

export type ConnectionOptions = {
  /** Told as the server cannot be used, and as it can again. */
  log?: Pick<Log, 'info' | 'warn'>;
  /** How long a command may take, in milliseconds. */
  timeLimit?: number;
  /** How long to try at the start, in milliseconds. */
  patience?: number;
};

/** After so many time limits without any answer, the connection is taken for dead. */
const maxSilence = 5;

/**
 * Connects to the server of an address. Throws {@link StoreError} where that is not possible for
 * some seconds, or not with these credentials.
 */
export async function openConnection(
  address: RedisAddress,
  { log, timeLimit = 1000, patience = 5000 }: ConnectionOptions = {},
): Promise<Connection> {
  const redis = await loadRedisModule();
  let lastProblem: Error | undefined;
  const events: ClientOptions = {
    onProblem: (error) => void (lastProblem = error),
    onReady: () => void (lastProblem = undefined),
  };
  let client = openClient(redis, address.url, events);
  let isOpen = false;
  /** Set while a command has waited too long and nothing was answered since. */
  let silence: NodeJS.Timeout | undefined;

  /** Until then the server may be at a command that takes long, whose answer would be lost. */
  let busyUntil = 0;

  const isReply = (error: unknown) => error instanceof redis.ErrorReply;
  const isOffline = (error: unknown) =>
    error instanceof redis.ClientOfflineError || error instanceof redis.ClientClosedError;
  const reports = createReports(address.shown, () => (isOpen ? log : undefined));
  const toUnavailable = (reason: string) => {
    const message = `The store at ${address.shown} ${reason}.`;
    reports.problem(message);
    return new StoreUnavailableError(message);
  };
  const unavailable = (error: Error) => {
    const cause = isOffline(error) ? (lastProblem ?? error) : error;
    const reason = toReason(cause, isReply(cause));
    return reason === undefined ? error : toUnavailable(reason);
  };
  const tooSlow = (limit = timeLimit) =>
    toUnavailable(`has not answered within ${Math.ceil(limit / 100) / 10} s`);
  const endSilence = () => {
    clearTimeout(silence);
    silence = undefined;
  };
  const replace = () => {
    endSilence();
    client.destroy();
    client = openClient(redis, address.url, events);
  };
  const send = (command: readonly string[], extraTime = 0) =>
    new Promise<unknown>((resolve, reject) => {
      // What waits for the same server would wait as long.
      if (silence) return reject(tooSlow());
      const limit = timeLimit + extraTime;
      if (extraTime > 0) busyUntil = performance.now() + limit;
      const end = setPatientTimeout(limit, () => {
        const wait = Math.max((maxSilence - 1) * timeLimit, busyUntil - performance.now());
        silence ??= setTimeout(replace, wait).unref();
        reject(tooSlow(limit));
      });
      client.sendCommand(command).then(
        (reply) => {
          end();
          endSilence();
          reports.answer();
          resolve(reply);
        },
        (error) => {
          end();
          if (!isOffline(error)) endSilence();
          if (isRefusedForGood(error, isReply(error))) lastProblem = error;
          reject(unavailable(error));
        },
      );
    });

  const connection: Connection = {
    shown: address.shown,
    prefix: address.prefix,
    async run({ text, hash }, args, extraTime) {
      try {
        return await send(['EVALSHA', hash, '0', ...args], extraTime);
      } catch (error) {
        if (!(error as Error).message.startsWith('NOSCRIPT')) throw error;
        return await send(['EVAL', text, '0', ...args], extraTime);
      }
    },
    send: (...command) => send(command),
    close() {
      endSilence();
      client.destroy();
    },
  };
  const isFinal = () =>
    lastProblem !== undefined && isRefusedForGood(lastProblem, isReply(lastProblem));
  try {
    const information = await waitForServer(connection, patience, isFinal);
    ensureFit(information, address.shown);
    isOpen = true;
  } catch (error) {
    connection.close();
    throw error instanceof StoreUnavailableError ? new StoreError(error.message) : error;
  }
  return connection;
}

/**
 * Calls back after some milliseconds, but not because this process was busy for as long: what came
 * meanwhile is read first, and what was not sent is sent. Gives what ends it.
 */
function setPatientTimeout(milliseconds: number, onTimeout: () => void): () => void {
  let isOver = false;
  let turns = 0;
  const timer = setInterval(() => {
    if (++turns === 10) setImmediate(() => isOver || onTimeout());
  }, milliseconds / 10);
  return () => {
    isOver = true;
    clearInterval(timer);
  };
}

/** Logs a problem once, and its end. */
function createReports(shown: string, log: () => ConnectionOptions['log']) {
  let reported: string | undefined;
  return {
    problem(message: string) {
      if (!log() || message === reported) return;
      reported = message;
      log()?.warn(`${message} Requests are answered 503 until it can be used.`);
    },
    answer() {
      if (reported === undefined) return;
      reported = undefined;
      log()?.info(`The store at ${shown} can be used again.`);
    },
  };
}

/**
 * Waits for the server, and returns its `INFO`. `isFinal` tells whether further waiting is useless.
 */
async function waitForServer(
  connection: Connection,
  patience: number,
  isFinal: () => boolean,
): Promise<string> {
  const end = performance.now() + patience;
  for (;;) {
    try {
      return String(await connection.send('INFO'));
    } catch (error) {
      if (isFinal() || performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Refuses a cluster, and a server that evicts keys: it would lose some of a twin's state. */
function ensureFit(information: string, shown: string): void {
  if (/^cluster_enabled:1/m.test(information))
    throw new StoreError(`The store at ${shown} is a cluster. Use a server of its own instead.`);
  const policy = /^maxmemory_policy:(\S+)/m.exec(information)?.[1] ?? 'noeviction';
  const max = /^maxmemory:(\d+)/m.exec(information)?.[1];
  if (max !== '0' && policy !== 'noeviction')
    throw new StoreError(
      `The store at ${shown} evicts keys when it is full (maxmemory-policy ${policy}), so it would lose parts of the mock's state. Set maxmemory-policy to noeviction.`,
    );
}

/** Matches replies of the server that will not change with another attempt. */
const forGood =
  /^(NOAUTH|WRONGPASS|NOPERM|NOPROTO)\b|invalid password|without any password configured|unauthenticated|DB index is out of range|SELECT is not allowed/;

/** Matches replies of a server that for now can do nothing, or change no data. */
const forNow = /^(OOM|READONLY|LOADING|BUSY|MISCONF|MASTERDOWN|NOREPLICAS)\b/;

/**
 * Returns the end of a sentence on why a store is unavailable; undefined if the server refused a
 * command for another reason. Contains no part of a command, which may be a password.
 */
export function toReason(error: Error, isReply: boolean): string | undefined {
  const { message } = error;
  if (forGood.test(message) || forNow.test(message))
    return `answers "${message.replace(/\.$/, '')}"`;
  if (isReply || error instanceof TypeError) return undefined;
  const { code, errors } = error as NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] };
  const cause = code ?? errors?.[0]?.code;
  if (cause === undefined) return 'cannot be reached';
  return isUntrusted(cause)
    ? `has a certificate that is not accepted (${cause}); NODE_EXTRA_CA_CERTS can name a file with its authority`
    : `cannot be reached (${cause})`;
}

/** Whether no later attempt can end differently. */
export function isRefusedForGood(error: Error, isReply: boolean): boolean {
  const isOfCertificate = !isReply && isUntrusted((error as NodeJS.ErrnoException).code ?? '');
  return isOfCertificate || forGood.test(error.message);
}

type ClientOptions = {
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
async function loadRedisModule(): Promise<typeof RedisModule> {
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
function openClient(
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
