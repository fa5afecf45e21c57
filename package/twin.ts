import { randomUUID } from 'node:crypto';
import { DocumentError } from '../contracts/description/document.ts';
import demoKeyFile from '../fixtures/keys.json' with { type: 'json' };
import type { VersionView } from '../mock/admin/twin-handlers.ts';
import { createLog } from '../mock/log.ts';
import { isName, nameProblem } from '../mock/sandboxes/name.ts';
import type { SandboxOptions } from '../mock/sandboxes/sandbox-options.ts';
import { readSettings } from '../mock/settings/config.ts';
import { settingList } from '../mock/settings/setting-list.ts';
import type { GivenSettings } from '../mock/settings/settings.ts';
import { UsageError } from '../mock/settings/usage-error.ts';
import { openTwin } from '../mock/twin.ts';
import { type Address, type AdminClient, createAdminClient, TwinError } from './admin-client.ts';
import { type Control, createControl } from './control.ts';
import { nameSettings } from './name-settings.ts';

export type { Delay } from '../mock/faults/delay.ts';
export type { CountedRule, FaultName, FaultRule } from '../mock/faults/fault-rules.ts';
export type { LatencySettings } from '../mock/faults/latency.ts';
export type { Entry, Message } from '../mock/journal/entry.ts';
export type { ReasonView as Reason } from '../mock/journal/reason.ts';
export type { KeyView, LimitsView } from '../mock/limits/limits-view.ts';
export type { BanPolicy } from '../mock/limits/plans.ts';
export type { SandboxOptions } from '../mock/sandboxes/sandbox-options.ts';
export { TwinError } from './admin-client.ts';
export type {
  Clock,
  Control,
  Faults,
  Instant,
  Limits,
  RequestFilter,
  Snapshot,
} from './control.ts';

/**
 * How a twin is started: the options of the command line, in camel case
 * (`rate-limits`: `rateLimits`).
 */
export interface TwinSettings
  extends Omit<GivenSettings, 'keys' | 'plans'>,
    Pick<SandboxOptions, 'ban'> {
  /** Your own API keys, or a JSON file of them; the demo keys unless given. */
  keys?: readonly GivenKey[] | string;
  /** Figures of plans that differ from the interface's, or a JSON file of plans and ban. */
  plans?: SandboxOptions['plans'] | string;
}

/** An API key to start a twin with; figures of its own override those of its plan. */
export type GivenKey = {
  key: string;
  plan: string;
  name?: string;
  perMinute?: number;
  perDay?: number;
};

/** A key of the twin. */
export type TwinKey = { key: string; name: string; plan: string };

/** An isolated part of a twin, with its own items, counters, clock, faults and journal. */
export interface Sandbox extends Control {
  readonly name: string;
  /** Base URL of the API, including `/v1`. */
  readonly url: string;
  readonly keys: readonly TwinKey[];
  /**
   * The first key of a plan, or the key with a name; by default the first key.
   * Throws a TwinError.
   */
  key(planOrName?: string): string;
}

/** A sandbox that you created, and can delete. */
export interface OwnSandbox extends Sandbox, AsyncDisposable {
  delete(): Promise<void>;
}

/** A running twin. Its own methods control its default sandbox. */
export interface Twin extends Sandbox, AsyncDisposable {
  /** Scheme, host and port, without a path. */
  readonly origin: string;
  /**
   * A sandbox by name, by default a new name. With options it is created or replaced; without, it is
   * used as it is, or created in the initial state of the twin.
   */
  sandbox(name?: string, options?: SandboxOptions): Promise<OwnSandbox>;
  /** Finishes the requests in progress, and stops the twin if it was started here. */
  close(): Promise<void>;
}

/**
 * How to reach a running twin. `keys` are the keys it was started with, by default the demo keys.
 */
export type ConnectOptions = Pick<Address, 'adminToken' | 'ca'> & { keys?: readonly TwinKey[] };

/**
 * Starts a twin in this process, by default on a free port of loopback. It reads no environment
 * variables. Rejects with a TwinError that says which setting is wrong and what was expected.
 */
export async function createTwin(settings: TwinSettings = {}): Promise<Twin> {
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings))
    throw new TwinError('The settings of a twin must be an object, such as { seed: 7 }.');
  const { plans, keys, ban, ...values } = settings;
  const given = {
    ...(isValue(keys) && { keys: { keys } }),
    ...((isValue(plans) || ban !== undefined) && {
      plans: { ...(isValue(plans) && { plans }), ...(ban !== undefined && { ban }) },
    }),
  };
  const files = {
    ...(typeof plans === 'string' && { plans }),
    ...(typeof keys === 'string' && { keys }),
  };
  const { config, twin } = await asTwinError(async () => {
    const config = readSettings({
      port: 0,
      logLevel: settings.logTransaction ? 'info' : 'error',
      ...values,
      ...files,
    });
    return { config, twin: await openTwin(config, { log: createLog(config.logLevel), given }) };
  });
  const address: Address = {
    toMessage,
    origin: twin.origin.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:'),
    ...(config.adminToken !== undefined && { adminToken: config.adminToken }),
    ...(twin.certificate !== undefined && { ownCertificate: twin.certificate }),
  };
  const known = twin.keys.map(({ key, name, plan }) => ({ key, name, plan: plan.name }));
  const client = createAdminClient(address);
  return toTwin({
    address,
    client,
    basePath: twin.document.basePath,
    keys: known,
    close: twin.close,
  });
}

/**
 * Takes a twin that runs already, by the base URL of its API: `http://127.0.0.1:4010/v1`. One of a
 * sandbox, `http://127.0.0.1:4010/sandboxes/NAME/v1`, takes that one for its own. Rejects with a
 * TwinError.
 */
export async function connectTwin(
  url: string,
  { keys = demoKeys, ...options }: ConnectOptions = {},
): Promise<Twin> {
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new TwinError(
      `"${url}" is not the address of a twin. Give one like http://127.0.0.1:4010/v1.`,
    );
  const { origin, pathname } = new URL(url);
  const [prefix = '', name] = /^\/sandboxes\/([^/]+)/.exec(pathname) ?? [];
  const basePath = pathname.slice(prefix.length).replace(/\/+$/, '');
  const address = { origin, ...options };
  const client = createAdminClient(address);
  const twin = toTwin({
    address,
    client,
    basePath,
    keys,
    close: async () => {},
    ...(name && { name }),
  });
  try {
    await twin.clock.now();
    const { document } = JSON.parse(await client.toSend('')('GET', 'version')) as VersionView;
    if (basePath === document.basePath) return twin;
    throw new TwinError(
      `"${url}" is not the address of its API, which is at ${origin}${prefix}${document.basePath}.`,
    );
  } catch (error) {
    await twin.close();
    throw error;
  }
}

/** The keys of a twin that was started without others; each is its own name. */
const demoKeys: readonly TwinKey[] = demoKeyFile.keys.map(({ key, plan }) => ({
  key,
  name: key,
  plan,
}));

type Parts = SandboxParts & { close: () => Promise<void>; name?: string };

function toTwin({ close, name: ownName, ...parts }: Parts): Twin {
  const { client } = parts;
  const send = client.toSend('');
  let closing: Promise<void> | undefined;
  const closeOnce = () => {
    client.close();
    return (closing ??= close());
  };
  return {
    ...toSandbox(ownName, parts),
    origin: parts.address.origin,
    async sandbox(name = `s-${randomUUID()}`, options) {
      if (name === 'default')
        throw new TwinError('The default sandbox is the twin itself. Use the methods of the twin.');
      if (!isName(name)) throw new TwinError(nameProblem('sandbox', name));
      const place = `sandboxes/${name}`;
      if (options) await send('PUT', place, JSON.stringify(options));
      const own = toSandbox(name, parts);
      if (!options) await own.clock.now();
      const remove = async () => void (await send('DELETE', place));
      const dispose = async () => {
        // One that is gone already, or with its twin, is what is wanted.
        await remove().catch((error) => {
          if (!closing && error.code !== 'not_found') throw error;
        });
      };
      return { ...own, delete: remove, [Symbol.asyncDispose]: dispose };
    },
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
}

type SandboxParts = {
  address: Address;
  client: AdminClient;
  basePath: string;
  keys: readonly TwinKey[];
};

/** The sandbox of a name, or the default one. */
function toSandbox(
  name: string | undefined,
  { address, basePath, keys, client }: SandboxParts,
): Sandbox {
  const prefix = name === undefined ? '' : `/sandboxes/${name}`;
  const nameOf = (given: string) => keys.find(({ key }) => key === given)?.name ?? given;
  return {
    ...createControl(client.toSend(prefix), nameOf),
    name: name ?? 'default',
    url: `${address.origin}${prefix}${basePath}`,
    keys,
    key(wanted) {
      const found =
        wanted === undefined
          ? keys[0]
          : keys.find((one) => one.name === wanted || one.plan === wanted);
      if (found) return found.key;
      const known = [...new Set(keys.flatMap((one) => [one.plan, one.name]))].join(', ');
      throw new TwinError(`There is no key of a plan or name "${wanted}". Known are ${known}.`);
    },
  };
}

/** Whether a setting is given, and not as the name of a file. */
function isValue(setting: unknown): boolean {
  return setting !== undefined && typeof setting !== 'string';
}

/** What a twin says of its settings, with their names in code. */
function toMessage(message: string): string {
  return nameSettings(message, settingNames);
}

const settingNames = settingList.map(({ name }) => name);

/** Starts a twin; what is wrong with its settings becomes a TwinError. */
async function asTwinError<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    throw error instanceof UsageError || error instanceof DocumentError
      ? new TwinError(toMessage(error.message), { cause: error })
      : error;
  }
}
