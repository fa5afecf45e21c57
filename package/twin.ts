import { randomUUID } from 'node:crypto';
import demoKeyFile from '../fixtures/keys.json' with { type: 'json' };
import { readSettings } from '../mock/config.ts';
import { createLog, type LogLevel } from '../mock/log.ts';
import type { SandboxOptions } from '../mock/sandboxes/sandbox-options.ts';
import { openTwin } from '../mock/twin.ts';
import { type Address, createSend, segment, TwinError } from './admin-client.ts';
import { type Control, createControl } from './control.ts';

export type { KeyView, LimitsView } from '../mock/admin/limit-handlers.ts';
export type { Delay } from '../mock/faults/delay.ts';
export type { CountedRule, FaultName, FaultRule } from '../mock/faults/fault-rules.ts';
export type { LatencySettings } from '../mock/faults/latency.ts';
export type { Entry, Message } from '../mock/journal/entry.ts';
export type { BanPolicy } from '../mock/limits/plans.ts';
export type { SandboxOptions } from '../mock/sandboxes/sandbox-options.ts';
export { TwinError } from './admin-client.ts';
export type { Clock, Control, Faults, Instant, Limits, RequestFilter, Snapshot } from './control.ts';

/** How a twin is started. Each setting that the command line has is here too, under its name there (`rate-limits`: `rateLimits`). */
export type TwinSettings = Omit<SandboxOptions, 'plans'> & {
  /** The port to listen on; any free one (0) unless given. */
  port?: number;
  /** The address to listen on (127.0.0.1). */
  host?: string;
  /** Figures of plans that are other than the interface's, or a file that holds them. */
  plans?: SandboxOptions['plans'] | string;
  /** Keys of your own, or a file that holds them; those that the twin is known for unless given. */
  keys?: readonly { key: string; plan: string; name?: string; perMinute?: number; perDay?: number }[] | string;
  /** An OpenAPI 3.1 document to serve instead of the built-in one. */
  spec?: string;
  cors?: boolean;
  /** Whether some names and ids always go wrong. */
  magicValues?: boolean;
  adminToken?: string;
  allowedHosts?: readonly string[];
  maxSandboxes?: number;
  /** After how many seconds without use a sandbox is closed; 0 for never. */
  sandboxIdle?: number;
  /** Files of a certificate chain and of its key, as PEM. */
  tlsCert?: string;
  tlsKey?: string;
  /** What it tells on standard error (`error`). */
  logLevel?: LogLevel;
};

/** A key of the twin. */
export type TwinKey = { key: string; name: string; plan: string };

/** A part of a twin with items, counters, clock, faults and journal of its own. */
export interface Sandbox extends Control {
  readonly name: string;
  /** Base URL of the API, up to and with `/v1`. */
  readonly url: string;
  readonly keys: readonly TwinKey[];
  /** The text of the first key of a plan, or of the key of a name; the first of all unless given. Throws a TwinError. */
  key(planOrName?: string): string;
}

/** A sandbox that its user made. */
export interface OwnSandbox extends Sandbox, AsyncDisposable {
  delete(): Promise<void>;
}

/** A twin that runs. What it can do itself, it does to its default sandbox. */
export interface Twin extends Sandbox, AsyncDisposable {
  /** Scheme, host and port, without a path. */
  readonly origin: string;
  /**
   * A sandbox by name, under a new one unless given. With options it is made anew; without, it is taken as it is, or made
   * as the twin began.
   */
  sandbox(name?: string, options?: SandboxOptions): Promise<OwnSandbox>;
  /** Stops the twin if it was started here, and answers first what is under way. */
  close(): Promise<void>;
}

/** How to reach a twin that runs already. `keys` are those that it was started with, unless it has those that it is known for. */
export type ConnectOptions = Omit<Address, 'origin'> & { keys?: readonly TwinKey[] };

/**
 * Starts a twin in this process, on any free port of loopback unless told otherwise. It reads nothing of the environment.
 * Rejects with an Error that says which setting is wrong and what was expected.
 */
export async function createTwin(settings: TwinSettings = {}): Promise<Twin> {
  const { plans, keys, ban, allowedHosts, ...values } = settings;
  const given = {
    ...(Array.isArray(keys) && { keys: { keys } }),
    ...((typeof plans === 'object' || ban !== undefined) && {
      plans: { ...(typeof plans === 'object' && { plans }), ...(ban !== undefined && { ban }) },
    }),
  };
  const config = readSettings({
    port: 0,
    logLevel: 'error',
    ...values,
    ...(typeof plans === 'string' && { plans }),
    ...(typeof keys === 'string' && { keys }),
    ...(allowedHosts && { allowedHosts: allowedHosts.join(',') }),
  });
  const twin = await openTwin(config, { log: createLog(config.logLevel), given });
  return toTwin({
    address: {
      origin: twin.origin.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:'),
      ...(config.adminToken !== undefined && { adminToken: config.adminToken }),
      ...(twin.certificate !== undefined && { ca: twin.certificate }),
    },
    basePath: twin.document.basePath,
    keys: twin.keys.map(({ key, name, plan }) => ({ key, name, plan: plan.name })),
    close: twin.close,
  });
}

/** Takes a twin that runs already, by the base URL of its API: `http://127.0.0.1:4010/v1`. Rejects with a TwinError. */
export async function connectTwin(url: string, { keys = demoKeys, ...address }: ConnectOptions = {}): Promise<Twin> {
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new TwinError(`"${url}" is no address of a twin. Give one like http://127.0.0.1:4010/v1.`);
  const { origin, pathname } = new URL(url);
  const found = { origin, ...address };
  await createSend(found, '')('GET', 'limits');
  return toTwin({ address: found, basePath: pathname.replace(/\/+$/, ''), keys, close: async () => {} });
}

/** The keys of a twin that was started without others; each is its own name. */
const demoKeys: readonly TwinKey[] = demoKeyFile.keys.map(({ key, plan }) => ({ key, name: key, plan }));

type Parts = { address: Address; basePath: string; keys: readonly TwinKey[]; close: () => Promise<void> };

function toTwin(parts: Parts): Twin {
  const { address, close } = parts;
  const send = createSend(address, '');
  let closing: Promise<void> | undefined;
  const closeOnce = () => (closing ??= close());
  return {
    ...toSandbox('default', '', parts),
    origin: address.origin,
    async sandbox(name = `s-${randomUUID()}`, options) {
      const place = `sandboxes/${segment(name)}`;
      if (options) await send('PUT', place, JSON.stringify(options));
      const own = toSandbox(name, `/sandboxes/${name}`, parts);
      if (!options) await own.clock.now();
      const remove = async () => void (await send('DELETE', place));
      return { ...own, delete: remove, [Symbol.asyncDispose]: remove };
    },
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
}

function toSandbox(name: string, prefix: string, { address, basePath, keys }: Parts): Sandbox {
  return {
    ...createControl(createSend(address, prefix)),
    name,
    url: `${address.origin}${prefix}${basePath}`,
    keys,
    key(wanted) {
      const found = wanted === undefined ? keys[0] : keys.find(({ name, plan }) => name === wanted || plan === wanted);
      if (found) return found.key;
      const known = [...new Set(keys.flatMap(({ name, plan }) => [plan, name]))].join(', ');
      throw new TwinError(`There is no key of a plan or name "${wanted}". There are ${known}.`);
    },
  };
}
