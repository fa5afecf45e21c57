import { didYouMean } from '../../common/cli/nearest-name.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { isObject } from '../../common/json.ts';
import { type Config, settingList } from './settings.ts';

/** The settings of an API, as a config file or code has them: by their flags, or their names in code. */
export type GivenApi = Readonly<Record<string, unknown>>;

/** The settings of APIs by their names, each parsed. */
export type Apis = ReadonlyMap<string, Config>;

const nameForm = /^[a-z](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

/** Names that stand for something else in paths or hosts. */
const taken: readonly string[] = ['sandboxes', 'localhost'];

/** Settings that are those of the whole process, by their names in code. */
const ofProcess: readonly (keyof Config)[] = [
  ...(['host', 'tls', 'tlsCert', 'tlsKey', 'domainCa', 'adminToken', 'adminOrigins'] as const),
  ...(['logLevel', 'logTransaction', 'disableBanner'] as const),
];

/**
 * Reads the documents of `--spec`. Returns one without a name, or each by the name before its `=`.
 * `source` names the flag or the variable. Throws {@link UsageError}.
 */
export function readSpecs(
  given: readonly string[],
  source: string,
): { spec?: string; apis: Map<string, GivenApi> } {
  const named = given.map((one) => /^([^=:/\\.]+)=(.*)$/s.exec(one) ?? []);
  const apis = new Map<string, GivenApi>();
  if (given.length === 1 && named[0]?.length === 0) return { spec: given[0] as string, apis };
  for (const [index, [whole, name = '', spec]] of named.entries()) {
    if (whole === undefined)
      throw new UsageError(
        `${source} is given several times, so each needs a name, but ${given[index]} has none. Write ${source} NAME=${given[index]}.`,
      );
    ensureName(name, `${source} ${whole}`);
    if (apis.has(name))
      throw new UsageError(
        `${source} gives two documents the name ${name}. Choose another name for one.`,
      );
    apis.set(name, { spec });
  }
  return { apis };
}

/**
 * Reads `apis` of a config file or of code: for each API its document, or its settings. `toKey`
 * returns a setting's key there. Throws {@link UsageError}.
 */
export function readApis(
  value: unknown,
  source: string,
  toKey: (setting: (typeof settingList)[number]) => string,
): Map<string, GivenApi> {
  if (!isObject(value) || Object.keys(value).length === 0)
    throw new UsageError(
      `${source} must be an object with the settings of each API, such as {"users": {"spec": "users.yaml"}}.`,
    );
  const own = settingList.filter(({ name }) => !ofProcess.includes(name as keyof Config));
  const known = own.map(toKey);
  return new Map(
    Object.entries(value).map(([name, given]) => {
      const at = `${name} in ${source}`;
      ensureName(name, at);
      const settings = typeof given === 'string' ? { spec: given } : given;
      if (!isObject(settings))
        throw new UsageError(`${at} must be a document, or an object of settings.`);
      for (const key of Object.keys(settings)) {
        if (known.includes(key)) continue;
        const isOfProcess = settingList.some((setting) => toKey(setting) === key);
        throw new UsageError(
          isOfProcess
            ? `"${key}" of ${at} is a setting of the whole process. Set it beside apis.`
            : `"${key}" of ${at} is not a setting.${didYouMean(key, known)} See --help, which lists them all.`,
        );
      }
      return [name, settings as GivenApi];
    }),
  );
}

function ensureName(name: string, at: string): void {
  if (!nameForm.test(name))
    throw new UsageError(
      `${at}: the name of an API must be 1 to 40 lower-case letters, digits and hyphens, and begin with a letter, as it is part of paths and host names.`,
    );
  if (taken.includes(name))
    throw new UsageError(
      `${at}: no API can have the name ${name}, which means something else in URLs.`,
    );
}

/** The port of an API that has none of its own. */
export const noPort = -1;

/** Refuses APIs that share a port or a store, and such without a document. Throws {@link UsageError}. */
export function ensureApart(apis: Apis, port: number): void {
  const ports = new Map<number, string>([[port, 'the process itself']]);
  const stores = new Map<string, string>();
  for (const [name, config] of apis) {
    ensureReached(config, apis.keys());
    if (config.spec === undefined)
      throw new UsageError(`The API ${name} has no document. Give it one as spec.`);
    const other = config.port > 0 && ports.get(config.port);
    if (other)
      throw new UsageError(
        `The API ${name} has the port ${config.port}, which ${other} has, too. Choose another, or 0 for any free one.`,
      );
    ports.set(config.port, `the API ${name}`);
    const sharing = config.store !== 'memory' && stores.get(config.store);
    if (sharing)
      throw new UsageError(
        `The APIs ${sharing} and ${name} have the same store. Give each its own.`,
      );
    stores.set(config.store, name);
  }
}

/** Refuses webhooks that go to a path of the process where no API is. Throws {@link UsageError}. */
export function ensureReached({ webhookUrl }: Config, names: Iterable<string>): void {
  const known = [...names];
  const path = webhookUrl.find(
    ({ url }) => url.startsWith('/') && !known.includes(url.split('/', 2)[1] ?? ''),
  )?.url;
  if (path === undefined) return;
  throw new UsageError(
    known.length === 0
      ? `The webhook URL ${path} is a path, which only an API of the same process can have. Give a whole URL.`
      : `The webhook URL ${path} leads to no API. A path begins with the name of one: ${known.join(', ')}.`,
  );
}

/** Returns the part of a store that all APIs have which is for one: a file, or a prefix of keys. */
export function toStoreOf(store: string, name: string): string {
  if (store.startsWith('sqlite:')) return store.replace(/(\.[^./\\]*)?$/, `-${name}$1`);
  if (!/^rediss?:/.test(store) || !URL.canParse(store)) return store;
  const url = new URL(store);
  url.searchParams.set('prefix', `${url.searchParams.get('prefix') ?? 'petstore-twin'}.${name}`);
  return url.href;
}
