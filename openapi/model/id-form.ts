import { isText } from '../../common/json.ts';
import { Pattern } from '../../common/pattern.ts';
import { textOf } from '../../common/text-of.ts';
import { ownExamplesOf, type Schema } from '../schema.ts';

/**
 * How the service makes the text of an id out of a number, and reads the number of one; NaN of a
 * text of another form.
 */
export type IdForm = { toText: (n: number) => string; toNumber: (id: string) => number };

const uuidForm: IdForm = {
  toText: (n) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`,
  toNumber: (id) => Number.parseInt(id.slice(-12), 16),
};

/** A ULID: a time, and random digits that count (https://github.com/ulid/spec). */
const ulidForm = () => paddedForm('01', '0123456789ABCDEFGHJKMNPQRSTVWXYZ', 24);

const decimalForm: IdForm = { toText: String, toNumber: Number };

/** The forms of ids that are addresses, by their formats. */
const addressForms: Readonly<Record<string, IdForm>> = {
  email: aroundNumber('user-', '@example.com'),
  hostname: aroundNumber('host-', '.example.com'),
  ipv4: {
    toText: (n) => [10, n >> 16, n >> 8, n].map((part) => part & 255).join('.'),
    toNumber: (id) =>
      id
        .split('.')
        .slice(1)
        .reduce((n, part) => n * 256 + Number(part), 0),
  },
};

function aroundNumber(start: string, end: string): IdForm {
  return {
    toText: (n) => start + n + end,
    toNumber: (id) =>
      id.startsWith(start) && id.endsWith(end)
        ? Number(id.slice(start.length, -end.length))
        : Number.NaN,
  };
}

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Formats of values that are no ids. */
const otherFormats = new Set(
  (
    'date time date-time duration idn-email uri url iri uri-reference ipv6 binary byte float ' +
    'double decimal'
  ).split(' '),
);

/** Whether a schema describes something that no id is, such as a date. */
export function isNoId({ format }: Schema): boolean {
  return otherFormats.has(textOf(format));
}

/**
 * Returns the segments at the end of an item's path that its ids repeat, such as `shelves`, `{shelf}`,
 * `books` and `{book}` of `shelves/1/books/2`; undefined where an id is the last one alone.
 */
export function repeatedIn(itemPath: string, idSchema: Schema): string[] | undefined {
  const shown = idFormOfText(idSchema)?.toText(1).split('/') ?? [];
  const end = itemPath.split('/').slice(-shown.length);
  const isAlike = (one: string, index: number) => /^\{[^{}]*\}$/.test(one) || one === shown[index];
  return shown.length > 1 && end.length === shown.length && end.every(isAlike) ? end : undefined;
}

/** Numbers whose ids must fit: the first, a usual one, and the last of four digits, as codes often have. */
const tried = [1, 120, 9_999];

/** The form of the ids that a schema of texts describes; undefined where none of the known fits. */
export function idFormOfText(schema: Schema): IdForm | undefined {
  const { format, pattern } = schema;
  if (format === 'uuid' || format === 'guid') return uuidForm;
  if (format === 'ulid') return ulidForm();
  if (typeof format === 'string' && format in addressForms) return addressForms[format];
  if (isNoId(schema)) return undefined;
  const shown = ownExamplesOf(schema)
    .filter(isText)
    .filter((one) => one !== '');
  const forms = [
    ...shown.map(formOfExample),
    ...(typeof pattern === 'string' ? formsOfPattern(pattern) : []),
    decimalForm,
    paddedForm('', '0123456789', Number(schema.minLength ?? 0)),
    uuidForm,
  ];
  return forms.find((form) => form !== undefined && fits(form, schema));
}

function fits(form: IdForm, { pattern, minLength = 0, maxLength = Infinity }: Schema): boolean {
  try {
    const expression = typeof pattern === 'string' ? new Pattern(pattern) : undefined;
    return tried.every((n) => {
      const id = form.toText(n);
      const { length } = id;
      const isRead = form.toNumber(id) === n;
      const isWithin = length >= Number(minLength) && length <= Number(maxLength);
      return isRead && isWithin && (expression?.test(id) ?? true);
    });
  } catch {
    return false;
  }
}

/** Numbers written with the digits of an alphabet, at least `length` of them, behind a prefix. */
function paddedForm(prefix: string, alphabet: string, length: number): IdForm {
  const base = alphabet.length;
  const zero = alphabet[0] as string;
  return {
    toText(n) {
      let digits = '';
      for (let left = n; left > 0; left = Math.floor(left / base))
        digits = (alphabet[left % base] as string) + digits;
      return prefix + digits.padStart(length, zero);
    },
    toNumber(id) {
      if (!id.startsWith(prefix)) return Number.NaN;
      let n = 0;
      for (const digit of id.slice(prefix.length)) {
        const value = alphabet.indexOf(digit);
        if (value < 0) return Number.NaN;
        n = n * base + value;
      }
      return n;
    },
  };
}

/** The form that an example shows: `cus_9s6XKzkNRiz8i3`, `ORD-0042`, `my-first-post`. */
function formOfExample(example: string): IdForm | undefined {
  if (uuid.test(example)) return uuidForm;
  const [, prefix = '', body = ''] =
    /^(.*[^A-Za-z0-9]|[A-Za-z]+(?=\d+$)|)([A-Za-z0-9]+)$/.exec(example) ?? [];
  if (body === '') return undefined;
  if (/^\d+$/.test(body))
    return paddedForm(prefix, '0123456789', body.startsWith('0') ? body.length : 0);
  // Words have no digits: of these, the example itself goes before the number.
  if (!/\d/.test(body)) return paddedForm(`${example}-`, '0123456789', 0);
  if (/^[0-9a-f]+$/.test(body)) return paddedForm(prefix, '0123456789abcdef', body.length);
  if (/^[0-9A-F]+$/.test(body)) return paddedForm(prefix, '0123456789ABCDEF', body.length);
  return paddedForm(prefix, '0123456789', body.length);
}

/** A part of a pattern: the characters that may stand there, and how many at least. */
type PatternPart = { alphabet: string; min: number };

/** Ids with more of a character than this are not made. */
const maxRepeated = 256;

/**
 * The forms of a pattern that is a row of characters and classes: the last of these counts, or all of
 * them do, each as often as it must be there.
 */
function formsOfPattern(pattern: string): IdForm[] {
  const parts = readPattern(pattern.replace(/^\^/, '').replace(/\$$/, ''));
  const last = parts?.at(-1);
  if (!parts || !last || parts.some(({ min }) => min > maxRepeated)) return [];
  const prefix = parts
    .slice(0, -1)
    .map(({ alphabet, min }) => (alphabet[0] as string).repeat(min))
    .join('');
  const places = parts.flatMap(({ alphabet, min }) => Array<string>(min).fill(alphabet));
  const ofLast = last.alphabet.length < 2 ? [] : [paddedForm(prefix, last.alphabet, last.min)];
  return [...ofLast, spreadForm(places)];
}

/** Numbers over some places, each with an alphabet of its own. */
function spreadForm(places: readonly string[]): IdForm {
  return {
    toText(n) {
      let left = n;
      return places.reduceRight((text, alphabet) => {
        const sign = alphabet[left % alphabet.length] as string;
        left = Math.floor(left / alphabet.length);
        return sign + text;
      }, '');
    },
    toNumber(id) {
      const values = places.map((alphabet, at) => alphabet.indexOf(id[at] ?? ''));
      if (id.length !== places.length || values.includes(-1)) return Number.NaN;
      return values.reduce((n, value, at) => n * (places[at] as string).length + value, 0);
    },
  };
}

function readPattern(pattern: string): PatternPart[] | undefined {
  const parts: PatternPart[] = [];
  const part = /(\[[^\]^]+\]|\\.|[^\\[\](){}|.*+?^$])(?:\{(\d+)(?:,\d*)?\}|([+*?]))?/y;
  while (part.lastIndex < pattern.length) {
    const [, set, from, sign] = part.exec(pattern) ?? [];
    if (set === undefined) return undefined;
    const alphabet = alphabetOf(set);
    if (alphabet === '') return undefined;
    const min = from === undefined ? Number(sign === undefined || sign === '+') : Number(from);
    parts.push({ alphabet, min });
  }
  return parts;
}

/** The characters of a class that ids are made of, digits first. */
function alphabetOf(set: string): string {
  const expression = new Pattern(`^${set}$`);
  return set.length === 1 ? set : [...characters].filter((one) => expression.test(one)).join('');
}

const characters = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_.:/+';

export function isNumber(schema: Schema = {}): boolean {
  return typesOf(schema).some((type) => type === 'integer' || type === 'number');
}

/** The types that a schema names, besides `null`. */
export function typesOf({ type }: Schema): string[] {
  return [type ?? []].flat().filter((one): one is string => one !== 'null');
}

/** Whether a property names an item for people, who may choose it. */
export function isNaturalKey(property: string): boolean {
  return !/(id|number)$/i.test(property);
}
