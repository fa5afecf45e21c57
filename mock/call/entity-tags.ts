import { createHash } from 'node:crypto';
import type { Request } from 'express';
import type { Operation } from '../../contracts/description/document.ts';
import type { Answer, TextAnswer } from '../answers/answer.ts';
import { noBytes } from '../json/exact-json.ts';

/** Whether a document describes entity tags of what an operation reads or changes, or 304 for it. */
export function hasEntityTags({ method, parameters, responses }: Operation): boolean {
  const isTagged = responses.some((one) =>
    Object.keys(one.headers).some((name) => etag.test(name)),
  );
  if (method !== 'GET') return isTagged;
  const names = [
    ...responses.flatMap(({ headers }) => Object.keys(headers)),
    ...parameters.filter((one) => one.in === 'header').map(({ name }) => name),
  ];
  const isDescribed = names.some((name) => /^(etag|if-none-match)$/i.test(name));
  return isDescribed || responses.some(({ status }) => status === '304');
}

/** The strong entity tag of the content of an answer. */
export function tagOf(answer: Answer | TextAnswer): string {
  const [content, encoding] =
    'json' in answer ? [answer.json, 'latin1' as const] : [answer.text, 'utf8' as const];
  return `"${createHash('sha1').update(content, encoding).digest('base64url')}"`;
}

/**
 * A success with the entity tag of its content, or of what is read there now; of a GET 304 instead
 * where `If-None-Match` has that tag (RFC 9110 §13.1.2).
 */
export function withEntityTag<Made extends Answer | TextAnswer>(
  answer: Made,
  { method, headers }: Pick<Request, 'method' | 'headers'>,
  read: Answer | TextAnswer = answer,
): Made | Answer {
  const isRead = method === 'GET' || method === 'HEAD';
  if (isRead ? answer.status !== 200 : answer.status < 200 || answer.status > 299) return answer;
  const others = Object.entries(answer.headers ?? {}).filter(([name]) => !etag.test(name));
  const tagged = { ...Object.fromEntries(others), ETag: tagOf(read) };
  if (isRead && names(headers['if-none-match'], tagged.ETag))
    return { status: 304, json: noBytes, headers: tagged };
  return { ...answer, headers: tagged };
}

/**
 * Whether the preconditions of a change fail where this entity tag is there, or none (RFC 9110
 * §13.1.1, §13.1.2): a weak tag never fulfils `If-Match`.
 */
export function failsPrecondition({ headers }: Pick<Request, 'headers'>, tag?: string): boolean {
  const { 'if-match': match, 'if-none-match': noMatch } = headers;
  if (match !== undefined && !(tag && names(match.replace(/W\/"[^"]*"/g, ''), tag))) return true;
  return tag !== undefined && names(noMatch, tag);
}

/** Whether a list of entity tags, weak ones too, has one; `*` has any. */
function names(list: string | undefined, tag: string): boolean {
  return list?.trim() === '*' || (list?.match(/"[^"]*"/g)?.includes(tag) ?? false);
}

const etag = /^etag$/i;
