import { type Answer, type AnsweredError, toJsonAnswer } from '../../answers/answer.ts';
import type { Step } from '../../call/steps.ts';

/** The reasons for statuses whose code says nothing more specific. */
const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Expired',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
};

type Failure = Pick<AnsweredError, 'status' | 'message' | 'problems'> & { reason?: string };

/** The object that tells clients what failed. */
export function toStatus({ status, message, problems, reason = reasons[status] }: Failure) {
  const causes = problems?.map(({ pointer, problem }) => ({
    reason: 'FieldValueInvalid',
    message: problem,
    field: pointer.slice(1).replaceAll('/', '.'),
  }));
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason !== undefined && { reason }),
    ...(causes && { details: { causes } }),
    code: status,
  };
}

export function toStatusAnswer(failure: Failure): Answer {
  return toJsonAnswer(toStatus(failure), failure.status);
}

/** Sends errors as such objects. */
export const sendStatusErrors: Step<'before sending'> = (call, send) => {
  const { answer, response, reason } = call;
  if ('text' in answer || !answer.error) return send(call);
  const { error, form: _, ...others } = answer;
  const isTaken = error.code === 'id_taken' || error.code === 'value_taken';
  const failure = isTaken ? { ...error, reason: 'AlreadyExists' } : error;
  send({
    response,
    answer: { ...others, ...toStatusAnswer(failure) },
    reason: { ...reason, error: error.code },
  });
};

/** Returns the status that reports the deletion of an object without showing the object. */
export function toSuccess(details: Readonly<Record<string, unknown>>) {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}
