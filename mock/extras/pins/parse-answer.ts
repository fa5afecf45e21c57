import { type AnswerForm, isJsonType } from '../../answers/answer.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A pinned answer is not one that a silence can have; the message continues the answer's name. */
export class PinError extends Error {}

/** Reads a part of a pinned answer. Throws {@link PinError}. */
export type Parse<Value> = (value: unknown) => Value;

/** The forms that a refusal can have, for messages. */
const refusalForms = 'a status from 400 to 599 or an object with a status';

/** Reads one of some names. */
export function oneOf<Name extends string>(...names: readonly Name[]): Parse<Name> {
  return (value) => {
    if (names.includes(value as Name)) return value as Name;
    throw new PinError(`must be ${listed(names)}, but is ${shown(value)}`);
  };
}

/** Reads one of some names, or the form of an answer; `name` stands for the twin's own answer. */
export function oneOfOr<Name extends string>(
  names: readonly Name[],
  parse: Parse<AnswerForm> = parseRefusal,
): Parse<Name | AnswerForm> {
  return (value) => {
    if (names.includes(value as Name)) return value as Name;
    if (typeof value !== 'string') return parse(value);
    throw new PinError(
      `must be ${names.map((name) => `${name}, `).join('')}${refusalForms}, but is ${shown(value)}`,
    );
  };
}

/** Reads an error: its status, or its form. */
export function parseRefusal(value: unknown): AnswerForm {
  const form = parseForm(value, refusalForms);
  if (form.status === undefined || form.status < 400)
    throw new PinError(`must be ${refusalForms}, but is ${shown(value)}`);
  return form;
}

/** What says how the content is to be read follows from the content. */
const ownHeaders = [
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'trailer',
  'upgrade',
];

const formMembers: Readonly<Record<keyof AnswerForm, (value: unknown) => boolean>> = {
  status: isStatus,
  code: isText,
  message: isText,
  members: isObject,
  json: () => true,
  text: isText,
  mediaType: isHeaderValue,
  headers: (value) => isObject(value) && Object.entries(value).every(isHeader),
  without: (value) => Array.isArray(value) && value.every((name) => isHeaderName(name)),
};

/** Reads how an answer looks: its status alone, or any of its parts. */
export function parseForm(value: unknown, expected = 'a status or an object'): AnswerForm {
  if (isStatus(value)) return { status: value };
  const fields = asObject(value, expected);
  for (const [name, member] of Object.entries(fields)) {
    const isValid = Object.hasOwn(formMembers, name)
      ? formMembers[name as keyof AnswerForm]
      : undefined;
    if (!isValid)
      throw new PinError(
        `has an unknown member "${name}"; known are ${Object.keys(formMembers).join(', ')}`,
      );
    if (!isValid(member)) throw new PinError(`has a wrong "${name}": ${shown(member)}`);
  }
  const form = fields as AnswerForm;
  const { mediaType = 'application/json', text } = form;
  if (text === undefined && !isJsonType(mediaType))
    throw new PinError(`has the media type ${shown(mediaType)}, so it needs a "text"`);
  return form;
}

/** Reads an object of some members, each by its own parser; each may be left out. */
export function parts<Parts extends Readonly<Record<string, unknown>>>(
  parsers: {
    [Name in keyof Parts]: Parse<Parts[Name]>;
  },
): Parse<Partial<Parts>> {
  const names = Object.keys(parsers);
  return (value) => {
    const fields = asObject(value, `an object of ${names.join(', ')}`);
    const entries = Object.entries(fields).map(([name, member]) => {
      if (!Object.hasOwn(parsers, name))
        throw new PinError(`has an unknown member "${name}"; known are ${names.join(', ')}`);
      return [name, within(name, () => parsers[name as keyof Parts](member))] as const;
    });
    return Object.fromEntries(entries) as Partial<Parts>;
  };
}

/** Reads a list of some names. */
export function listOf<Name extends string>(...names: readonly Name[]): Parse<Name[]> {
  const parse = oneOf(...names);
  return (value) => {
    if (!Array.isArray(value)) throw new PinError(`must be a list of ${names.join(', ')}`);
    return value.map(parse);
  };
}

/** Reads a whole number that is not negative. */
export function parseCount(value: unknown): number {
  if (Number.isSafeInteger(value) && Number(value) >= 0) return Number(value);
  throw new PinError(`must be a whole number of at least 0, but is ${shown(value)}`);
}

/** Reads headers, with null for one that a response lacks. */
export function parseHeaders(value: unknown): Record<string, string | null> {
  const fields = asObject(value, 'an object of headers');
  for (const [name, header] of Object.entries(fields))
    if (!isHeaderName(name) || !(header === null || isHeaderValue(header)))
      throw new PinError(`has a header ${shown(name)} that cannot be sent`);
  return fields as Record<string, string | null>;
}

/** Reads an object of any members. */
export function asObject(value: unknown, expected = 'an object'): Fields {
  if (isObject(value)) return value;
  throw new PinError(`must be ${expected}, but is ${shown(value)}`);
}

/** Reads a member, and names it where it is wrong. */
export function within<Value>(name: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    throw error instanceof PinError ? new PinError(`"${name}" ${error.message}`) : error;
  }
}

function listed(names: readonly string[]): string {
  return names.length === 1 ? `${names[0]}` : `one of ${names.join(', ')}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value, (_, inner) =>
    typeof inner === 'bigint' ? String(inner) : inner,
  );
  return (text ?? 'missing').slice(0, 80);
}

/** Whether a value is a status of an answer that ends a call. */
export function isStatus(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isHeader([name, value]: [string, unknown]): boolean {
  return isHeaderName(name) && isHeaderValue(value);
}

function isHeaderName(name: unknown): name is string {
  const isName = typeof name === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(name);
  return isName && !ownHeaders.includes(name.toLowerCase());
}

function isHeaderValue(value: unknown): boolean {
  return typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}
