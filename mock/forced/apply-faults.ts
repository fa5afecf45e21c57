import type { Operation } from '../../contracts/description/document.ts';
import { toFaultBody } from '../faults/fault-body.ts';
import { localsOf } from '../http/locals.ts';
import type { FailApiCall, SendApiAnswer } from '../http/send-api-answer.ts';
import type { ForceAnswer } from './force-answer.ts';
import type { AnswerInstead } from './honour-preferences.ts';
import { overrideAnswer } from './override-answer.ts';

/**
 * Applies the faults of a sandbox to the calls of an operation: a status, a broken connection, or
 * only a delay.
 */
export function createApplyFaults(
  { id }: Operation,
  { force, send, fail }: { force: ForceAnswer; send: SendApiAnswer; fail: FailApiCall },
): AnswerInstead {
  return (request, response) => {
    const locals = localsOf(response);
    const { sandbox, key } = locals;
    const hit = sandbox.faults.decide({ operation: id, ...(key && { key: key.name }) });
    if (!hit) return false;
    const { rule, status, fault, delay, random } = hit;
    if (delay !== undefined) locals.delay ??= { milliseconds: delay, by: rule };
    if (fault !== undefined) {
      fail(response, { name: fault, random }, { step: 'fault', rule, fault });
      return true;
    }
    if (status === undefined) return false;
    const forced = force({ code: status }, { request, response });
    if (!forced || 'problem' in forced) return false;
    if (forced.window) locals.window = forced.window;
    send(response, overrideAnswer(forced.answer, { ...hit, body: toFaultBody(hit.body) }), {
      step: 'fault',
      rule,
      code: status,
    });
    return true;
  };
}
