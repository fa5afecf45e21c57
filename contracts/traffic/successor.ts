import type { ApiDocument, Operation } from '../description/document.ts';
import { type Exchange, headerValue, isAnswered } from '../transcript/exchange.ts';
import { linkedBy } from '../transcript/link.ts';

type Described = Pick<ApiDocument, 'raw' | 'operations'>;

/** Words of a sentence that says what takes the place of something. */
const inPlace = /\b(?:instead|replace[sd]?|replacement|superseded|successor|in favou?r of)\b/i;

/**
 * What a client is to call in the place of a deprecated operation: the sentence of its description
 * that names another operation, else the address of the response's Link (`successor-version`, RFC
 * 5829). Undefined where neither says so.
 */
export function findSuccessor(
  deprecated: Operation,
  { raw, operations }: Described,
  exchange: Exchange,
): string | undefined {
  const { description } = raw.paths?.[deprecated.path]?.[deprecated.method.toLowerCase()] ?? {};
  const others = operations.filter(({ id }) => id !== deprecated.id);
  const stated = toSentences(description).find(
    (sentence) => inPlace.test(sentence) && others.some((other) => isNamed(other, sentence)),
  );
  if (stated !== undefined) return stated;
  if (!isAnswered(exchange)) return undefined;
  const address = linkedBy(headerValue(exchange, 'Link'), 'successor-version');
  return address && `${address}, as Link in the response says`;
}

function toSentences(description: unknown): string[] {
  if (typeof description !== 'string') return [];
  return description
    .replaceAll(/[`*]/g, '')
    .split(/(?<=\.)\s+|\n+/)
    .map((one) => one.trim());
}

function isNamed({ id, method, path }: Operation, sentence: string): boolean {
  const words = sentence.split(/[\s,;()]+/).map((word) => word.replace(/[.:]$/, ''));
  const isPath = words.some((word, at) => word === method && words[at + 1] === path);
  return isPath || words.includes(id);
}
