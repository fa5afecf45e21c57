import { membersOf, parseJson } from '../json.ts';
import type { Answered } from '../transcript/exchange.ts';
import { unescaped } from '../transcript/unescaped.ts';

/** Shorter values stand in many messages by chance, unless they are quoted there. */
const minLength = 3;

/** A longer value is repeated by no message that is meant to be read. */
const maxLength = 1000;

/**
 * Whether a message repeats a value of its request, such as an unknown id: for another request it
 * would be wrong.
 */
export function repeatsRequest(message: string, { request, case: asked }: Answered): boolean {
  const { path = '', parameters = [] } = asked.operation ?? asked.parametersOf ?? {};
  const stated = [...path.split('/'), ...parameters.map(({ name }) => name)];
  const { pathname, searchParams } = new URL(`http://request.invalid${request.path}`);
  const members = Object.values(membersOf(parseJson(String(request.body ?? ''))) ?? {});
  const isTelling = (value: string) =>
    value !== '' && value.length <= maxLength && !stated.includes(value);
  const segments = pathname.split('/').map(unescaped).filter(isTelling);
  const values = [...segments, ...searchParams.values(), ...members.map(String)].filter(isTelling);
  // The name of a parameter may be a word of any message.
  const names = [...searchParams.keys()].filter(isTelling);
  return (
    segments.some((segment) => message.includes(`/${segment}`)) ||
    names.some((name) => isQuoted(message, name)) ||
    values.some((value) => isQuoted(message, value) || isWordOf(message, value))
  );
}

const quotes = ['"', "'", '`'];

function isQuoted(message: string, value: string): boolean {
  return quotes.some((quote) => message.includes(quote + value + quote));
}

function isWordOf(message: string, value: string): boolean {
  const isWord = new RegExp(`(?<![\\w.-])${RegExp.escape(value)}(?![\\w-])`);
  return value.length >= minLength && isWord.test(message);
}
