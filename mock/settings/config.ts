import { inspect } from 'node:util';
import { toExcerpt } from '../../contracts/look/visible.ts';
import { logLevels } from '../log.ts';
import { filtered } from '../redact.ts';
import { readConfigFile } from './config-file.ts';
import { type Environment, readVariable, refuseUnknownVariable } from './environment.ts';
import { readFlags } from './read-flags.ts';
import { type ListedSetting, settingList } from './setting-list.ts';
import type { Config, Setting } from './settings.ts';
import { UsageError } from './usage-error.ts';

export type ParsedConfig =
  | { config: Config; print?: never }
  | { config?: never; print: 'help' | 'version' };

/**
 * Reads the settings. Flags override environment variables, which override the `--config` file.
 * Throws {@link UsageError}.
 */
export function parseConfig(args: readonly string[], env: Environment): ParsedConfig {
  const flags = readFlags(args);
  if (flags.help) return { print: 'help' };
  if (flags.version) return { print: 'version' };
  refuseUnknownVariable(env);
  const configFile = flags.config ?? readVariable(env, 'TWIN_CONFIG');
  const file = typeof configFile === 'string' ? readConfigFile(configFile) : {};
  const config = toConfig(({ flag, variable }) => {
    if (flags[flag] !== undefined) return { value: String(flags[flag]), source: `--${flag}` };
    const inEnvironment = readVariable(env, variable);
    if (inEnvironment !== undefined) return { value: inEnvironment, source: variable };
    if (file[flag] !== undefined)
      return { value: file[flag], source: `"${flag}" in ${configFile}` };
    return undefined;
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
    return value === undefined ? undefined : { value, source: name };
  });
}

/** The value of a setting, and where it was given. */
type Given = { value: unknown; source: string };

function toConfig(givenFor: (setting: ListedSetting) => Given | undefined): Config {
  const config: Record<string, unknown> = {};
  const sources: Record<string, string> = {};
  for (const setting of settingList) {
    const { name, value, default: defaultValue, parse } = setting;
    const given = givenFor(setting);
    const valueText = given && toText(given.value);
    const text = given
      ? (valueText ?? toCode(given.value))
      : (defaultValue ?? (value ? undefined : 'off'));
    if (text === undefined) continue;
    if (given) sources[name] = given.source;
    try {
      config[name] = parse(text);
      if (given && valueText === undefined) throw new Error('a string or a list of strings');
    } catch (error) {
      const shown = given && toShown(given.value, setting);
      throw new UsageError(
        `${given?.source} must be ${(error as Error).message}, but is ${shown}.`,
      );
    }
  }
  const { logTransaction, logLevel, data } = config as Config;
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
  return config as Config;
}

/** A value as messages show it: what is no text as code has it, and nothing that may be secret. */
function toShown(value: unknown, { secret, show }: Pick<Setting, 'secret' | 'show'>): string {
  if (value === '') return '""';
  const mayHoldSecret = secret || (show && typeof value === 'object');
  if (mayHoldSecret) return `"${filtered}"`;
  return typeof value === 'string' ? `"${show?.(value) ?? value}"` : toExcerpt(toCode(value), 100);
}

function toCode(value: unknown): string {
  return inspect(value, { breakLength: Number.POSITIVE_INFINITY });
}

/** A value as the command line has it; undefined for one that the command line cannot have. */
function toText(value: unknown): string | undefined {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.join(',');
  return typeof value === 'object' ? undefined : String(value);
}
