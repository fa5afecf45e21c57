import type { ToErrorForm } from '../documented/error-forms.ts';
import { localsOf } from './locals.ts';
import type { SendApiAnswer } from './send-api-answer.ts';

/** Sends errors in the form that the document describes; the journal has the code of the twin's. */
export function createShapedSend(send: SendApiAnswer, toErrorForm: ToErrorForm): SendApiAnswer {
  return (response, answer, reason) => {
    if ('text' in answer || !answer.error) return send(response, answer, reason);
    const { operation, sandbox } = localsOf(response);
    const { req: request } = response;
    const { method, originalUrl } = request;
    const [path = ''] = originalUrl.split('?', 1);
    const now = sandbox.clock.now();
    const accepts = (types: string[]) => request.accepts(types);
    const shaped = toErrorForm(answer, { operation, path, method, now, accepts });
    send(response, shaped, { ...reason, error: answer.error.code });
  };
}
