import type { RequestHandler } from 'express';
import type { ApiDocument, Operation } from '../../contracts/description/document.ts';
import { localsOf } from '../http/locals.ts';
import type { FailApiCall, SendApiAnswer } from '../http/send-api-answer.ts';
import { createApplyFaults } from './apply-faults.ts';
import { createForceAnswer } from './force-answer.ts';
import { createHonourPreferences } from './honour-preferences.ts';
import { createMagicStep } from './magic-step.ts';

/**
 * Steps that may answer instead of an operation: before its own steps, and before its behaviour.
 */
export type ForcedSteps = { first: RequestHandler; beforeBehaviour?: RequestHandler };

export type ForcedOptions = {
  document: ApiDocument;
  send: SendApiAnswer;
  fail: FailApiCall;
  /** Whether magic values are on. */
  magicValues: boolean;
};

/**
 * Makes the forced steps of an operation: preferences come before faults, and faults before magic
 * values.
 */
export function createForcedSteps(
  operation: Operation,
  { document, send, fail, magicValues }: ForcedOptions,
): ForcedSteps {
  const force = createForceAnswer(operation, document);
  const honourPreferences = createHonourPreferences(operation, { force, send });
  const applyFaults = createApplyFaults(operation, { force, send, fail });
  const magic = magicValues ? createMagicStep(operation, { document, force, send }) : undefined;
  return {
    first: (request, response, next) => {
      // Most requests use none of this and must not pay for it.
      const mayPrefer = request.headers.prefer !== undefined || request.url.includes('__');
      if (mayPrefer && honourPreferences(request, response)) return;
      if (!localsOf(response).sandbox.faults.any()) return next();
      const isAnswered = applyFaults(request, response);
      if (isAnswered instanceof Promise)
        isAnswered.then((isAnsweredNow) => isAnsweredNow || next()).catch(next);
      else if (!isAnswered) next();
    },
    ...(magic && { beforeBehaviour: magic }),
  };
}
