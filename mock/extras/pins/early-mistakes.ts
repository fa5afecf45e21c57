import type { Request, RequestHandler, Response } from 'express';
import { findResource, type Operation } from '../../../contracts/description/document.ts';
import { type Answer, toErrorAnswer } from '../../answers/answer.ts';
import { createOperationBody, createOperationParameters } from '../../call/operation-input.ts';
import type { CallOptions } from '../../call/steps.ts';
import { localsOf } from '../../http/locals.ts';
import type { Pins } from './pins.ts';

type FindMistake = (request: Request, response: Response) => Promise<Answer | undefined>;

/** The step that reports other mistakes before a missing key, where that is pinned. */
export function createEarlyStep(
  operation: Operation,
  pins: Pins,
  options: CallOptions,
): RequestHandler | undefined {
  const find = createFindEarlyMistake(operation, pins, options);
  const authenticate = options.security.of(operation);
  if (!find || !authenticate) return undefined;
  return (request, response, next) => {
    if (!authenticate(request, localsOf(response)).refusal) return next();
    localsOf(response).operation = operation;
    find(request, response)
      .then((mistake) => (mistake ? options.send(response, mistake, { step: 'body' }) : next()))
      .catch(next);
  };
}

/**
 * Finds what else is wrong with a call without a valid key, for deployments that report it first;
 * undefined where the key comes first.
 */
function createFindEarlyMistake(
  operation: Operation,
  pins: Pins,
  options: CallOptions,
): FindMistake | undefined {
  const checks = pins.earlyChecks ?? [];
  const { kind, body } = operation;
  if (kind === 'list' && checks.includes('query')) {
    const read = createOperationParameters(operation, options);
    return async (request) => read(request).refusal;
  }
  if (kind === 'create' && body && checks.includes('body')) {
    const readBody = createOperationBody(operation, options);
    return async (request, response) => (await readBody?.(request, response))?.refusal;
  }
  const resource = findResource(options.document, operation);
  if (kind !== 'read' || !resource || !checks.includes('id')) return undefined;
  return async ({ params, path }, response) => {
    const id = Object.values(params).at(-1);
    const item = await localsOf(response).sandbox.store.get(resource.name, String(id));
    return item === undefined
      ? toErrorAnswer('not_found', `There is nothing at ${path}.`)
      : undefined;
  };
}
