import {
  choice,
  list,
  onUnless,
  pages,
  parseWhole,
  text,
  toggle,
  wholeNumber,
} from '../../common/cli/option-kinds.ts';
import {
  type OptionsOf,
  type OptionTable,
  type ReadOptions,
  readTable,
} from '../../common/cli/read-options.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { type Format, formats } from '../report/files.ts';
import type { GivenKey } from '../traffic/key-book.ts';

/** Options that select the targets. */
export const targetOptions = {
  target: text({
    value: 'URL',
    help: 'deployment to verify, including /v1; production and staging use BASE_URL and STAGING_BASE_URL',
  }),
  key: keyOption('API key that only this run uses'),
  noKey: toggle('send no key, as the target runs without the security that it describes'),
  header: list(
    {
      value: 'HEADER',
      help: "send this header with every call, e.g. 'X-Tenant: t1'; repeatable",
    },
    parseHeader,
  ),
  mockUrl: text({
    value: 'URL',
    help: 'use a mock that is already running instead of starting one',
  }),
  mock: onUnless('verify only the target'),
} satisfies OptionTable;

/** The document that a command reads. */
export const documentOptions = {
  /**
   * An OpenAPI or Swagger document, as a file or its URL; the Pet Store Service's own unless given.
   */
  spec: text({
    value: 'FILE',
    help: 'OpenAPI or Swagger document, a file or its URL (default: the built-in one)',
  }),
  /** Files of OpenAPI Overlays that correct the document, in this order, separated by commas. */
  overlay: text({
    value: 'FILE',
    help: 'OpenAPI Overlay that corrects the document; several, separated by commas',
  }),
  /** Folders that `$ref`s of the document may lead to beside its own, separated by commas. */
  allowRefs: text({
    value: 'DIR',
    help: "another folder that the document's $refs may reach; several, separated by commas",
  }),
  /** Refuses a document with a part that cannot be used, instead of leaving that part out. */
  strictSpec: {
    ...toggle('refuse a document with an invalid part instead of ignoring that part'),
  },
} satisfies OptionTable;

/**
 * How it is verified: by the command, and by `verify` in code. A name here is that in code, its
 * type follows from its kind, and editors show the comments to users of the package.
 */
export const runOptions = {
  ...documentOptions,
  /**
   * The profile that `calibrate` wrote: reports profile drift, and a twin that is
   * started for the run is pinned.
   */
  pins: text({
    value: 'FILE',
    help: 'profile of the target that calibrate wrote; reports profile drift',
  }),
  /** The seed of the generated requests (1). */
  seed: wholeNumber({
    value: 'N',
    help: 'seed of the generated requests',
    min: 0,
    default: 1,
  }),
  /** Only these operations, checks or sections of the interface (`§8`). */
  only: list({
    value: 'NAME',
    help: 'run only the cases of this operation, or judge only this check or §; repeatable',
  }),
  /** All but these operations, checks or sections of the interface (`§8`). */
  skip: list({
    value: 'NAME',
    help: 'run all cases but those of this operation, or judge all but this check or §; repeatable',
  }),
  /** Creates nothing, not even on loopback. */
  readOnly: toggle('create nothing'),
  /** Creates items on a target beyond loopback, and on any target of another document. */
  allowWrites: {
    ...toggle(
      'create items on a target beyond loopback, and with --spec on any; changes and deletes only these',
    ),
    opposite: 'read-only',
  },
  /** Operations that may be called whatever they change, at your own risk. */
  call: list({
    value: 'OPERATION',
    help: 'call this operation whatever it changes, at your own risk; repeatable',
  }),
  /** Items of the target below which the run may create others, such as `/projects/7`. */
  parent: list(
    {
      value: 'PATH',
      help: 'create items below this one of the target, e.g. /projects/7, which stays as it is; repeatable',
    },
    parseParent,
  ),
  /** A YAML or JSON file of calls that are made first, such as creates, and undone at the end. */
  setup: text({
    value: 'FILE',
    help: 'make the calls of this YAML or JSON file first, and undo them at the end (see docs/verify.md)',
  }),
  /** Uses up a key's limit: on loopback unless `false`, beyond it only if `true`. */
  probeLimits: choice(
    "exhaust a key's limit on a target beyond loopback",
    'never exhaust a limit, not even on loopback',
  ),
  /** The maximum wait for a limit to reset, in milliseconds (5000). */
  wait: wholeNumber({
    value: 'SECONDS',
    help: 'maximum wait for a limit to reset',
    min: 0,
    default: 5,
    unit: 'seconds',
  }),
  /** The maximum wait for a complete response, in milliseconds (5000). */
  timeout: wholeNumber({
    value: 'MS',
    help: 'maximum wait for a complete response',
    min: 1,
    default: 5000,
    unit: 'milliseconds',
  }),
  /** The maximum number of requests to a target (900, or 10 for each operation if that is more). */
  maxRequests: {
    value: 'N',
    help: 'maximum number of requests to a target (default 900, or 10 for each operation)',
    parse: parseWhole(1),
  },
  /** The maximum number of parallel requests (8). */
  concurrency: wholeNumber({
    value: 'N',
    help: 'maximum number of parallel requests',
    min: 1,
    default: 8,
  }),
  /** Sends unexpected inputs, too, and reduces each failure to the calls that it takes. */
  fuzz: toggle('send unexpected inputs, too, and reduce each failure to the calls it takes'),
  /** How long such inputs are sent, in milliseconds (60,000). */
  fuzzTime: {
    value: 'SECONDS',
    help: 'how long --fuzz sends inputs (default 60)',
    parse: (given: string) => parseWhole(1, 86_400, 'seconds')(given) * 1000,
    parseInCode: parseWhole(1, 86_400_000, 'milliseconds'),
  },
  /** A port of loopback, 0 for a free one, on which webhooks and callbacks are received and judged. */
  webhooks: text({
    value: 'PORT',
    help: 'listen on this port of loopback, and judge the webhooks and callbacks that arrive',
  }),
  /** The URL at which a target reaches that port; `http://127.0.0.1:PORT` unless given. */
  webhooksUrl: text({ value: 'URL', help: 'where the target reaches that port, such as a tunnel' }),
  /** The secret that signs webhooks (Standard Webhooks), which are then held against it. */
  webhookSecret: text({
    value: 'SECRET',
    help: 'secret that signs webhooks (Standard Webhooks), as whsec_...',
  }),
  /** Fails the run for findings that break an RFC, too: the verdict is `drift`. */
  strict: toggle('violated RFCs, profile drift and undocumented statuses fail the run too'),
  /**
   * The published reference of the document, for links from findings. A folder that `petstore-twin
   * docs` wrote, or `/__docs/` of a twin.
   */
  docs: pages({
    value: 'URL',
    help: 'where the reference is published, for links',
  }),
} satisfies OptionTable;

const fileOptions = Object.fromEntries(
  Object.entries(formats).map(([format, { as }]) => [
    format,
    text({ value: 'FILE', help: `write the report as ${as}`, prints: true }),
  ]),
) as Record<Format, ReturnType<typeof text>>;

/** Options for the files of a report. */
export const outputOptions = {
  ...fileOptions,
  github: {
    ...toggle('write annotations for GitHub Actions and a summary of the step'),
    prints: true,
  },
  quiet: toggle('print no report'),
} satisfies OptionTable;

/** Options for the content and the files of a report. */
export const reportOptions = {
  baseline: text({
    value: 'FILE',
    help: 'known findings, as JSON, which do not fail the run (see docs/verify.md)',
  }),
  ...outputOptions,
  har: text({
    value: 'FILE',
    help: 'record every exchange as an HTTP Archive (HAR), without keys',
  }),
  learn: text({
    value: 'FILE',
    help: 'record as --har does, for petstore-twin learn',
  }),
  redact: list({
    value: 'NAME',
    help: 'hide this header, parameter or JSON member in the HAR too; repeatable',
  }),
} satisfies OptionTable;

/** How traffic is judged, besides what it shares with a run. */
export const trafficOptions = {
  strict: toggle('violated RFCs and undocumented statuses fail the run too'),
  docs: pages({
    value: 'URL',
    help: 'where the reference is published, for links in reports',
  }),
  failOnIncomplete: toggle('exit with 2 if some exchanges could not be judged'),
  failOnUnobserved: toggle('exit with 2 if some clauses were not exercised'),
} satisfies OptionTable;

/** Every option of the command, in the order of the help. */
export const options = {
  ...targetOptions,
  ...runOptions,
  failOnIncomplete: toggle('exit with 2 if some cases could not be tried'),
  ...reportOptions,
  saveOverlay: text({
    value: 'FILE',
    help: 'write what refusals taught about bodies as an OpenAPI Overlay, for --overlay of the next run',
  }),
  plan: toggle('list the calls that a run would make, and send none to the target'),
  listClauses: toggle('list each clause with its check, and run nothing'),
} satisfies OptionTable;

/** How the command line is read. */
export const reading = { example: '--target URL or --key KEY' } satisfies ReadOptions;

/** The command's options, parsed; files and the document are read later. */
export type Options = OptionsOf<typeof options>;

function parseParent(given: string): string {
  if (/^(?:\/[^/?#{}]+){2,}$/.test(given)) return given;
  throw new Error('the path of an item below the base URL, such as /projects/7');
}

/** How to verify, parsed. */
export type RunOptions = OptionsOf<typeof runOptions>;

/** How to verify as code gives it, each option optional; a time is in milliseconds. */
export type GivenRunOptions = Partial<RunOptions>;

/**
 * Reads how to verify as code gives it; an option that is left out has its default. `others` are
 * what else code may give. Throws {@link UsageError}.
 */
export function readRunOptions(given: GivenRunOptions, others: readonly string[] = []): RunOptions {
  const names = Object.keys(runOptions);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      `There is no option "${unknown}". Options are ${[...others, ...names].join(', ')}.`,
    );
  return readTable(runOptions, (name) => {
    const value = given[name as keyof GivenRunOptions];
    return value === undefined ? undefined : { value, source: name, isCode: true };
  });
}

/** Keys of a target, each with its plan, or the security scheme that it is for, where it is given. */
export function keyOption(what: string) {
  const help = `${what}, with its plan or security scheme, e.g. pro=K, basicAuth=user:password or 'token=Token K'; repeatable`;
  return list({ value: '[NAME=]KEY', help }, parseKey);
}

function parseKey(given: string): GivenKey {
  const [, name, secret] = /^([a-z][\w.-]*)=([^=].*)$/i.exec(given) ?? [];
  const key = secret ?? given;
  if (key === '' || /[^\x20-\x7e]/.test(key) || (name === undefined && key.includes(' ')))
    throw new UsageError('A --key must be printable ASCII, as KEY without spaces or as NAME=KEY.');
  return name === undefined ? { secret: key } : { plan: name.toLowerCase(), secret: key };
}

function parseHeader(given: string): readonly [name: string, value: string] {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\x20-\x7e]*)$/.exec(given) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError("A --header must be a name and a value, such as 'X-Tenant: t1'.");
  return [name, value];
}
