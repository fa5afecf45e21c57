import type { RequestHandler } from 'express';
import {
  type ApiDocument,
  findResource,
  type Operation,
  type Resource,
} from '../../contracts/description/document.ts';
import { withAt } from '../../contracts/description/property-path.ts';
import type { Answer } from '../answers/answer.ts';
import { findSuccess, statusOf } from '../documented/responses.ts';
import { localsOf } from '../http/locals.ts';
import type { SendApiAnswer } from '../http/send-api-answer.ts';
import { toByteText, toText } from '../json/byte-text.ts';
import { stringifyExact } from '../json/exact-integers.ts';
import { parseExact, parseInteger } from '../json/exact-json.ts';
import type { ForceAnswer } from './force-answer.ts';
import { createFindMagicValue } from './magic-values.ts';

/**
 * Makes the step that answers magic values, once a call is known to be valid; undefined for an
 * operation that takes none. A slow read gets the documented example, with the id that it asked
 * for; a slow create does what it does, later.
 */
export function createMagicStep(
  operation: Operation,
  { document, force, send }: { document: ApiDocument; force: ForceAnswer; send: SendApiAnswer },
): RequestHandler | undefined {
  const find = createFindMagicValue(operation, document);
  const success = findSuccess(operation);
  const resource = findResource(document, operation);
  if (!find || !success || !resource) return undefined;
  const isRead = operation.kind === 'read';
  const successStatus = statusOf(success, operation);
  return (request, response, next) => {
    const found = find({ params: request.params as Record<string, string>, body: request.body });
    if (!found) return next();
    const locals = localsOf(response);
    if (found.wait !== undefined) locals.delay ??= { milliseconds: found.wait, by: found.text };
    const code = found.status ?? (isRead ? successStatus : undefined);
    const forced = code === undefined ? undefined : force({ code }, { request, response });
    if (!forced || 'problem' in forced) return next();
    if (forced.window) locals.window = forced.window;
    const answer =
      found.wait === undefined ? forced.answer : withId(forced.answer, found.id, resource);
    send(response, answer, { step: 'magic', value: isRead ? found.id : found.text });
  };
}

function withId(answer: Answer, id: string, { idProperty, idSchema }: Resource): Answer {
  const { value } = parseExact(toText(answer.json));
  const own = idSchema.type === 'string' ? id : parseInteger(id);
  return {
    ...answer,
    json: toByteText(
      stringifyExact(withAt(value as Readonly<Record<string, unknown>>, idProperty, own)),
    ),
  };
}
