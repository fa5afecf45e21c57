export type { LatencySettings } from '../mock/faults/fault-rules.ts';

import { UsageError } from '../common/cli/usage-error.ts';
import { defined } from '../common/defined.ts';
import demoKeyFile from '../fixtures/keys.json' with { type: 'json' };
import type { VersionView } from '../mock/extras/admin/twin-handlers.ts';
import type { Behaviours } from '../mock/extras/behaviours/define.ts';
import { createLog } from '../mock/log.ts';
import type { SandboxOptions } from '../mock/sandboxes/sandbox-options.ts';
import { readSettings } from '../mock/settings/config.ts';
import type { GivenSettings } from '../mock/settings/settings.ts';
import { settingList } from '../mock/settings/settings.ts';
import { openTwin } from '../mock/twin.ts';
import { type Address, createAdminClient, TwinError } from './admin-client.ts';
import type { DataCollections, NewDataItem } from './data.ts';
import { nameSettings } from './name-settings.ts';
import { type Twin, type TwinKey, toTwin } from './to-twin.ts';

export type { Duration } from '../mock/clock.ts';
export type { DnsRecord } from '../mock/domains/dns-records.ts';
export type { Project, Redirect } from '../mock/domains/domains-state.ts';
export type { KeyView, LimitsView } from '../mock/extras/admin/limit-handlers.ts';
export type {
  Behaviour,
  Behaviours,
  Call,
  Context,
  ItemId,
  Items,
  Reply,
  Task,
} from '../mock/extras/behaviours/define.ts';
export { defineBehaviours } from '../mock/extras/behaviours/define.ts';
export type { DomainView } from '../mock/extras/domains/domain-view.ts';
export type { TaskView } from '../mock/extras/tasks/task-handlers.ts';
export type { WebhookDelivery, WebhooksView } from '../mock/extras/webhooks/webhook-handlers.ts';
export type { Delay } from '../mock/faults/delay.ts';
export type { CountedRule, FaultName, FaultRule } from '../mock/faults/fault-rules.ts';
export type { Entry, Message } from '../mock/journal/entry.ts';
export type { ReasonView as Reason } from '../mock/journal/reason.ts';
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
  Tasks,
} from './control.ts';
export type {
  Data,
  DataCollections,
  DataFilters,
  DataId,
  DataItem,
  DataPatch,
  NewDataItem,
} from './data.ts';
export type { DnsZone, Domains, GivenDnsRecord, Redirects } from './domains.ts';
export type { OwnSandbox, Sandbox, Twin, TwinKey } from './to-twin.ts';
export type { Webhooks } from './webhooks.ts';

/**
 * How a twin is started: the options of the command line, in camel case
 * (`rate-limits`: `rateLimits`).
 */
export interface TwinSettings
  extends Omit<GivenSettings, 'keys' | 'plans' | 'data' | 'pins' | 'overlay' | 'behaviours'>,
    Pick<SandboxOptions, 'ban'> {
  /** Your own API keys, or a JSON file of them; the demo keys unless given. */
  keys?: readonly GivenKey[] | string;
  /**
   * Items to begin with instead of generated ones, or a file of them, as JSON, YAML or an exported
   * snapshot; not together with `items`.
   */
  data?: GivenItems | string;
  /**
   * Behaviour of a deployment where the interface is silent. An OpenAPI Overlay as `calibrate`
   * writes it, parsed or as a file.
   */
  pins?: object | string;
  /** Behaviours of your own, or a file of them. */
  behaviours?: Behaviours | string;
  /** An OpenAPI Overlay that corrects the document, or files of some, separated by commas. */
  overlay?: object | string;
  /**
   * Whether the twin listens on a port (true). Without one, `twin.fetch` reaches it in this process,
   * at `twin.url`.
   */
  listen?: boolean;
  /** Figures of plans that differ from the interface's, or a JSON file of plans and ban. */
  plans?: SandboxOptions['plans'] | string;
}

/**
 * All items that a twin begins with: by the names of their collections, or as a parsed snapshot. An
 * item without an id gets the next free one.
 */
export type GivenItems =
  | ({ [C in keyof DataCollections]?: readonly NewDataItem<C>[] } & {
      [collection: string]: readonly object[];
    })
  | { version: 1; collections: Record<string, { next: number; items: readonly object[] }> };

/** An API key to start a twin with; figures of its own override those of its plan. */
export type GivenKey = {
  key: string;
  plan: string;
  name?: string;
  perMinute?: number;
  perDay?: number;
};

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
  const { plans, keys, data, pins, behaviours, overlay, ban, listen, ...values } = settings;
  refuseUnheard(settings);
  const count = ['items', 'pets'].find((name) => Object.hasOwn(values, name)) ?? '';
  if (isValue(data) && values[count as 'items'] !== undefined)
    throw new TwinError(`data gives all items, so ${count} has no effect. Leave one of them out.`);
  const hasPlans = isValue(plans) || ban !== undefined;
  const given = defined({
    keys: isValue(keys) ? { keys } : undefined,
    data: isValue(data) ? data : undefined,
    pins: isValue(pins) ? pins : undefined,
    behaviours: isValue(behaviours) ? behaviours : undefined,
    overlay: isValue(overlay) ? (overlay as object) : undefined,
    plans: hasPlans ? defined({ plans: isValue(plans) ? plans : undefined, ban }) : undefined,
  });
  const files = Object.fromEntries(
    Object.entries({ plans, keys, data, pins, behaviours, overlay }).filter(
      ([, value]) => typeof value === 'string',
    ),
  );
  const { config, twin } = await asTwinError(async () => {
    const config = readSettings({
      port: 0,
      logLevel: settings.logTransaction ? 'info' : 'error',
      ...values,
      ...files,
    });
    const log = createLog(config.logLevel);
    return { config, twin: await openTwin(config, { log, given, listen }) };
  });
  const address: Address = {
    toMessage,
    origin: twin.origin.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:'),
    ...(listen === false && { fetch: twin.fetch }),
    ...(config.adminToken !== undefined && { adminToken: config.adminToken }),
    ...(twin.certificate !== undefined && { ownCertificate: twin.certificate }),
  };
  const known = twin.keys.map(({ key, name, plan }) => ({ key, name, plan: plan.name }));
  const client = createAdminClient(address);
  return toTwin({
    address,
    client,
    fetch: twin.fetch,
    basePath: twin.document.basePath,
    keys: known,
    close: twin.close,
    useBehaviours: (...used) => asTwinError(() => twin.useBehaviours(...used)),
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
    fetch: (input, init) => fetch(input, init),
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

/** Refuses what says how to listen where the twin does not. Throws a TwinError. */
function refuseUnheard({ listen = true, ...settings }: TwinSettings): void {
  if (typeof listen !== 'boolean') throw new TwinError('listen must be true or false.');
  const useless = ofServers.find((name) => settings[name] !== undefined);
  if (!listen && useless !== undefined)
    throw new TwinError(
      `${useless} has no effect, as the mock does not listen. Leave it or listen: false out.`,
    );
}

/** The settings that only a server follows. */
const ofServers = ['port', 'host', 'tls', 'tlsCert', 'tlsKey'] as const;

/** Whether a setting is given, and not as the name of a file. */
function isValue(setting: unknown): boolean {
  return setting !== undefined && typeof setting !== 'string';
}

/** Renames the settings in a message to their names in code. */
function toMessage(message: string): string {
  return nameSettings(message, settingNames);
}

const settingNames = settingList.map(({ name }) => name);

/** Starts a twin; what is wrong with its settings becomes a TwinError. */
async function asTwinError<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    throw error instanceof UsageError
      ? new TwinError(toMessage(error.message), { cause: error })
      : error;
  }
}
