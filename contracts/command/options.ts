import { UsageError } from '../usage-error.ts';
import { choice, list, type Option, onUnless, text, toggle, wholeNumber } from './option-kinds.ts';

/** What is verified. */
const targetOptions = {
  target: text({
    value: 'URL',
    help: 'deployment to verify, up to and with /v1; production and staging take BASE_URL and STAGING_BASE_URL',
  }),
  key: list(
    {
      value: '[PLAN=]KEY',
      help: 'API key that nobody else uses meanwhile, with its plan where known; give several',
    },
    parseKey,
  ),
  mockUrl: text({ value: 'URL', help: 'a twin that runs already, instead of starting one' }),
  mock: onUnless('verify the target alone'),
} satisfies Record<string, Option>;

/**
 * How it is verified: by the command, and by `verify` in code. A name here is that in code, its
 * type follows from its kind, and editors show the comments to users of the package.
 */
export const runOptions = {
  /** An OpenAPI 3.1 document; the Pet Store Service's own unless given. */
  spec: text({
    value: 'FILE',
    help: 'OpenAPI 3.1 document (default: the built-in one)',
    isOfTwin: true,
  }),
  /** The same seed makes the same requests (1). */
  seed: wholeNumber({
    value: 'N',
    help: 'same seed, same plan',
    min: 0,
    default: 1,
    isOfTwin: true,
  }),
  /** Only these operations, checks or sections of the interface (`§8`). */
  only: list({
    value: 'NAME',
    help: 'the cases of this operation only (keys and limits are tried with others too), or this check or § only',
  }),
  /** All but these operations, checks or sections of the interface (`§8`). */
  skip: list({
    value: 'NAME',
    help: 'send to all but this operation, or judge by all but this check or §',
  }),
  /** Creates nothing, not even on loopback. */
  readOnly: toggle('create nothing'),
  /** Creates animals on a target beyond loopback, too. */
  allowWrites: toggle('create animals on a target beyond loopback'),
  /** Uses up a key's limit: on loopback unless `false`, beyond it only if `true`. */
  probeLimits: choice(
    "use up a key's limit on a target beyond loopback",
    'use up no limit, on loopback neither',
  ),
  /** The longest wait for a limit to reset, in milliseconds (5000). */
  wait: wholeNumber({
    value: 'SECONDS',
    help: 'longest wait for a limit to reset',
    min: 0,
    default: 5,
    unit: 'seconds',
  }),
  /** The longest wait for an answer, in milliseconds (5000). */
  timeout: wholeNumber({
    value: 'MS',
    help: 'longest wait for an answer',
    min: 1,
    default: 5000,
    unit: 'milliseconds',
  }),
  /** The maximum of requests to a target (900). */
  maxRequests: wholeNumber({
    value: 'N',
    help: 'most requests to a target',
    min: 1,
    default: 900,
  }),
  /** The maximum of requests at the same time (8). */
  concurrency: wholeNumber({ value: 'N', help: 'requests side by side', min: 1, default: 8 }),
  /** Fails the run for what breaks an RFC, too: the verdict is `drift`. */
  strict: toggle('what breaks an RFC fails the run too'),
} satisfies Record<string, Option>;

/** What is reported, and how the command ends. */
const reportOptions = {
  failOnIncomplete: toggle('exit with 2 where not all of it could be tried'),
  baseline: text({ value: 'FILE', help: 'known findings, as JSON, that do not fail the run' }),
  json: text({ value: 'FILE', help: 'report as JSON' }),
  junit: text({ value: 'FILE', help: 'report as JUnit XML' }),
  html: text({ value: 'FILE', help: 'report as one HTML page' }),
  markdown: text({ value: 'FILE', help: 'report as Markdown, for a pull request' }),
  github: toggle('findings as GitHub annotations, and the report as the summary of the step'),
  quiet: toggle('no report in the terminal'),
  listClauses: toggle('show each clause and its check, and run nothing'),
  help: toggle('show this help'),
} satisfies Record<string, Option>;

/** Every option of the command, in the order of the help. */
export const options = { ...targetOptions, ...runOptions, ...reportOptions };

type Values<Table extends Record<string, Option>> = {
  [Name in keyof Table]: ReturnType<Table[Name]['parse']>;
};
type Unset<Value> = {
  [Name in keyof Value]: undefined extends Value[Name] ? Name : never;
}[keyof Value];
type Parsed<Value> = Omit<Value, Unset<Value>> & {
  [Name in keyof Pick<Value, Unset<Value>>]?: Exclude<Value[Name], undefined>;
};

/** The command's options, parsed; files and the document are read later. */
export type Options = Parsed<Values<typeof options>>;

/** How to verify, parsed. */
export type RunOptions = Parsed<Values<typeof runOptions>>;

/** How to verify as code gives it, each option optional; a time is in milliseconds. */
export type GivenRunOptions = Partial<RunOptions>;

/** The flag of an option. */
export function toFlag(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function parseKey(given: string): { plan?: string; secret: string } {
  const [, plan, secret] = /^([a-z][\w-]*)=([^=].*)$/i.exec(given) ?? [];
  const key = secret ?? given;
  if (key === '' || /[^\x21-\x7e]/.test(key))
    throw new UsageError('A --key must be printable ASCII without spaces, as KEY or PLAN=KEY.');
  return plan === undefined ? { secret: key } : { plan: plan.toLowerCase(), secret: key };
}
