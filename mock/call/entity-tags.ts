import { createHash } from 'node:crypto';
import type { Request } from 'express';
import type { Operation } from '../../contracts/description/document.ts';
import type { Answer, TextAnswer } from '../answers/answer.ts';
import { noBytes } from '../json/exact-json.ts';

/** Whether a document describes entity tags of what an operation reads, or 304 for it. */
export function hasEntityTags({ method, parameters, responses }: Operation): boolean {
  const names = [
    ...responses.flatMap(({ headers }) => Object.keys(headers)),
    ...parameters.filter((one) => one.in === 'header').map(({ name }) => name),
  ];
  const isDescribed = names.some((name) => /^(etag|if-none-match)$/i.test(name));
  return method === 'GET' && (isDescribed || responses.some(({ status }) => status === '304'));
}

/**
 * An answer of 200 with the entity tag of its content; 304 instead where `If-None-Match` has that tag
 * (RFC 9110 §13.1.2).
 */
export function withEntityTag<Made extends Answer | TextAnswer>(
  answer: Made,
  { headers }: Request,
): Made | Answer {
  if (answer.status !== 200) return answer;
  const [content, encoding] =
    'json' in answer ? [answer.json, 'latin1' as const] : [answer.text, 'utf8' as const];
  const tag = `"${createHash('sha1').update(content, encoding).digest('base64url')}"`;
  const others = Object.entries(answer.headers ?? {}).filter(([name]) => !/^etag$/i.test(name));
  const tagged = { ...Object.fromEntries(others), ETag: tag };
  const known = headers['if-none-match']?.split(',').map((one) => one.trim().replace(/^W\//, ''));
  if (known?.includes(tag) || known?.includes('*'))
    return { status: 304, json: noBytes, headers: tagged };
  return { ...answer, headers: tagged };
}
