import type { Format } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { isInt64 } from './exact-json.ts';

/** The formats of integers, checked as they were sent. */
export const integerFormats: Readonly<Record<string, Format>> = {
  int64: { type: 'number', validate: isInt64 },
  int32: {
    type: 'number',
    validate: (value: number) => value >= -(2 ** 31) && value < 2 ** 31,
  },
};

/**
 * The formats that are checked, by name; a format of another name is ignored. Three are held to
 * their RFC, where the library accepts more.
 */
export const formats: Readonly<Record<string, Format>> = {
  ...fullFormats,
  ...integerFormats,
  'date-time': (text: string) => isRfc3339(text) && fits('date-time', text),
  time: (text: string) => isRfc3339(text) && fits('time', text),
  uuid: (text: string) => !text.startsWith('urn:') && fits('uuid', text),
  // The library's pattern allows neither `localhost` and private networks, nor schemes such as `wss`.
  url: (text: string) => /^[a-z][a-z\d+.-]*:\/\/\S+$/i.test(text) && URL.canParse(text),
};

/** Describes the texts or numbers that a format allows. */
export function describeFormat(name: string): string {
  return Object.hasOwn(words, name) ? (words[name] as string) : `in the format ${name}`;
}

const words: Readonly<Record<string, string>> = {
  byte: 'text in base64',
  date: 'a date such as 2030-12-31',
  'date-time': 'a time such as 2030-12-31T23:59:59Z',
  email: 'an email address',
  hostname: 'a host name',
  int32: 'a 32-bit integer',
  int64: 'a 64-bit integer',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  regex: 'a regular expression',
  time: 'a time of day such as 23:59:59Z',
  uri: 'a URI such as https://example.com/',
  url: 'a URL such as https://example.com/',
  uuid: 'a UUID',
};

/** Whether a text has a format; one of another name is ignored. */
export function keepsFormat(text: string, name: string): boolean {
  if (!Object.hasOwn(formats, name)) return true;
  const format = formats[name] as Format;
  const check: unknown =
    typeof format === 'object' && 'validate' in format ? format.validate : format;
  if (check instanceof RegExp) return check.test(text);
  return typeof check === 'function' && check(text) === true;
}

/** Whether a time ends as RFC 3339 asks: with Z, or an offset of hours and minutes. */
function isRfc3339(text: string): boolean {
  return /(?:z|[+-]\d\d:\d\d)$/i.test(text);
}

function fits(name: keyof typeof fullFormats, text: string): boolean {
  const format = fullFormats[name];
  if (format instanceof RegExp) return format.test(text);
  const validate = (format as { validate: (text: string) => boolean }).validate ?? format;
  return validate(text);
}
