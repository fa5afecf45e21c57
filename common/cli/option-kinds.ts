import { UsageError } from './usage-error.ts';

/** The value of an option on a command line; that of a switch `--no-...` is false. */
export type GivenOption = string | boolean | readonly string[] | undefined;

/** An option: what it is called in the help, and how its value is read. */
export type Option<Value = unknown> = {
  /** The placeholder of the value in the help; an option without one is a switch. */
  value?: string;
  /** Whether it may be given several times. */
  many?: true;
  /** Its one letter on the command line. */
  short?: string;
  help?: string;
  /** The help of the opposite switch, `--no-...`, if there is one. */
  negativeHelp?: string;
  /** Whether it writes a report to standard output, for the value `-` if it takes one. */
  prints?: true;
  /** The flag that it contradicts. */
  opposite?: string;
  /** Reads it from the command line. Throws {@link UsageError}. */
  parse: (given: GivenOption, flag: string) => Value;
  /** Reads it from code, where an option that is left out is undefined. Throws {@link UsageError}. */
  check: (given: unknown, name: string) => Value;
};

type Described = { value: string; help: string; prints?: true };

/** A switch, off unless given. */
export function toggle(help: string): Option<boolean> {
  return { help, parse: (given) => given === true, check: checkSwitch(false) };
}

/** A switch that is left to the target unless `--...` or `--no-...` is given. */
export function choice(help: string, negativeHelp: string): Option<boolean | undefined> {
  return {
    help,
    negativeHelp,
    parse: (given) => (typeof given === 'boolean' ? given : undefined),
    check: checkSwitch(undefined),
  };
}

/** A switch that is on, and has a `--no-...` alone. */
export function onUnless(negativeHelp: string): Option<boolean> {
  return { negativeHelp, parse: (given) => given !== false, check: checkSwitch(true) };
}

/** A text, such as the name of a file. */
export function text(described: Described): Option<string | undefined> {
  return {
    ...described,
    parse: (given) => given as string | undefined,
    check: (given, name) => {
      if (given === undefined || typeof given === 'string') return given;
      throw new UsageError(`${name} must be a string, but is ${shown(given)}.`);
    },
  };
}

/** The address of published pages, to which reports lead. */
export function pages(described: Described): Option<string | undefined> {
  const { check, ...kind } = text(described);
  return {
    ...kind,
    parse: (given, flag) =>
      given === undefined ? undefined : parsePagesUrl(String(given), `--${flag}`),
    check: (given, name) => {
      const url = check(given, name);
      return url === undefined ? undefined : parsePagesUrl(url, name);
    },
  };
}

/** Creates an option that may be given several times; each value is parsed. */
export function list<Item = string>(
  described: Described,
  parseItem = (item: string) => item as Item,
): Option<readonly Item[]> {
  return {
    ...described,
    many: true,
    parse: (given) => ((given ?? []) as readonly string[]).map(parseItem),
    check: (given = [], name) => {
      const isList = Array.isArray(given) && given.every((item) => typeof item === 'string');
      if (isList) return given.map(parseItem);
      throw new UsageError(`${name} must be a list of strings, but is ${shown(given)}.`);
    },
  };
}

/** A whole number. A time is given in its unit on the command line, and in milliseconds in code. */
export function wholeNumber({
  help,
  min,
  default: defaultValue,
  unit,
  ...described
}: Described & {
  min: number;
  default: number;
  unit?: 'seconds' | 'milliseconds';
}): Option<number> {
  const factor = unit === 'seconds' ? 1000 : 1;
  const expected = (of = unit) => `must be a whole number${of ? ` of ${of}` : ''} of at least`;
  return {
    ...described,
    help: `${help} (default ${defaultValue})`,
    parse: (given = String(defaultValue), flag) => {
      const number = Number(given);
      // A timer of Node waits no longer, and a longer one ends at once.
      const value = unit === undefined ? number : Math.min(number * factor, 2 ** 31 - 1);
      if (/^\d{1,9}$/.test(String(given)) && number >= min) return value;
      throw new UsageError(`--${flag} ${expected()} ${min}, but is "${given}". See --help.`);
    },
    check: (given = defaultValue * factor, name) => {
      if (Number.isSafeInteger(given) && Number(given) >= min) return Number(given);
      throw new UsageError(
        `${name} ${expected(unit && 'milliseconds')} ${min}, but is ${shown(given)}.`,
      );
    },
  };
}

function checkSwitch<Default extends boolean | undefined>(defaultValue: Default) {
  return (given: unknown = defaultValue, name: string): boolean | Default => {
    if (given === undefined) return defaultValue;
    if (typeof given === 'boolean') return given;
    throw new UsageError(`${name} must be true or false, but is ${shown(given)}.`);
  };
}

function shown(given: unknown): string {
  return typeof given === 'string' ? `"${given.slice(0, 80)}"` : String(given).slice(0, 80);
}

/**
 * The address of published pages, as links to them begin: a folder, with a slash at its end, or an
 * HTML page. `name` is what a person calls it. Throws {@link UsageError}, which repeats nothing that
 * may be a secret.
 */
function parsePagesUrl(text: string, name: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(
      `${name} must be an http or https URL, such as https://docs.example.com/petstore/.`,
    );
  if (url.username || url.password || url.search || url.hash)
    throw new UsageError(`${name} must have no user name, password, query or fragment.`);
  const folder = `${url.origin}${url.pathname}`;
  return /\/$|\.html?$/.test(folder) ? folder : `${folder}/`;
}
