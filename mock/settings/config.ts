import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { LimitMode } from '../limits/limiter.ts';
import { type LogLevel, logLevels } from '../log.ts';
import { joinFlagValues, type Option } from './flag-values.ts';
import { nearestName } from './nearest-name.ts';
import { type Setting, settings } from './settings.ts';

/** Every setting of the mock, parsed. */
export type Config = {
  port: number;
  host: string;
  seed: number;
  pets: number;
  keys?: string;
  plans?: string;
  adminToken?: string;
  /** Origins whose pages may use the admin, as browsers send them. */
  adminOrigins: string[];
  allowedHosts: string[];
  rateLimits: LimitMode;
  maxSandboxes: number;
  sandboxIdle: number;
  spec?: string;
  watch: boolean;
  tlsCert?: string;
  tlsKey?: string;
  cors: boolean;
  magicValues: boolean;
  /** How many requests the journal of a sandbox keeps; 0 for none. */
  journalEntries: number;
  logLevel: LogLevel;
  /** Whether each exchange is logged. */
  logTransaction: boolean;
  disableBanner: boolean;
};

/** A setting is wrong; the message says which, what was expected, and where it came from. */
export class UsageError extends Error {}

const examples = [
  ['', 'on http://127.0.0.1:4010/v1'],
  ['--port 0 --seed 7 --pets 1000', 'any free port, other animals, more of them'],
  ['--rate-limits off', 'never refuse a call'],
  ['--host 0.0.0.0 --admin-token s3cret', 'reachable from other machines, admin on'],
] as const;

/** What `--help` shows; `command` is what a person types before the options. */
export function toHelpText(command: string): string {
  const typed = examples.map(
    ([options, what]) => [`${command} ${options}`.replace(/( --)? $/, ''), what] as const,
  );
  const width = Math.max(...typed.map(([line]) => line.length));
  return `petstore-twin: a stateful mock of the Pet Store Service

Usage: ${command} [options]

Options (each is also TWIN_… in the environment, e.g. TWIN_PORT, and a key of the --config file, e.g. "port"):
${settings.map(toHelpLine).join('\n')}
  --config FILE           read settings from a JSON file
  --help, -h              show this help
  --version               show the version

A flag goes before the environment, and the environment before the file.

A sandbox of its own for each test worker, made at its first use: /sandboxes/NAME/v1, or the header X-Sandbox: NAME.

Examples:
${typed.map(([line, what]) => `  ${line.padEnd(width)}   ${what}`).join('\n')}
`;
}

export type ParsedConfig =
  | { config: Config; print?: never }
  | { config?: never; print: 'help' | 'version' };

/**
 * Reads the settings: flag before environment before `--config` file. Throws {@link UsageError}.
 */
export function parseConfig(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ParsedConfig {
  const flags = readFlags(args);
  if (flags.help) return { print: 'help' };
  if (flags.version) return { print: 'version' };
  refuseUnknownVariable(env);
  const configFile = flags.config ?? (env.TWIN_CONFIG || undefined);
  const file = typeof configFile === 'string' ? readConfigFile(configFile) : {};
  const config = toConfig((flag) => {
    const variable = toVariable(flag);
    if (flags[flag] !== undefined) return { text: String(flags[flag]), source: `--${flag}` };
    const inEnvironment = env[variable];
    if (inEnvironment && !isServiceLink(inEnvironment))
      return { text: inEnvironment, source: variable };
    if (file[flag] !== undefined)
      return { text: String(file[flag]), source: `"${flag}" in ${configFile}` };
    return undefined;
  });
  return { config };
}

/**
 * Reads settings that are values, by their names as in {@link Config}; one that is left out has its
 * default. Throws {@link UsageError}.
 */
export function readSettings(values: Readonly<Record<string, unknown>>): Config {
  // The banner is the command's alone.
  const names = settings.map(({ flag }) => toName(flag)).filter((name) => name !== 'disableBanner');
  const stranger = Object.keys(values).find((name) => !names.includes(name));
  if (stranger !== undefined)
    throw new UsageError(`There is no setting "${stranger}". Settings are ${names.join(', ')}.`);
  return toConfig((flag) => {
    const value = values[toName(flag)];
    return value === undefined
      ? undefined
      : { text: String(toSwitch(value)), source: toName(flag) };
  });
}

/** A setting as text, and where it was given. */
type Given = { text: string; source: string };

function toConfig(givenFor: (flag: string) => Given | undefined): Config {
  const config: Record<string, unknown> = {};
  for (const { flag, fallback, parse, value } of settings) {
    const given = givenFor(flag);
    const text = given?.text ?? fallback ?? (value ? undefined : 'off');
    if (text === undefined) continue;
    try {
      config[toName(flag)] = parse(text);
    } catch (error) {
      throw new UsageError(
        `${given?.source} must be ${(error as Error).message}, but is "${flag === 'admin-token' && text !== '' ? '[Filtered]' : text}".`,
      );
    }
  }
  const { logTransaction, logLevel } = config as Config;
  if (logTransaction && logLevels.indexOf(logLevel) < logLevels.indexOf('info'))
    throw new UsageError(
      `${givenFor('log-transaction')?.source} writes at the level info, and ${givenFor('log-level')?.source} is ${logLevel}. Leave one of them out.`,
    );
  return config as Config;
}

function toSwitch(value: unknown): unknown {
  return value === true ? 'on' : value === false ? 'off' : value;
}

/** The environment variable of a flag. */
export function toVariable(flag: string): string {
  return `TWIN_${flag.toUpperCase().replaceAll('-', '_')}`;
}

const options: Option[] = [
  ...settings.map(({ flag, value }) => ({
    flag,
    ...(value && { value }),
    ...(flag === 'port' && { short: 'p' }),
  })),
  { flag: 'config', value: 'FILE' },
  { flag: 'help', short: 'h' },
  { flag: 'version' },
];

function readFlags(args: readonly string[]): Record<string, string | boolean | undefined> {
  const known = options.map(({ flag, short, value }) => {
    return [
      flag,
      { type: value ? ('string' as const) : ('boolean' as const), ...(short && { short }) },
    ] as const;
  });
  try {
    const joined = joinFlagValues(args, options);
    return parseArgs({ args: joined, options: Object.fromEntries(known), strict: true })
      .values as Record<string, string | boolean | undefined>;
  } catch (error) {
    throw new UsageError(
      `${(error as Error).message.split(/\. (?=To )|\n/)[0]?.replace(/\.$/, '')}. See --help.`,
    );
  }
}

/**
 * What Kubernetes and Docker set in containers beside services that are called "twin" or "twin-…",
 * none of it meant for us.
 */
const serviceVariable =
  /^TWIN_((\w+_)?(SERVICE_(HOST|PORT(_\w+)?)|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?|ENV_\w+)|NAME)$/;

/** The name of such a service in Docker, as `TWIN_API_NAME=/web/twin-api`. */
function isServiceName(name: string, value: string): boolean {
  return name.endsWith('_NAME') && value.startsWith('/');
}

/**
 * Whether a value is what Kubernetes sets `TWIN_PORT` or `TWIN_API_PORT` to beside such a service.
 */
function isServiceLink(value: string): boolean {
  return /^(tcp|udp|sctp):\/\//.test(value);
}

/**
 * Refuses a variable that would be a setting, but is none; else a mistyped one would be ignored.
 */
function refuseUnknownVariable(env: Readonly<Record<string, string | undefined>>): void {
  const known = options
    .filter(({ flag }) => flag !== 'help' && flag !== 'version')
    .map(({ flag }) => toVariable(flag));
  const isOfService = (name: string, value: string) =>
    serviceVariable.test(name) || isServiceName(name, value) || isServiceLink(value);
  const unknown = Object.keys(env).find(
    (name) =>
      name.startsWith('TWIN_') && !known.includes(name) && !isOfService(name, env[name] ?? ''),
  );
  if (unknown === undefined) return;
  const nearest = nearestName(
    unknown.slice('TWIN_'.length),
    known.map((name) => name.slice('TWIN_'.length)),
  );
  const advice =
    nearest === undefined
      ? 'Unset it, or see --help.'
      : `Did you mean TWIN_${nearest}? See --help.`;
  throw new UsageError(`There is no setting ${unknown}. ${advice}`);
}

function readConfigFile(file: string): Record<string, unknown> {
  const content = readJsonFile(file, '--config');
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new UsageError(`${file} must hold a JSON object.`);
  const stranger = Object.keys(content).find((key) => !settings.some(({ flag }) => flag === key));
  if (stranger)
    throw new UsageError(
      `${file} has an unknown setting "${stranger}". Known are ${settings.map(({ flag }) => flag).join(', ')}.`,
    );
  const nested = Object.entries(content).find(([, value]) => typeof value === 'object');
  if (nested)
    throw new UsageError(`"${nested[0]}" in ${file} must be a text, a number or true or false.`);
  return Object.fromEntries(Object.entries(content).map(([key, value]) => [key, toSwitch(value)]));
}

/** Reads a file of text that a flag names. Throws {@link UsageError}. */
export function readTextFile(file: string, flag: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new UsageError(`${flag} ${file} cannot be read: ${fileProblems[code] ?? message}.`);
  }
}

const fileProblems: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder, and a file is expected',
  EACCES: 'this user may not read it',
};

/** Reads a file of JSON that a flag names. Throws {@link UsageError}. */
export function readJsonFile(file: string, flag: string): unknown {
  const content = readTextFile(file, flag);
  try {
    return JSON.parse(content);
  } catch (error) {
    // Some of its messages quote the text, which may hold secrets.
    const reason = (error as Error).message.replace(/, (\.\.\.)?".*is not valid JSON$/s, '');
    throw new UsageError(`${flag} ${file} is not valid JSON: ${reason}.`);
  }
}

function toName(flag: string): string {
  return flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function toHelpLine({ flag, value, fallback, help }: Setting): string {
  const short = flag === 'port' ? ', -p' : '';
  const usual = fallback ? ` (default ${fallback})` : '';
  return `  ${`--${flag}${value ? ` ${value}` : ''}${short}`.padEnd(23)} ${help}${usual}`;
}
