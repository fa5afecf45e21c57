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
import { readJsonFile, readYamlFile } from './read-file.ts';
import { type Config, type ListedSetting, settingList, settings } from './settings.ts';

export type ParsedConfig =
  | { config: Config; print?: never }
  | { config?: never; print: 'help' | 'version' };

/** Every flag of the command, in the order of its help. */
export const flags: readonly Flag[] = [
  ...toFlags(settings),
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
  const config = toConfig(({ flag, variable }) => {
    if (given[flag] !== undefined) return { value: given[flag], source: `--${flag}` };
    const inEnvironment = readVariable(env, variable);
    if (inEnvironment !== undefined) return { value: inEnvironment, source: variable };
    if (file[flag] !== undefined)
      return { value: file[flag], source: `"${flag}" in ${configFile}` };
    const value = defaults[flag];
    return value === undefined ? undefined : { value, source: `--${flag}` };
  });
  return { config };
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
  const known = settingList.map(({ flag }) => flag);
  const unknown = Object.keys(content).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    throw new UsageError(
      `${file} has an unknown setting "${unknown}".${didYouMean(unknown, known)} See --help, which lists them all.`,
    );
  }
  const nested = Object.entries(content).find(([, value]) => typeof value === 'object');
  if (nested)
    throw new UsageError(`"${nested[0]}" in ${file} must be a string, a number or true or false.`);
  return content as Record<string, unknown>;
}

/** Environment variables, as `process.env` has them. */
type Environment = Readonly<Record<string, string | undefined>>;

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
