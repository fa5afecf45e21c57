import { type Option, parseSwitch, parseWhole, toggle } from '../../common/cli/option-kinds.ts';
import {
  type OptionsOf,
  type OptionTable,
  toFlag,
  toVariable,
} from '../../common/cli/read-options.ts';
import { splitList } from '../../common/text-of.ts';
import { parentDeletions } from '../behaviours/children.ts';
import { maxSeed } from '../faults/random.ts';
import { limitModes } from '../limits/limiter.ts';
import { logLevels } from '../log.ts';
import { withoutCredentials } from '../redact.ts';
import {
  baseUrl,
  oneOf,
  origins,
  storeForms,
  storeOf,
  text,
  token,
  webhookUrls,
} from './parse-value.ts';

/** The stores that there are. */
const storeSchemes = ['memory', 'sqlite', 'redis', 'rediss'] as const;

const maxItems = 5_000_000;

/**
 * Every setting, in the order of the help. Its name is that in code; flag, environment variable and
 * key of the config file follow from it, and its type from `parse`. Editors show the comments to
 * users of the package.
 */
export const settings = {
  /** The port to listen on; 0, the default of `createTwin`, chooses a free one. */
  port: {
    value: 'N',
    short: 'p',
    default: '4010',
    help: 'port to listen on; 0 chooses a free one',
    parse: parseWhole(0, 65_535),
  },
  /** The address to listen on (127.0.0.1); 0.0.0.0 or :: for all networks. */
  host: {
    value: 'ADDRESS',
    default: '127.0.0.1',
    help: 'address to listen on; 0.0.0.0 or :: for all networks',
    parse: text,
  },
  /** The seed of the generated items (1). */
  seed: {
    value: 'N',
    default: '1',
    help: 'seed of the generated items',
    parse: parseWhole(0, maxSeed),
  },
  /** The number of items of each collection at the start: 5, of the Pet Store Service 120. */
  items: {
    value: 'N',
    help: 'initial items of each collection (default 120, with --spec 5)',
    parse: parseWhole(0, maxItems),
  },
  /**
   * Stands for `items`, by the name that the Pet Store Service has for its items; named items come
   * first.
   */
  pets: {
    value: 'N',
    help: 'same as --items; the twelve named pets come first',
    parse: parseWhole(0, maxItems),
  },
  /** A file of items to begin with instead of generated ones; docs/data.md shows one. */
  data: {
    value: 'FILE',
    help: 'initial items, as JSON, YAML or a snapshot, instead of generated ones (see docs/data.md)',
    parse: text,
  },
  /** A JSON file of API keys; docs/limits.md shows one. */
  keys: {
    value: 'FILE',
    help: 'API keys, as JSON (see docs/limits.md)',
    parse: text,
  },
  /** A JSON file of plans and ban; docs/limits.md shows one. */
  plans: {
    value: 'FILE',
    help: 'plans and ban, as JSON (see docs/limits.md)',
    parse: text,
  },
  /**
   * An OpenAPI Overlay of what a deployment does where the interface is silent, as `calibrate`
   * writes it; docs/calibrate.md shows one.
   */
  pins: {
    value: 'FILE',
    help: 'profile of a deployment, whose unspecified behaviour the mock then has; calibrate writes it (see docs/calibrate.md)',
    parse: text,
  },
  /** A file of behaviours of your own; docs/behaviours.md shows one. */
  behaviours: {
    value: 'FILE',
    help: 'behaviours of your own, as TypeScript or JavaScript (see docs/behaviours.md)',
    parse: text,
  },
  /**
   * `enforce` refuses calls over a limit, `observe` only counts them, `off` does neither; by default
   * the limits that the document describes are enforced.
   */
  rateLimits: {
    value: 'MODE',
    help: 'enforce; observe counts but refuses nothing; off (default enforce, if the document has limits)',
    parse: oneOf(limitModes),
  },
  /**
   * The store of the state: `memory` (default), lost when the twin ends, `sqlite:FILE`, or
   * `redis://HOST`, which several twins share.
   */
  store: {
    value: 'STORE',
    default: 'memory',
    help: `where state is stored: ${storeForms(storeSchemes)}`,
    parse: storeOf(storeSchemes),
    show: withoutCredentials,
  },
  /** Begins anew where the store holds the state of other items, instead of refusing to start. */
  resetStore: toggle('discard the stored state of other items instead of refusing to start'),
  /** The maximum of sandboxes (1000); beyond that, the least recently used one is closed. */
  maxSandboxes: {
    value: 'N',
    default: '1000',
    help: 'maximum number of sandboxes; beyond that, the least recently used one is closed',
    parse: parseWhole(1, 100_000),
  },
  /** After how many seconds without use a sandbox is closed (3600); 0 for never. */
  sandboxIdle: {
    value: 'SECONDS',
    default: '3600',
    help: 'close a sandbox after this long without use; 0 for never',
    parse: parseWhole(0, 31_536_000),
  },
  /** A secret that `/__admin` requires; without one, it works on loopback only. */
  adminToken: {
    value: 'TOKEN',
    help: 'secret that /__admin requires; without one, it works on loopback only',
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
  /** Host names to accept besides localhost and IP addresses; `*` for any. */
  allowedHosts: {
    value: 'NAMES',
    default: '',
    help: 'host names to accept in addition to localhost and IP addresses, separated by commas; * for any',
    parse: splitList,
  },
  /**
   * A PEM file with the certificate and the key of the test authority for custom domains, made where
   * there is none; without it, each process has an authority of its own.
   */
  domainCa: {
    value: 'FILE',
    help: 'authority for the certificates of custom domains, as PEM with its key; created if missing (see docs/domains.md)',
    parse: text,
  },
  /** The base URL of a real service, which answers the operations of `forwardOperations`. */
  forward: {
    value: 'URL',
    help: 'base URL of a real service that answers some operations (see docs/forward.md)',
    parse: baseUrl,
    show: withoutCredentials,
  },
  /** The operations that `forward` answers: by id, or as a method and a path with `*`. */
  forwardOperations: {
    value: 'NAMES',
    default: '',
    help: "operations that --forward answers, separated by commas, e.g. listPets,'GET /store/*'",
    parse: splitList,
  },
  /** The key that forwarded calls carry instead of those of callers. */
  forwardKey: {
    value: 'KEY',
    help: 'key of the real service, sent instead of the keys of callers',
    parse: text,
    secret: true,
  },
  /** An OpenAPI or Swagger document to serve instead of the built-in one: a file, or its URL. */
  spec: {
    value: 'FILE',
    help: 'OpenAPI or Swagger document, a file or its URL (default: the built-in one); NAME=FILE, repeatable, for several APIs (see docs/many-apis.md)',
    parse: text,
  },
  /** Files of OpenAPI Overlays that correct the document, in this order, separated by commas. */
  overlay: {
    value: 'FILE',
    help: 'OpenAPI Overlay that corrects the document; several, separated by commas (see docs/documents.md)',
    parse: text,
  },
  /** Folders that `$ref`s of the document may lead to beside its own, separated by commas. */
  allowRefs: {
    value: 'DIR',
    help: "another folder that the document's $refs may reach; several, separated by commas",
    parse: text,
  },
  /** Refuses a document with a part that cannot be used, instead of leaving that part out. */
  strictSpec: toggle('refuse a document with an invalid part instead of ignoring that part'),
  /** Refuses requests that are not as the document describes them, which servers tolerate. */
  strictRequests: toggle(
    'refuse requests that do not match the document, also those that servers commonly accept (see docs/lenient.md)',
  ),
  /** `check` (default) refuses calls without valid credentials, `any` admits every caller. */
  auth: {
    value: 'MODE',
    help: 'check refuses calls without valid credentials; any admits every caller (default check)',
    parse: oneOf(['check', 'any'] as const),
  },
  /** `required` (default) or `optional`: serves operations also without the path of the server. */
  basePath: {
    value: 'MODE',
    help: "required or optional: serve operations also without the path of the document's server",
    parse: oneOf(['required', 'optional'] as const),
  },
  /** `refuse` (default) answers 404 for unknown ids, `example` with an example of the id. */
  unknownIds: {
    value: 'MODE',
    help: 'refuse answers 404 for an id that does not exist; example answers with an example of it',
    parse: oneOf(['refuse', 'example'] as const),
  },
  /** Stores nothing, and admits every caller, unknown ids and paths without that of the server. */
  stateless: toggle(
    'store nothing; implies --auth any, --base-path optional, --unknown-ids example unless given',
  ),
  /** `cascade` (default) deletes what is below a deleted item, `refuse` keeps the item (409). */
  onDeleteParent: {
    value: 'MODE',
    default: 'cascade',
    help: 'when an item with children is deleted: cascade deletes them too; refuse answers 409',
    parse: oneOf(parentDeletions),
  },
  /**
   * Reloads the document, its overlays, data, keys, plans, pins, behaviours, named items and
   * certificate when they change.
   */
  watch: toggle(
    'reload all files that were given, such as the document, data and keys, when they change',
  ),
  /** URLs that webhooks are sent to, each for all of them or as `NAME=URL` for one. */
  webhookUrl: {
    value: 'URL',
    many: true,
    default: '',
    help: 'send webhooks to this URL, or NAME=URL for one event; repeatable (see docs/webhooks.md)',
    parse: webhookUrls,
    show: withoutCredentials,
  },
  /** The secret that webhooks are signed with; a new one at each start unless given. */
  webhookSecret: {
    value: 'SECRET',
    help: 'secret that signs webhooks, such as whsec_...; by default a new one at each start',
    parse: text,
    secret: true,
  },
  /** Hosts besides this machine that webhooks may be sent to. */
  webhookHosts: {
    value: 'NAMES',
    default: '',
    help: 'hosts other than this machine that webhooks may be sent to, separated by commas',
    parse: splitList,
  },
  /** Speaks HTTPS only, with a certificate that an authority kept for the user issues. */
  tls: toggle(
    'serve only HTTPS, with a certificate for localhost from a local authority, created on first use',
  ),
  /** A certificate chain as a PEM file; the twin then speaks HTTPS only, and needs `tlsKey`. */
  tlsCert: {
    value: 'FILE',
    help: 'certificate chain, as PEM; with --tls-key, the port serves only HTTPS',
    parse: text,
  },
  /** The private key of the certificate, as a PEM file without a passphrase. */
  tlsKey: { value: 'FILE', help: 'private key of the certificate, as PEM', parse: text },
  /** Whether web pages of other origins may call the API (true). */
  cors: {
    value: 'on|off',
    default: 'on',
    help: 'let web pages of other origins call the API',
    parse: parseSwitch,
  },
  /** Whether magic ids and names ask for errors (true). */
  magicValues: {
    value: 'on|off',
    default: 'on',
    help: 'let magic ids and names trigger errors (see docs/control.md)',
    parse: parseSwitch,
  },
  /** How many requests the journal of each sandbox retains (1000); 0 for none. */
  journalEntries: {
    value: 'N',
    default: '1000',
    help: 'maximum number of recorded requests in each sandbox; 0 for none',
    parse: parseWhole(0, 100_000),
  },
  /** The level of the log on standard error; `createTwin` logs errors by default. */
  logLevel: {
    value: 'LEVEL',
    default: 'info',
    help: `${logLevels.join(', ')}; debug shows each request`,
    parse: oneOf(logLevels),
  },
  /** Logs each request with its answer as a line of JSON, at the level `info`. */
  logTransaction: toggle('log each request and response as a line of JSON, without keys'),
  /** Prints the address and no banner. */
  disableBanner: { ...toggle('print only the address'), commandOnly: true },
} satisfies OptionTable;

type Table = typeof settings;

/** Every setting of the mock, parsed. */
export type Config = OptionsOf<Table>;

/** A list may also be one text, separated by commas. */
type GivenValue<Value> = Value extends readonly unknown[] ? readonly string[] | string : Value;

/** The settings that code may give, each optional. */
export type GivenSettings = {
  [Name in keyof Table as Table[Name] extends { commandOnly: true } ? never : Name]?: GivenValue<
    ReturnType<Table[Name]['parse']>
  >;
};

/** A setting with its name in code, its flag and its environment variable. */
export type ListedSetting = Option & { name: string; flag: string; variable: string };

/** Every setting, in the order of the help. */
export const settingList: readonly ListedSetting[] = Object.entries(settings).map(
  ([name, setting]) => {
    const flag = toFlag(name);
    return { ...setting, name, flag, variable: toVariable(flag) };
  },
);
