import { localsOf } from '../http/locals.ts';
import type { Reason } from '../journal/reason.ts';
import type { Problem } from '../json/validator.ts';
import { createOperationBody, createOperationParameters } from './operation-input.ts';
import type { CreateStep } from './step.ts';

/** Reads the parameters of a call, and refuses wrong ones. */
export const readParameters: CreateStep = ({ operation }, { send, ...options }) => {
  const read = createOperationParameters(operation, options);
  return (request, response, next) => {
    const { values, typed, refusal, wrong } = read(request);
    if (refusal) return send(response, refusal, { step: 'query', ...wrong });
    const locals = localsOf(response);
    locals.query = values;
    locals.parameters = typed;
    next();
  };
};

/** Refuses a call that accepts nothing that the operation answers with (406). */
export const refuseUnacceptable: CreateStep = ({ documented }, { send }) =>
  documented &&
  ((request, response, next) => {
    const refusal = documented.refusal(request);
    if (refusal) send(response, refusal, { step: 'routing' });
    else next();
  });

/** Reads the body of a call, and refuses one that does not fit. */
export const readRequestBody: CreateStep = ({ operation }, { send, ...options }) => {
  const read = createOperationBody(operation, options);
  const toBodyRefusal = options.inputRules?.(operation).toBodyRefusal;
  return (
    read &&
    (async (request, response, next) => {
      const body = await read(request, response);
      const locals = localsOf(response);
      locals.received = body.bytes;
      locals.receivedText = body.text;
      if (body.refusal)
        return send(response, toBodyRefusal?.(body) ?? body.refusal, toReason(body.problems));
      request.body = body.body;
      next();
    })
  );
};

/**
 * A body may break a schema in as many places as it has bytes, so only the first problems are
 * recorded.
 */
function toReason(problems: readonly Problem[] = []): Reason {
  return {
    step: 'body',
    ...(problems.length > 0 && { problems: problems.slice(0, maxProblemsRecorded) }),
  };
}

const maxProblemsRecorded = 20;
