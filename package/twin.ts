export type { LatencySettings } from '../mock/faults/fault-rules.ts';

import { UsageError } from '../common/cli/usage-error.ts';
import { defined } from '../common/defined.ts';
import type { Behaviours } from '../mock/extras/behaviours/define.ts';
import { reachable } from '../mock/listener.ts';
import { createLog } from '../mock/log.ts';
import type { SandboxOptions } from '../mock/sandboxes/sandbox-options.ts';
import { readApiSettings, readSettings } from '../mock/settings/config.ts';
import type { GivenSettings } from '../mock/settings/settings.ts';
import { settingList } from '../mock/settings/settings.ts';
import { openTwin, type Twin as RunningTwin } from '../mock/twin.ts';
import { type Address, createAdminClient, TwinError } from './admin-client.ts';
import type { DataCollections, NewDataItem } from './data.ts';
import { nameSettings } from './name-settings.ts';
import { type Twin, toTwin } from './to-twin.ts';

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
export type { Reason } from '../mock/journal/reason.ts';
export type { BanPolicy } from '../mock/limits/plans.ts';
export type { SandboxOptions } from '../mock/sandboxes/sandbox-options.ts';
export { TwinError } from './admin-client.ts';
export { type ConnectOptions, connectTwin } from './connect.ts';
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
 * Starts a twin in this process, by default on a free port of loopback. It reads no environment
 * variables. Rejects with a TwinError that says which setting is wrong and what was expected.
 */
export async function createTwin(settings: TwinSettings = {}): Promise<Twin> {
  const { listen } = settings ?? {};
  const { given, values } = splitSettings(settings);
  refuseUnheard(settings);
  const { config, twin } = await asTwinError(async () => {
    const config = readSettings({ ...defaultsOf(settings), ...values });
    const log = createLog(config.logLevel);
    return { config, twin: await openTwin(config, { log, given, listen }) };
  });
  return toOwnTwin(twin, toAddress(twin, config.adminToken, listen));
}

/** How twins of several APIs are started: settings of all, and by name the settings of each. */
export type TwinsSettings = Omit<TwinSettings, 'spec'> & {
  apis: { [api: string]: TwinSettings | string };
};

/** Running twins of several APIs, in one process with one clock and one journal. */
export interface Twins<Api extends string = string> extends AsyncDisposable {
  /** The twin of each API, by its name. */
  readonly apis: Readonly<Record<Api, Twin>>;
  /** Scheme, host and port, below which each API has its name as the first segment of paths. */
  readonly origin: string;
  /** The clock of all. */
  readonly clock: Twin['clock'];
  /** Restores the initial state of all. */
  reset(): Promise<void>;
  /** Finishes the requests in progress, and stops all. */
  close(): Promise<void>;
}

/**
 * Starts twins of several APIs in this process, at one port: that of `users` is below `/users`.
 * Rejects with a TwinError.
 */
export async function createTwins<const Settings extends TwinsSettings>(
  settings: Settings,
): Promise<Twins<keyof Settings['apis'] & string>> {
  const { apis, ...common } = (settings ?? {}) as TwinsSettings;
  const { listen } = common;
  refuseUnheard(common);
  const all = splitSettings(common);
  const split = Object.entries(Object(apis) as TwinsSettings['apis']).map(([name, own]) => {
    const { given, values } = splitSettings(typeof own === 'string' ? { spec: own } : own);
    return { name, values, given: { ...all.given, ...given } };
  });
  const { config, opened } = await asTwinError(async () => {
    if (Object.hasOwn(common, 'spec'))
      throw new UsageError('spec is that of no API. Give each its own in apis, and leave it out.');
    const values = { ...defaultsOf(common), ...all.values };
    const own = Object.fromEntries(split.map((one) => [one.name, one.values]));
    const { openTwins } = await import('../mock/apis/open-twins.ts');
    const parsed = readApiSettings(values, own);
    const twins = await openTwins(parsed, {
      log: createLog(parsed.config.logLevel),
      listen,
      given: new Map(split.map(({ name, given }) => [name, given])),
    });
    try {
      await twins.openAll();
      const names = [...parsed.apis.keys()];
      const opened = await Promise.all(
        names.map(async (name) => [name, await twins.open(name)] as const),
      );
      return { config: parsed.config, opened };
    } catch (error) {
      await twins.close();
      throw error;
    }
  });
  const own = opened.map(([name, twin]) => [
    name,
    toOwnTwin(twin, toAddress(twin, config.adminToken, listen), `/${name}`),
  ]) as [string, Twin][];
  const [[, first]] = own as [[string, Twin]];
  const close = async () => void (await Promise.all(own.map(([, twin]) => twin.close())));
  return {
    apis: Object.fromEntries(own) as Record<keyof Settings['apis'] & string, Twin>,
    origin: first.origin,
    clock: first.clock,
    async reset() {
      for (const [, twin] of own) await twin.reset();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Splits settings into the contents of files, and those that the command line has, too. */
function splitSettings(settings: TwinSettings) {
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings))
    throw new TwinError('The settings of a twin must be an object, such as { seed: 7 }.');
  const { plans, keys, data, pins, behaviours, overlay, ban, listen: _, ...values } = settings;
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
  return { given, values: { ...values, ...files } };
}

function defaultsOf({ logTransaction }: TwinSettings) {
  return { port: 0, logLevel: logTransaction ? 'info' : 'error' };
}

function toAddress(
  twin: RunningTwin,
  adminToken: string | undefined,
  listen: boolean | undefined,
): Address {
  return {
    toMessage,
    origin: reachable(twin.origin),
    ...(listen === false && { fetch: twin.fetch }),
    ...(adminToken !== undefined && { adminToken }),
    ...(twin.certificate !== undefined && { ownCertificate: twin.certificate }),
  };
}

/** Returns a twin of this process, whose API has a path before its own if there are several. */
function toOwnTwin(twin: RunningTwin, address: Address, mount = ''): Twin {
  return toTwin({
    address,
    client: createAdminClient(address),
    fetch: twin.fetch,
    mount,
    basePath: twin.document.basePath,
    keys: twin.keys.map(({ key, name, plan }) => ({ key, name, plan: plan.name })),
    close: twin.close,
    useBehaviours: (...used) => asTwinError(() => twin.useBehaviours(...used)),
  });
}

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
