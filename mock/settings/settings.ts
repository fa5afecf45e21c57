import type { LimitMode } from '../limits/limiter.ts';
import { logLevels } from '../log.ts';
import { names, oneOf, onOff, origins, text, token, wholeNumber } from './parse-value.ts';

/** What a setting is on the command line, in the environment, in the config file and in code. */
export type Setting = {
  /** What stands for the value in the help; a setting without one is a switch, off by default. */
  value?: string;
  /** Its one letter on the command line. */
  short?: string;
  default?: string;
  help: string;
  /** Reads the value. Throws an Error whose message goes on after "must be". */
  parse: (text: string) => unknown;
  /** Never repeated in a message. */
  secret?: true;
  /** Not for `createTwin`. */
  commandOnly?: true;
};

const limitModes: readonly LimitMode[] = ['enforce', 'observe', 'off'];

/**
 * Every setting, in the order of the help. Its name is that in code; flag, environment variable and
 * key of the config file follow from it, and its type from `parse`. Editors show the comments to
 * users of the package.
 */
export const settings = {
  /** The port to listen on; 0, the default of `createTwin`, takes any free one. */
  port: {
    value: 'N',
    short: 'p',
    default: '4010',
    help: 'port to listen on; 0 takes any free one',
    parse: wholeNumber(0, 65_535),
  },
  /** The address to listen on (127.0.0.1); 0.0.0.0 or :: for every network. */
  host: {
    value: 'ADDRESS',
    default: '127.0.0.1',
    help: 'address to listen on; 0.0.0.0 or :: for every network',
    parse: text,
  },
  /** The same seed makes the same animals (1). */
  seed: {
    value: 'N',
    default: '1',
    help: 'same seed, same animals',
    parse: wholeNumber(0, 4_294_967_295),
  },
  /** How many animals there are at the start (120), the named ones first. */
  pets: {
    value: 'N',
    default: '120',
    help: 'animals at the start, the dozen named ones first',
    parse: wholeNumber(0, 5_000_000),
  },
  /** A JSON file of API keys, as fixtures/keys.json. */
  keys: {
    value: 'FILE',
    help: 'API keys, as JSON (fixtures/keys.json shows how)',
    parse: text,
  },
  /** A JSON file of plans and ban, as fixtures/plans.json. */
  plans: {
    value: 'FILE',
    help: 'plans and ban, as JSON (fixtures/plans.json shows how)',
    parse: text,
  },
  /** `enforce` (default) refuses calls over a limit, `observe` only counts them, `off` does neither. */
  rateLimits: {
    value: 'MODE',
    default: 'enforce',
    help: 'enforce; observe counts and refuses nothing; off',
    parse: oneOf(limitModes),
  },
  /** The maximum of sandboxes (1000); beyond that, the least recently used one is closed. */
  maxSandboxes: {
    value: 'N',
    default: '1000',
    help: 'sandboxes at most; of more, the one unused for longest is closed',
    parse: wholeNumber(1, 100_000),
  },
  /** After how many seconds without use a sandbox is closed (3600); 0 for never. */
  sandboxIdle: {
    value: 'SECONDS',
    default: '3600',
    help: 'close a sandbox after so long without use; 0 never',
    parse: wholeNumber(0, 31_536_000),
  },
  /** A secret that `/__admin` asks for; without one it works on loopback only. */
  adminToken: {
    value: 'TOKEN',
    help: 'secret that /__admin asks for; without one it works on loopback only',
    parse: token,
    secret: true,
  },
  /** Origins whose web pages may use `/__admin`, such as http://localhost:6006. */
  adminOrigins: {
    value: 'ORIGINS',
    default: '',
    help: 'origins whose web pages may use /__admin, e.g. http://localhost:6006, separated by commas',
    parse: origins,
  },
  /** Host names to answer to, besides localhost and IP addresses; `*` for any. */
  allowedHosts: {
    value: 'NAMES',
    default: '',
    help: 'host names to answer to, besides localhost and IP addresses; * for any',
    parse: names,
  },
  /** An OpenAPI 3.1 document to serve instead of the built-in one. */
  spec: {
    value: 'FILE',
    help: 'OpenAPI 3.1 document to serve instead of the built-in one',
    parse: text,
  },
  /** Reloads the document, keys, plans, named animals and certificate when their files change. */
  watch: {
    help: 'take in changes of the document, keys, plans, named animals and certificate',
    parse: onOff,
  },
  /** A certificate chain as a PEM file; the twin then speaks HTTPS only, and needs `tlsKey`. */
  tlsCert: {
    value: 'FILE',
    help: 'certificate chain, as PEM; speaks HTTPS alone, with --tls-key',
    parse: text,
  },
  /** The private key of the certificate, as a PEM file without a passphrase. */
  tlsKey: { value: 'FILE', help: 'private key of the certificate, as PEM', parse: text },
  /** Whether web pages of other origins may call the API (true). */
  cors: {
    value: 'on|off',
    default: 'on',
    help: 'whether pages of other origins may call the API',
    parse: onOff,
  },
  /** Whether magic ids and names get their answers (true). */
  magicValues: {
    value: 'on|off',
    default: 'on',
    help: 'whether magic ids and names have their answers (docs/control.md)',
    parse: onOff,
  },
  /** How many requests the journal of each sandbox retains (1000); 0 for none. */
  journalEntries: {
    value: 'N',
    default: '1000',
    help: 'requests that each sandbox keeps for /__admin/requests; 0 none',
    parse: wholeNumber(0, 100_000),
  },
  /** What is logged on standard error; `createTwin` logs errors unless told otherwise. */
  logLevel: {
    value: 'LEVEL',
    default: 'info',
    help: `${logLevels.join(', ')}; debug shows each request`,
    parse: oneOf(logLevels),
  },
  /** Logs each request with its answer as a line of JSON, at the level `info`. */
  logTransaction: {
    help: 'log each request with its answer as a line of JSON, keys filtered',
    parse: onOff,
  },
  /** Prints the address and no banner. */
  disableBanner: { help: 'print the address alone', parse: onOff, commandOnly: true },
} satisfies Record<string, Setting>;

type Table = typeof settings;
type NamesOf<Kind> = {
  [Name in keyof Table]: Table[Name] extends Kind ? Name : never;
}[keyof Table];
type Values = { [Name in keyof Table]: ReturnType<Table[Name]['parse']> };
type WithoutDefault = Exclude<NamesOf<{ value: string }>, NamesOf<{ default: string }>>;

/** Every setting of the mock, parsed. */
export type Config = Omit<Values, WithoutDefault> & Partial<Pick<Values, WithoutDefault>>;

/** A list may also be one text, separated by commas. */
type GivenValue<Value> = Value extends readonly string[] ? readonly string[] | string : Value;
type GivenValues = { [Name in keyof Values]?: GivenValue<Values[Name]> };

/** The settings that code may give, each optional. */
export type GivenSettings = Omit<GivenValues, NamesOf<{ commandOnly: true }>>;

/** A setting with its name in code, its flag and its environment variable. */
export type ListedSetting = Setting & { name: string; flag: string; variable: string };

/** Every setting, in the order of the help. */
export const settingList: readonly ListedSetting[] = Object.entries(settings).map(
  ([name, setting]) => {
    const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return { ...setting, name, flag, variable: toVariable(flag) };
  },
);

/** The environment variable of a flag. */
export function toVariable(flag: string): string {
  return `TWIN_${flag.toUpperCase().replaceAll('-', '_')}`;
}
