import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import { UsageError } from '../usage-error.ts';

/** The command's settings, parsed; files and the document are read later. */
export type Options = {
  target?: string;
  keys: { plan?: string; secret: string }[];
  mockUrl?: string;
  mock: boolean;
  spec?: string;
  seed: number;
  only: string[];
  skip: string[];
  readOnly: boolean;
  allowWrites: boolean;
  probeLimits?: boolean;
  /** Milliseconds. */
  wait: number;
  timeout: number;
  maxRequests: number;
  concurrency: number;
  strict: boolean;
  failOnIncomplete: boolean;
  baseline?: string;
  json?: string;
  junit?: string;
  html?: string;
  markdown?: string;
  github: boolean;
  quiet: boolean;
  listClauses: boolean;
};

/** What holds unless something else is asked for. */
export const defaults = {
  seed: 1,
  wait: 5000,
  timeout: 5000,
  maxRequests: 900,
  concurrency: 8,
} as const;

/** The reports that go to a file, or to standard output for `-`. */
const reportFormats = ['json', 'junit', 'html', 'markdown'] as const;

type Flag = { value?: string; many?: true; help: string };

const flags: Record<string, Flag> = {
  target: {
    value: 'URL',
    help: 'deployment to verify, up to and with /v1; production and staging take BASE_URL and STAGING_BASE_URL',
  },
  key: {
    value: '[PLAN=]KEY',
    many: true,
    help: 'API key that nobody else uses meanwhile, with its plan where known; give several',
  },
  'mock-url': { value: 'URL', help: 'a twin that runs already, instead of starting one' },
  'no-mock': { help: 'verify the target alone' },
  spec: { value: 'FILE', help: 'OpenAPI 3.1 document (default: the built-in one)' },
  seed: { value: 'N', help: 'same seed, same plan (default 1)' },
  only: {
    value: 'NAME',
    many: true,
    help: 'the cases of this operation only (keys and limits are tried with others too), or this check or § only',
  },
  skip: {
    value: 'NAME',
    many: true,
    help: 'send to all but this operation, or judge by all but this check or §',
  },
  'read-only': { help: 'create nothing' },
  'allow-writes': { help: 'create animals on a target beyond loopback' },
  'probe-limits': { help: "use up a key's limit on a target beyond loopback" },
  'no-probe-limits': { help: 'use up no limit, on loopback neither' },
  wait: { value: 'SECONDS', help: 'longest wait for a limit to reset (default 5)' },
  timeout: { value: 'MS', help: 'longest wait for an answer (default 5000)' },
  'max-requests': { value: 'N', help: 'most requests to a target (default 900)' },
  concurrency: { value: 'N', help: 'requests side by side (default 8)' },
  strict: { help: 'what breaks an RFC fails the run too' },
  'fail-on-incomplete': { help: 'exit with 2 where not all of it could be tried' },
  baseline: { value: 'FILE', help: 'known findings, as JSON, that do not fail the run' },
  json: { value: 'FILE', help: 'report as JSON' },
  junit: { value: 'FILE', help: 'report as JUnit XML' },
  html: { value: 'FILE', help: 'report as one HTML page' },
  markdown: { value: 'FILE', help: 'report as Markdown, for a pull request' },
  github: { help: 'findings as GitHub annotations, and the report as the summary of the step' },
  quiet: { help: 'no report in the terminal' },
  'list-clauses': { help: 'show each clause and its check, and run nothing' },
  help: { help: 'show this help' },
};

/** What `--help` shows; `command` is what a person types before the options. */
export function toHelpText(command: string): string {
  return `petstore-twin verify: does a deployment keep the contract, and does the twin tell the truth about it?

Usage: ${command} [--target URL --key PLAN=KEY ...] [options]

Without --target the twin alone is verified. Options:
${Object.entries(flags)
  .map(
    ([name, { value, help }]) => `  ${`--${name}${value ? ` ${value}` : ''}`.padEnd(22)} ${help}`,
  )
  .join('\n')}

One report may go to standard output instead of a file, and then alone: its FILE is -${command.startsWith('npm') ? ' (npm run --silent)' : ''}.

Exit codes: 0 nothing that fails the run, 1 drift or unanswered calls, 2 could not run.

Examples:
  ${command.replace(/ --$/, '')}
  ${command} --target http://127.0.0.1:8080/v1 --key free=K1 --key free=K2 --key pro=K3
  ${command} --target staging --key K --read-only --html report.html
`;
}

/** The options that take a whole number: what it counts, and the least that it may be. */
const numbers = {
  seed: { unit: '', min: 0 },
  wait: { unit: 'seconds', min: 0 },
  timeout: { unit: 'milliseconds', min: 1 },
  'max-requests': { unit: '', min: 1 },
  concurrency: { unit: '', min: 1 },
} as const;

/** The options that share a name with a setting of the twin, which may be in the environment. */
const ofTwin = ['seed', 'spec'];

const opposites = [
  ['read-only', 'allow-writes'],
  ['probe-limits', 'no-probe-limits'],
] as const;

/**
 * Reads the command line. Throws {@link UsageError}; gives the help text where it was asked for.
 */
export function parseOptions(args: readonly string[]): Options | 'help' {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { value, many }]) => [
      name,
      {
        type: value ? ('string' as const) : ('boolean' as const),
        ...(many && { multiple: true }),
        ...(name === 'help' && { short: 'h' }),
      },
    ]),
  );
  let given: Record<string, string | boolean | string[] | undefined>;
  let tokens: { kind: string; name?: string; value?: string | boolean | undefined }[];
  try {
    const parsed = parseArgs({
      args: joinNegativeNumbers(args),
      options,
      strict: true,
      tokens: true,
    });
    given = parsed.values as typeof given;
    tokens = parsed.tokens;
  } catch (error) {
    // What stands alone may be a key, so it is not repeated.
    if ((error as NodeJS.ErrnoException).code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL')
      throw new UsageError(
        'An argument stands alone: name its option, such as --target URL or --key KEY. See --help.',
      );
    throw new UsageError(
      `${(error as Error).message.split(/\. (?=To )|\n/)[0]?.replace(/\.$/, '')}. See --help.`,
    );
  }
  if (given.help) return 'help';
  refuseRepeated(tokens);
  for (const [one, other] of opposites)
    if (given[one] && given[other])
      throw new UsageError(`--${one} and --${other} are opposites. Leave one of them out.`);
  const text = (name: string) =>
    typeof given[name] === 'string' ? { [toName(name)]: given[name] } : {};
  const number = (name: keyof typeof numbers, fallback: number) =>
    wholeNumber(name, given[name] as string | undefined, fallback);
  const [printed, other] = [
    ...reportFormats.filter((name) => given[name] === '-'),
    ...(given.github ? ['github'] : []),
  ];
  if (printed !== undefined && other !== undefined) {
    const shown = other === 'github' ? '--github' : `--${other} -`;
    throw new UsageError(
      `--${printed} - and ${shown} both write to standard output. Give --${printed} a file.`,
    );
  }
  const probe = given['probe-limits']
    ? { probeLimits: true }
    : given['no-probe-limits']
      ? { probeLimits: false }
      : {};
  return {
    ...text('target'),
    keys: ((given.key as string[] | undefined) ?? []).map(parseKey),
    ...text('mock-url'),
    mock: given['no-mock'] !== true,
    ...text('spec'),
    seed: number('seed', defaults.seed),
    only: (given.only as string[] | undefined) ?? [],
    skip: (given.skip as string[] | undefined) ?? [],
    readOnly: given['read-only'] === true,
    allowWrites: given['allow-writes'] === true,
    ...probe,
    wait: number('wait', defaults.wait / 1000) * 1000,
    timeout: number('timeout', defaults.timeout),
    maxRequests: number('max-requests', defaults.maxRequests),
    concurrency: number('concurrency', defaults.concurrency),
    strict: given.strict === true,
    failOnIncomplete: given['fail-on-incomplete'] === true,
    ...text('baseline'),
    ...text('json'),
    ...text('junit'),
    ...text('html'),
    ...text('markdown'),
    github: given.github === true,
    quiet: given.quiet === true,
    listClauses: given['list-clauses'] === true,
  };
}

/**
 * The base URL of a target: absolute, ending in the document's base path. Throws {@link
 * UsageError}.
 */
export function toBaseUrl(
  target: string,
  basePath: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const variable = { production: 'BASE_URL', staging: 'STAGING_BASE_URL' }[target];
  const given = variable ? env[variable] : target;
  if (variable && !given)
    throw new UsageError(
      `--target ${target} takes its address from ${variable}, which is not set.`,
    );
  let url: URL;
  try {
    url = new URL(given as string);
  } catch {
    throw new UsageError(`The target "${given}" is no URL. Give one like https://host${basePath}.`);
  }
  const path = url.pathname.replace(/\/+$/, '');
  if (url.username || url.password)
    throw new UsageError('The target must hold no user name or password. Give its key with --key.');
  if (!/^https?:$/.test(url.protocol) || url.search || url.hash || !path.endsWith(basePath))
    throw new UsageError(
      `The target "${url.origin}${url.pathname}" must be an http or https URL that ends in ${basePath}.`,
    );
  return `${url.origin}${path}`;
}

/** Whether an address is this machine's own. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    (isIP(hostname) === 4 && hostname.startsWith('127.'))
  );
}

function parseKey(given: string): { plan?: string; secret: string } {
  const [, plan, secret] = /^([a-z][\w-]*)=([^=].*)$/i.exec(given) ?? [];
  const key = secret ?? given;
  if (key === '' || /[^\x21-\x7e]/.test(key))
    throw new UsageError('A --key must be printable ASCII without spaces, as KEY or PLAN=KEY.');
  return plan === undefined ? { secret: key } : { plan: plan.toLowerCase(), secret: key };
}

/** Joins a negative number with its option, as `parseArgs` takes it for an option of its own. */
function joinNegativeNumbers(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const option = joined.at(-1) ?? '';
    const isValue = Object.keys(numbers).some((name) => option === `--${name}`);
    if (isValue && /^-\d/.test(arg)) joined.splice(-1, 1, `${option}=${arg}`);
    else joined.push(arg);
  }
  return joined;
}

/** Refuses a second value for an option that takes one, as the first would be ignored. */
function refuseRepeated(tokens: readonly { kind: string; name?: string }[]): void {
  const names = tokens.flatMap(({ kind, name = '' }) => (kind === 'option' ? [name] : []));
  const repeated = names.find((name, index) => {
    const { value, many } = flags[name] ?? {};
    return value !== undefined && !many && names.indexOf(name) < index;
  });
  if (repeated === 'target')
    throw new UsageError(
      '--target is given twice, and a run judges one deployment. Run verify once for each, with --json FILE, and compare the reports.',
    );
  if (repeated !== undefined)
    throw new UsageError(`--${repeated} is given twice. Leave one of them out.`);
}

/**
 * Refuses a variable that is named like an option, as verify reads none and it would be ignored.
 * Throws {@link UsageError}.
 */
export function refuseVariables(env: Readonly<Record<string, string | undefined>>): void {
  const names = Object.keys(flags).filter((name) => !ofTwin.includes(name));
  const option = names.find((name) => env[toVariable(name)] !== undefined);
  if (option !== undefined)
    throw new UsageError(
      `verify reads no variable ${toVariable(option)}. Give --${option} instead, or unset it.`,
    );
}

function toVariable(flag: string): string {
  return `TWIN_${flag.toUpperCase().replaceAll('-', '_')}`;
}

function wholeNumber(
  name: keyof typeof numbers,
  given: string | undefined,
  fallback: number,
): number {
  if (given === undefined) return fallback;
  const { unit, min } = numbers[name];
  if (!/^\d{1,9}$/.test(given) || Number(given) < min)
    throw new UsageError(
      `--${name} must be a whole number${unit && ` of ${unit}`} of at least ${min}, but is "${given}". See --help.`,
    );
  return Number(given);
}

function toName(flag: string): string {
  return flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
