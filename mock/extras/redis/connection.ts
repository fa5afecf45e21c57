import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Log } from '../../log.ts';
import { StoreError } from '../../sandboxes/backend.ts';
import { StoreUnavailableError } from '../../state/store.ts';
import type { RedisAddress } from './address.ts';
import {
  type Client,
  type ClientOptions,
  loadRedisModule,
  openClusterClient,
  openServerClient,
} from './client.ts';
import { isRefusedForGood, toReason } from './reasons.ts';
import type { Script } from './script.ts';

/** A connection to a Redis or Valkey server or cluster that comes back by itself. */
export interface Connection {
  /** The URL without its credentials. */
  readonly shown: string;
  /** What the names of all keys begin with. */
  readonly prefix: string;
  /**
   * Runs a script on keys of one slot. Rejects with {@link StoreUnavailableError} where the server
   * is gone, does not answer in time, or cannot do it at the moment. `extraTime` is how many
   * milliseconds longer than others it may take.
   */
  run(
    script: Script,
    keys: readonly [string, ...string[]],
    args: readonly string[],
    options?: { extraTime?: number },
  ): Promise<unknown>;
  /** Sends a command about a key, likewise. */
  send(key: string, ...command: string[]): Promise<unknown>;
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

/** The pause before a cluster that could not be reached is tried again, in milliseconds. */
const retryAfter = 1000;

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
  let client = openServerClient(redis, address, events);
  let reopen = async (): Promise<Client> => openServerClient(redis, address, events);
  let closed = false;
  let isOpen = false;
  /** Set while a command has waited too long and nothing was answered since. */
  let silence: NodeJS.Timeout | undefined;
  let retry: NodeJS.Timeout | undefined;
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
  const replace = async () => {
    endSilence();
    client.destroy();
    // Until another is there; a client of a cluster fails for good where it cannot connect.
    client = { send: () => Promise.reject(new redis.ClientOfflineError()), destroy() {} };
    try {
      client = await reopen();
    } catch (error) {
      events.onProblem(error as Error);
      if (!closed) retry = setTimeout(() => void replace(), retryAfter).unref();
    }
    if (closed) client.destroy();
  };
  const beginSilence = () => {
    const wait = Math.max((maxSilence - 1) * timeLimit, busyUntil - performance.now());
    silence ??= setTimeout(() => void replace(), wait).unref();
  };
  const send = (key: string, command: readonly string[], extraTime = 0) =>
    new Promise<unknown>((resolve, reject) => {
      // What waits for the same server would wait as long.
      if (silence) return reject(tooSlow());
      const limit = timeLimit + extraTime;
      if (extraTime > 0) busyUntil = Math.max(busyUntil, performance.now() + limit);
      const end = setPatientTimeout(limit, () => {
        beginSilence();
        reject(tooSlow(limit));
      });
      client.send(key, command).then(
        (reply) => {
          end();
          if (silence) endSilence();
          reports.answer();
          resolve(reply);
        },
        (error) => {
          end();
          if (silence && !isOffline(error)) endSilence();
          if (isRefusedForGood(error, isReply(error))) lastProblem = error;
          reject(unavailable(error));
        },
      );
    });

  const connection: Connection = {
    shown: address.shown,
    prefix: address.prefix,
    async run({ text, hash }, keys, args, { extraTime } = {}) {
      const rest = [String(keys.length), ...keys, ...args];
      try {
        return await send(keys[0], ['EVALSHA', hash, ...rest], extraTime);
      } catch (error) {
        if (!(error as Error).message.startsWith('NOSCRIPT')) throw error;
        return await send(keys[0], ['EVAL', text, ...rest], extraTime);
      }
    },
    send: (key, ...command) => send(key, command),
    close() {
      closed = true;
      endSilence();
      clearTimeout(retry);
      client.destroy();
    },
  };

  try {
    let guessed: Error | undefined;
    const information = await waitForServer(connection, patience, async (error) => {
      if (!lastProblem || guessed === lastProblem) return undefined;
      guessed = lastProblem;
      if (isRefusedForGood(lastProblem, isReply(lastProblem))) return error;
      if (isReply(lastProblem)) return undefined;
      const reason = await guessTlsProblem(address);
      return reason && toUnavailable(reason);
    });
    if (/^cluster_enabled:1/m.test(information)) {
      reopen = () => openClusterClient(redis, address, events);
      await replace();
    }
    ensureNothingIsEvicted(information, address.shown);
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
  let due = performance.now() + milliseconds;
  let isOver = false;
  const check = () => {
    if (isOver) return;
    const now = performance.now();
    if (now - due < maxLateness) return void setImmediate(() => isOver || onTimeout());
    due = now + milliseconds;
    timer = setTimeout(check, milliseconds);
  };
  let timer = setTimeout(check, milliseconds);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** A timer that is later than this, in milliseconds, waited for the process. */
const maxLateness = 100;

/** How long a server must have answered all before it is said to be back, in milliseconds. */
const steadyFor = 2000;

/** Logs a problem once, and its end. */
function createReports(shown: string, log: () => ConnectionOptions['log']) {
  let reported: string | undefined;
  let last = 0;
  return {
    problem(message: string) {
      last = performance.now();
      if (!log() || message === reported) return;
      reported = message;
      log()?.warn(`${message} Requests are answered 503 until it can be used.`);
    },
    answer() {
      if (reported === undefined || performance.now() - last < steadyFor) return;
      reported = undefined;
      log()?.info(`The store at ${shown} can be used again.`);
    },
  };
}

/**
 * What the server says of itself, once it answers. `findFinal` gives what to throw where waiting is
 * of no use.
 */
async function waitForServer(
  connection: Connection,
  patience: number,
  findFinal: (error: unknown) => Promise<unknown>,
): Promise<string> {
  const end = performance.now() + patience;
  for (;;) {
    try {
      return String(await connection.send('', 'INFO'));
    } catch (error) {
      const final = await findFinal(error);
      if (final !== undefined) throw final;
      if (performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** A server that evicts keys would lose some of a twin's state and keep the rest. */
function ensureNothingIsEvicted(information: string, shown: string): void {
  const policy = /^maxmemory_policy:(\S+)/m.exec(information)?.[1] ?? 'noeviction';
  const max = /^maxmemory:(\d+)/m.exec(information)?.[1];
  if (max !== '0' && policy !== 'noeviction')
    throw new StoreError(
      `The store at ${shown} evicts keys when it is full (maxmemory-policy ${policy}), so it would lose parts of the twin's state. Set maxmemory-policy to noeviction.`,
    );
}

/** How long the server has for each step, in milliseconds. */
const patience = 1000;

/**
 * Says why no connection came about where the URL is the likely reason: the server speaks TLS and
 * `redis://` does not, or the other way round. No credentials are sent.
 */
async function guessTlsProblem({ host, port, tls }: RedisAddress) {
  if (tls && (await answersPlainly(host, port)))
    return 'does not speak TLS; use redis:// instead of rediss://';
  if (!tls && (await answersTls(host, port)))
    return 'expects TLS; use rediss:// instead of redis://';
  return undefined;
}

function answersPlainly(host: string, port: number): Promise<boolean> {
  return ask(connectPlain({ host, port }), (socket, end) => {
    socket.once('connect', () => socket.write('PING\r\n'));
    // A reply, or an error such as one that asks for a password.
    socket.once('data', (data: Buffer) => end(/^[+-]/.test(data.toString('latin1'))));
  });
}

function answersTls(host: string, port: number): Promise<boolean> {
  // Whom the server is does not matter, as it is told nothing.
  const socket = connectTls({ host, port, rejectUnauthorized: false });
  return ask(socket, (_, end) => socket.once('secureConnect', () => end(true)));
}

function ask(
  socket: Socket,
  listen: (socket: Socket, end: (answer: boolean) => void) => void,
): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (answer: boolean) => {
      resolve(answer);
      socket.destroy();
    };
    socket.setTimeout(patience, () => end(false));
    socket.on('error', () => end(false));
    socket.on('close', () => end(false));
    listen(socket, end);
  });
}
