import type { Environment } from '../../common/cli/create-command.ts';
import { didYouMean, nearestName } from '../../common/cli/nearest-name.ts';
import {
  type Flag,
  type GivenValue,
  helpFlag,
  readFlags,
  readTable,
  toFlags,
  toVariable,
} from '../../common/cli/read-options.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { logLevels } from '../log.ts';
import {
  type Apis,
  ensureApart,
  type GivenApi,
  noPort,
  readApis,
  readSpecs,
  toStoreOf,
} from './apis.ts';
import { readJsonFile, readYamlFile } from './read-file.ts';
import { type Config, type ListedSetting, settingList, settings } from './settings.ts';

export type ParsedConfig =
  | {
      config: Config;
      /** The settings of each API, if there are several. */
      apis?: Apis;
      print?: never;
    }
  | { config?: never; apis?: never; print: 'help' | 'version' };

/** Every flag of the command, in the order of its help. */
export const flags: readonly Flag[] = [
  ...toFlags(settings).map((one) => (one.flag === 'spec' ? { ...one, many: true as const } : one)),
  { flag: 'config', value: 'FILE', help: 'read settings from a JSON or YAML file' },
  helpFlag,
  { flag: 'version', help: 'show the version' },
];

/**
 * Reads the settings. Flags override environment variables, which override the `--config` file.
 * `defaults` come last, by flag. Throws {@link UsageError}.
 */
export function parseConfig(
  args: readonly string[],
  env: Environment,
  defaults: Readonly<Record<string, string>> = {},
): ParsedConfig {
  const { given } = readFlags(args, flags, { example: '--spec openapi.yaml' });
  if (given.help) return { print: 'help' };
  if (given.version) return { print: 'version' };
  refuseUnknownVariable(env);
  const configFile = given.config ?? readVariable(env, 'TWIN_CONFIG');
  const file = typeof configFile === 'string' ? readConfigFile(configFile) : {};
  const outside = ({ flag, variable }: ListedSetting): GivenValue | undefined => {
    if (given[flag] !== undefined) return { value: given[flag], source: `--${flag}` };
    const value = readVariable(env, variable);
    return value === undefined ? undefined : { value, source: variable };
  };
  const named = outside(specSetting);
  const specs = readSpecs(
    Array.isArray(named?.value) ? named.value : splitSpecs(named?.value),
    named?.source ?? '',
  );
  const found =
    file.apis === undefined
      ? new Map<string, GivenApi>()
      : readApis(file.apis, `"apis" in ${configFile}`, ({ flag }) => flag);
  for (const [name, one] of specs.apis) found.set(name, { ...found.get(name), ...one });
  const inFile = ({ flag }: ListedSetting): GivenValue | undefined => {
    if (file[flag] !== undefined)
      return { value: file[flag], source: `"${flag}" in ${configFile}` };
    const value = defaults[flag];
    return value === undefined ? undefined : { value, source: `--${flag}` };
  };
  const common = (setting: ListedSetting) => outside(setting) ?? inFile(setting);
  if (found.size === 0) return { config: toConfig(common) };
  if (specs.spec ?? file.spec)
    throw new UsageError(
      `${specs.spec ? named?.source : `"spec" in ${configFile}`} has no name, but there are several APIs. Write NAME=FILE, or leave it out.`,
    );
  const config = toConfig((setting) => (setting === specSetting ? undefined : common(setting)));
  const toOwn = ({ flag }: ListedSetting, own: GivenApi) => own[flag];
  return { config, apis: toApis(found, config, { toOwn, outside, inside: inFile }) };
}

const specSetting = settingList.find(({ name }) => name === 'spec') as ListedSetting;

/** Splits the documents of a variable, which has several if each has a name. */
function splitSpecs(value: unknown): string[] {
  if (value === undefined) return [];
  const text = String(value);
  return /^[a-z][a-z0-9-]*=/.test(text) ? text.split(/,(?=[a-z][a-z0-9-]*=)/) : [text];
}

type FindGiven = (setting: ListedSetting) => GivenValue | undefined;

/**
 * Returns the settings of each API: those of the process from `outside` come first, then its own,
 * then those of the process from `inside` the file. A store that all have is divided. A document
 * and a port are only its own.
 */
function toApis(
  found: ReadonlyMap<string, GivenApi>,
  { store, port }: Config,
  {
    toOwn,
    outside,
    inside,
  }: {
    toOwn: (setting: ListedSetting, own: GivenApi) => unknown;
    outside: FindGiven;
    inside: FindGiven;
  },
): Apis {
  const apis = [...found].map(([name, own]): [string, Config] => {
    const config = toConfig((setting) => {
      const value = toOwn(setting, own);
      const source = `${setting.flag} of the API ${name}`;
      const given =
        value === undefined ? undefined : { value, source, isCode: typeof value !== 'string' };
      if (setting === specSetting || setting.name === 'port') return given;
      return outside(setting) ?? given ?? inside(setting);
    });
    const divided = config.store === store ? toStoreOf(store, name) : config.store;
    const allowedHosts = [...config.allowedHosts, name];
    return [
      name,
      {
        ...config,
        store: divided,
        port: own.port === undefined ? noPort : config.port,
        allowedHosts,
      },
    ];
  });
  ensureApart(new Map(apis), port);
  return new Map(apis);
}

/** Reads the settings of several APIs that code gives as values. Throws {@link UsageError}. */
export function readApiSettings(
  values: Readonly<Record<string, unknown>>,
  given: unknown,
): { config: Config; apis: Apis } {
  const config = readSettings(values);
  const found = readApis(given, 'apis', ({ name }) => name);
  const inside = ({ name: source }: ListedSetting) =>
    values[source] === undefined ? undefined : { value: values[source], source, isCode: true };
  const toOwn = ({ name }: ListedSetting, own: GivenApi) => own[name];
  return { config, apis: toApis(found, config, { toOwn, outside: () => undefined, inside }) };
}

/**
 * Reads settings that code gives as values, by their names in {@link Config}; one that is left out
 * has its default. Throws {@link UsageError}.
 */
export function readSettings(values: Readonly<Record<string, unknown>>): Config {
  const names = settingList.filter(({ commandOnly }) => !commandOnly).map(({ name }) => name);
  const unknown = Object.keys(values).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`There is no setting "${unknown}". Settings are ${names.join(', ')}.`);
  return toConfig(({ name }) => {
    const value = values[name];
    return value === undefined ? undefined : { value, source: name, isCode: true };
  });
}

function toConfig(givenFor: (setting: ListedSetting) => GivenValue | undefined): Config {
  const sources: Record<string, string> = {};
  const config = readTable(settings, (name) => {
    const given = givenFor(settingList.find((one) => one.name === name) as ListedSetting);
    if (given) sources[name] = given.source;
    return given;
  });
  const { logTransaction, logLevel, data } = config;
  if (sources.items !== undefined && sources.pets !== undefined)
    throw new UsageError(
      `${sources.items} and ${sources.pets} are the same setting. Leave one of them out.`,
    );
  const items = sources.items ?? sources.pets;
  if (data !== undefined && items !== undefined)
    throw new UsageError(
      `${sources.data} gives all items, so ${items} has no effect. Leave one of them out.`,
    );
  if (logTransaction && logLevels.indexOf(logLevel) < logLevels.indexOf('info'))
    throw new UsageError(
      `${sources.logTransaction} writes at the level info, and ${sources.logLevel} is ${logLevel}. Leave one of them out.`,
    );
  return config;
}

/** Reads the `--config` file: settings by their flags. Throws {@link UsageError}. */
function readConfigFile(file: string): Readonly<Record<string, unknown>> {
  const isYaml = /\.ya?ml$/i.test(file);
  const content = isYaml ? readYamlFile(file, '--config') : readJsonFile(file, '--config');
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new UsageError(`${file} must hold an object of settings.`);
  const known = [...settingList.map(({ flag }) => flag), 'apis'];
  const unknown = Object.keys(content).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    throw new UsageError(
      `${file} has an unknown setting "${unknown}".${didYouMean(unknown, known)} See --help, which lists them all.`,
    );
  }
  const nested = Object.entries(content).find(
    ([key, value]) => typeof value === 'object' && key !== 'apis',
  );
  if (nested)
    throw new UsageError(`"${nested[0]}" in ${file} must be a string, a number or true or false.`);
  return content as Record<string, unknown>;
}

/** The value of a variable; undefined where it is empty or not meant for us. */
function readVariable(env: Environment, name: string): string | undefined {
  const value = env[name];
  return value && !isOfService(name, value) ? value : undefined;
}

/** Refuses an unknown variable: it is likely a mistyped one. Throws {@link UsageError}. */
function refuseUnknownVariable(env: Environment): void {
  const known = [...settingList.map(({ variable }) => variable), toVariable('config')];
  const unknown = Object.keys(env).find(
    (name) =>
      name.startsWith('TWIN_') && !known.includes(name) && !isOfService(name, env[name] ?? ''),
  );
  if (unknown === undefined) return;
  const nearest = nearestName(unknown.slice('TWIN_'.length), [
    ...settingList.map(({ flag }) => flag),
    'config',
  ]);
  const advice =
    nearest === undefined
      ? 'Unset it, or see --help.'
      : `Did you mean ${toVariable(nearest)}? See --help.`;
  throw new UsageError(`There is no setting ${unknown}. ${advice}`);
}

/**
 * Whether Kubernetes sets a variable in containers beside services that are called "twin" or
 * "twin-...", as `TWIN_PORT=tcp://10.0.0.7:80`.
 */
function isOfService(name: string, value: string): boolean {
  return /_(SERVICE_(HOST|PORT)|PORT_\d+)(_|$)/.test(name) || /^(tcp|udp|sctp):/.test(value);
}
