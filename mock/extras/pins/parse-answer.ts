import { type Fields, isObject } from '../../../common/json.ts';
import { type AnswerForm, isJsonType } from '../../answers/answer.ts';
import { errorTable } from '../../answers/errors.ts';
import { type BanPolicy, PolicyError, toBan } from '../../limits/plans.ts';

/** A pinned answer is not one that a silence can have. */
export class PinError extends Error {}

/** Reads a pinned answer or a part of it. Throws {@link PinError}. */
export type Parse<Value> = (value: unknown) => Value;

/** Creates a parser from a test of values. */
function only<Value>(is: (value: unknown) => boolean): Parse<Value> {
  return (value) => {
    if (is(value)) return value as Value;
    throw new PinError();
  };
}

/** Reads one of some names. */
export function oneOf<Name extends string>(...names: readonly Name[]): Parse<Name> {
  return only((value) => names.includes(value as Name));
}

/** Reads one of some names, or else what a parser reads. */
export function oneOfOr<const Name extends string, Value>(
  names: readonly Name[],
  parse: Parse<Value>,
): Parse<Name | Value> {
  return (value) => (names.includes(value as Name) ? (value as Name) : parse(value));
}

export const asObject = only<Fields>(isObject);
export const parseText = only<string>((value) => isText(value) && value !== '');
export const parseCount = only<number>(
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
);
export const parseHeader = only<string>(isHeaderValue);

/** Reads headers, with null for one that a response lacks. */
export const parseHeaders = only<Record<string, string | null>>(
  (value) =>
    isObject(value) &&
    Object.entries(value).every(
      ([name, text]) => isHeaderName(name) && (text === null || isHeaderValue(text)),
    ),
);

/** Reads an object of some members, each by its own parser; each may be left out. */
export function parts<Parts extends object>(
  parsers: {
    [Name in keyof Parts]: Parse<Parts[Name]>;
  },
): Parse<Partial<Parts>> {
  return (value) => {
    const entries = Object.entries(asObject(value)).map(([name, member]) => {
      if (!Object.hasOwn(parsers, name)) throw new PinError();
      return [name, parsers[name as keyof Parts](member)] as const;
    });
    return Object.fromEntries(entries) as Partial<Parts>;
  };
}

/** Reads an object of some members, none of which may be left out. */
export function whole<Parts extends object>(
  parsers: {
    [Name in keyof Parts]: Parse<Parts[Name]>;
  },
): Parse<Parts> {
  return (value) => {
    const read = parts<Parts>(parsers)(value);
    if (Object.keys(read).length < Object.keys(parsers).length) throw new PinError();
    return read as Parts;
  };
}

/** Reads an answer for each of some names, or one for all of them. */
export function eachOrAll<Name extends string, Value>(
  names: readonly Name[],
  parse: Parse<Value>,
): Parse<Partial<Record<Name, Value>>> {
  const toAll = <One>(one: One) =>
    Object.fromEntries(names.map((name) => [name, one])) as Record<Name, One>;
  return (value) => {
    const isEach = isObject(value) && !Object.hasOwn(value, 'status');
    return isEach ? parts<Record<Name, Value>>(toAll(parse))(value) : toAll(parse(value));
  };
}

const formMembers: Readonly<Record<keyof AnswerForm, (value: unknown) => boolean>> = {
  status: isStatus,
  code: isText,
  message: isText,
  members: isObject,
  json: () => true,
  text: isText,
  mediaType: isHeaderValue,
};

/** Reads how an answer looks: its status alone, or any of its parts. */
export function parseForm(value: unknown): AnswerForm {
  if (isStatus(value)) return { status: value };
  const fields = asObject(value);
  for (const [name, member] of Object.entries(fields)) {
    const isKnown = Object.hasOwn(formMembers, name);
    if (!isKnown || !formMembers[name as keyof AnswerForm](member)) throw new PinError();
  }
  const form = fields as AnswerForm;
  const { mediaType = 'application/json', text } = form;
  if (text === undefined && !isJsonType(mediaType)) throw new PinError();
  return form;
}

/** Reads an error: its status, or its form. */
export function parseRefusal(value: unknown): AnswerForm {
  const form = parseForm(value);
  if (form.status === undefined || form.status < 400) throw new PinError();
  return form;
}

/** Reads forms of errors by the code that the twin has for them. */
export function parseErrors(value: unknown): Partial<Record<keyof typeof errorTable, AnswerForm>> {
  const forms = Object.entries(asObject(value)).map(([code, form]) => {
    if (!Object.hasOwn(errorTable, code)) throw new PinError();
    return [code, parseForm(form)] as const;
  });
  return Object.fromEntries(forms);
}

/** Reads when keys are banned; false for never. */
export function parseBan(value: unknown): BanPolicy | false {
  try {
    return value !== 'none' && toBan(asObject(value));
  } catch (error) {
    throw error instanceof PolicyError ? new PinError() : error;
  }
}

/** Headers that follow from the content and its transfer. */
const ownHeaders = [
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'trailer',
  'upgrade',
];

function isStatus(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isHeaderName(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !ownHeaders.includes(name.toLowerCase());
}

function isHeaderValue(value: unknown): boolean {
  return typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}
