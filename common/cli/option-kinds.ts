/** An option of a command, or a setting: what the help says of it, and how its value is read. */
export type Option<Value = unknown> = {
  /** The placeholder of the value in the help; an option without one is a switch. */
  value?: string;
  /** Whether it may be given several times; each text is read, to a list. */
  many?: true;
  /** Its one letter on the command line. */
  short?: string;
  /** The text that is read if it is not given; without one it has no value then. */
  default?: string;
  help?: string;
  /** The help of the opposite switch, `--no-...`, if there is one. */
  negativeHelp?: string;
  /** Whether it writes a report to standard output, for the value `-` if it takes one. */
  prints?: true;
  /** The flag that it contradicts. */
  opposite?: string;
  /** Never repeated in a message. */
  secret?: true;
  /** The value as messages repeat it, if it may hold a secret. */
  show?: (text: string) => string;
  /** Not for code. */
  commandOnly?: true;
  /** Reads a text. Throws an Error whose message continues "must be", or {@link UsageError}. */
  parse: (text: string) => Value;
  /** Reads what code gives, where its unit is another one. */
  parseInCode?: (text: string) => Value;
};

type ValueDescription = { value: string; help: string; prints?: true };

/** Parses a switch. */
export const parseSwitch: (given: string) => boolean = (given) => {
  if (['on', 'true', '1'].includes(given)) return true;
  if (['off', 'false', '0'].includes(given)) return false;
  throw new Error('on or off');
};

/** A switch, off unless given. */
export function toggle(help: string) {
  return { help, default: 'off', parse: parseSwitch };
}

/** A switch that is left to the target unless `--...` or `--no-...` is given. */
export function choice(help: string, negativeHelp: string) {
  return { help, negativeHelp, parse: parseSwitch };
}

/** A switch that is on, and has a `--no-...` alone. */
export function onUnless(negativeHelp: string) {
  return { negativeHelp, default: 'on', parse: parseSwitch };
}

/** A text, such as the name of a file. */
export function text(described: ValueDescription) {
  return { ...described, parse: String };
}

/** The address of published pages, to which reports lead. */
export function pages(described: ValueDescription) {
  return { ...described, secret: true as const, parse: parsePagesUrl };
}

/** Creates an option that may be given several times; each value is parsed. */
export function list<Item = string>(
  described: ValueDescription,
  parseItem = (item: string) => item as Item,
) {
  const parse = (item: string): readonly Item[] => [parseItem(item)];
  return { ...described, many: true as const, parse };
}

type Numbers = ValueDescription & {
  min: number;
  max?: number;
  default: number;
  unit?: 'seconds' | 'milliseconds';
};

/** A whole number. A time is given in its unit on the command line, and in milliseconds in code. */
export function wholeNumber({ min, max, unit, default: unset, ...described }: Numbers) {
  const factor = unit === 'seconds' ? 1000 : 1;
  const parse = parseWhole(min, max, unit);
  const inCode = parseWhole(min, max, 'milliseconds');
  // A timer of Node waits no longer, and a longer one ends at once.
  const atMost = (milliseconds: number) => Math.min(milliseconds, 2 ** 31 - 1);
  return {
    ...described,
    default: String(unset),
    parse: (given: string) => (unit ? atMost(parse(given) * factor) : parse(given)),
    ...(unit === 'seconds' && { parseInCode: (given: string) => atMost(inCode(given)) }),
  };
}

/** Creates the parser of a whole number within bounds. */
export function parseWhole(min: number, max?: number, unit?: string) {
  const bounds = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
  return (given: string): number => {
    const number = Number(given);
    const isWithin = number >= min && number <= (max ?? Number.MAX_SAFE_INTEGER);
    if (/^\d+$/.test(given) && isWithin) return number;
    throw new Error(`a whole number ${unit ? `of ${unit} ` : ''}${bounds}`);
  };
}

/**
 * The address of published pages, as links to them begin: a folder, with a slash at its end, or an
 * HTML page.
 */
function parsePagesUrl(given: string): string {
  const url = URL.parse(given);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Error('an http or https URL, such as https://docs.example.com/petstore/');
  if (url.username || url.password || url.search || url.hash)
    throw new Error('a URL without a user name, password, query or fragment');
  const folder = `${url.origin}${url.pathname}`;
  return /\/$|\.html?$/.test(folder) ? folder : `${folder}/`;
}
