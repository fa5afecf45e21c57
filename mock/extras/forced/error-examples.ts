import type { Request } from 'express';
import { isSuccess } from '../../../common/success.ts';
import type { Api, Operation, ResponseDescription } from '../../../openapi/index.ts';
import type { Step } from '../../call/steps.ts';
import { createFindLike } from '../../documented/like-examples.ts';
import type { Security } from '../../http/authenticate.ts';
import type { SendApiAnswer } from '../../http/send-answer.ts';
import { createForceAnswer } from './force-answer.ts';

/**
 * Creates the step that answers a valid call like a named example by the error that has an example of
 * this name, if no success has, as other tools pair them. Undefined for an operation without such
 * examples.
 */
export function createExampleStep(
  operation: Operation,
  security: Security,
  { document, send }: { document: Api; send: SendApiAnswer },
): Step<'before behaviour'> | undefined {
  const namesOf = (isOf: (one: ResponseDescription) => boolean) =>
    operation.responses.filter(isOf).flatMap(({ examples }) => Object.keys(examples));
  const shown = namesOf(isSuccess);
  const ofErrors = namesOf((one) => !isSuccess(one)).filter((name) => !shown.includes(name));
  const find = createFindLike(operation, ofErrors);
  if (!find) return undefined;
  const force = createForceAnswer(operation, document, security);
  return (call, next) => {
    const { request, parameters } = call;
    const { params, body } = request as Request<Record<string, string>>;
    const example = find({ params, parameters, body });
    const forced = example === undefined ? undefined : force({ example }, call);
    if (example === undefined || !forced || 'problem' in forced) return next(call);
    if (forced.window) call.window = forced.window;
    send(call.response, forced.answer, { step: 'example', name: example });
  };
}
