import type { Request, Response } from 'express';
import {
  type ApiDocument,
  findResource,
  type Operation,
} from '../../contracts/description/document.ts';
import { type Answer, type AnswerForm, toErrorAnswer } from '../answers/answer.ts';
import { toPinnedPayload } from '../answers/answer-form.ts';
import { localsOf } from '../http/locals.ts';
import type { ReadBody } from '../http/read-body.ts';
import { parseExact } from '../json/exact-json.ts';
import type { CompileSchema } from '../json/validator.ts';
import type { Pins } from '../pins/pins.ts';
import { createOperationBody, createOperationParameters } from './operation-input.ts';
import type { CreateStep } from './step.ts';

type EarlyOptions = { document: ApiDocument; compileSchema: CompileSchema; pins: Pins };

type FindMistake = (request: Request, response: Response) => Promise<Answer | undefined>;

/** Reports other mistakes before a missing key, where that is pinned. */
export const reportEarlyMistakes: CreateStep = ({ operation }, { send, pins, ...options }) => {
  const find = pins && createFindEarlyMistake(operation, { ...options, pins });
  const authenticate = options.security.of(operation);
  if (!find || !authenticate) return undefined;
  return (request, response, next) => {
    if (!authenticate(request, localsOf(response)).refusal) return next();
    localsOf(response).operation = operation;
    find(request, response)
      .then((mistake) => (mistake ? send(response, mistake, { step: 'body' }) : next()))
      .catch(next);
  };
};

/**
 * Finds what else is wrong with a call without a valid key, for deployments that report it first;
 * undefined where the key comes first.
 */
function createFindEarlyMistake(
  operation: Operation,
  { document, compileSchema, pins }: EarlyOptions,
): FindMistake | undefined {
  const checks = pins.earlyChecks ?? [];
  const { kind, body } = operation;
  if (kind === undefined && checks.includes('payload') && pins.payload)
    return createFindPayload(pins.payload);
  if (kind === 'list' && checks.includes('query')) {
    const read = createOperationParameters(operation, { document, compileSchema, pins });
    return async (request) => read(request).refusal;
  }
  if (kind === 'create' && body && checks.includes('body')) {
    const readBody = createOperationBody(operation, { document, compileSchema, pins });
    return async (request, response) => (await readBody?.(request, response))?.refusal;
  }
  const resource = findResource(document, operation);
  if (kind !== 'read' || !resource || !checks.includes('id')) return undefined;
  return async ({ params, path }, response) => {
    const id = Object.values(params).at(-1);
    const item = await localsOf(response).sandbox.store.get(resource.name, String(id));
    return item === undefined
      ? toErrorAnswer('not_found', `There is nothing at ${path}.`)
      : undefined;
  };
}

/** What is refused with a key is refused without one. */
function createFindPayload(payload: AnswerForm): FindMistake {
  const answer = toPinnedPayload(payload);
  return async () => (answer.status >= 400 ? answer : undefined);
}

/** Makes what gives the refusal of a body its form, where an integer in it is beyond int64. */
export function createToBodyRefusal(form: AnswerForm): (read: ReadBody) => Answer | undefined {
  return ({ refusal, text }) => {
    if (!refusal || text === undefined || !/\d{16}/.test(text)) return undefined;
    try {
      const values = Object.values(parseExact(text).value as object);
      return values.some(isBeyond) ? { ...refusal, form } : undefined;
    } catch {
      return undefined;
    }
  };
}

function isBeyond(value: unknown): boolean {
  return typeof value === 'bigint' && BigInt.asIntN(64, value) !== value;
}
