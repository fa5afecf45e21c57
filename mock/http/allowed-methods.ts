import type { Request } from 'express';
import type { Operation } from '../../contracts/description/document.ts';
import { toExcerpt } from '../../contracts/look/visible.ts';
import { type Answer, toErrorAnswer } from '../answers/answer.ts';

/** The methods that operations are called by, with those that Express adds. */
export function allowedMethods(operations: readonly Operation[]): string[] {
  const methods = operations.map(({ method }) => method);
  return [
    ...new Set([
      ...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
      'OPTIONS',
    ]),
  ];
}

/** The 405 for a method that a path does not have. */
export function toMethodAnswer({ method, path }: Request, allow: readonly string[]): Answer {
  const message = `${method} is not allowed at ${toExcerpt(path, 200)}. Use ${allow.join(', ')}.`;
  return toErrorAnswer('method_not_allowed', message, { Allow: allow.join(', ') });
}
