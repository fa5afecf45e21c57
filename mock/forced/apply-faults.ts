import type { Request, Response } from 'express';
import type { Operation } from '../../contracts/description/document.ts';
import { toFaultBody } from '../faults/fault-body.ts';
import type { Hit } from '../faults/fault-rules.ts';
import { localsOf } from '../http/locals.ts';
import type { FailApiCall, SendApiAnswer } from '../http/send-api-answer.ts';
import type { ForceAnswer } from './force-answer.ts';
import { overrideAnswer } from './override-answer.ts';

/**
 * Answers a request instead of its operation where a fault fires, and gives whether it did; a
 * promise where other processes count calls too.
 */
export type ApplyFaults = (request: Request, response: Response) => boolean | Promise<boolean>;

/**
 * Applies the faults of a sandbox to the calls of an operation: a status, a broken connection, or
 * only a delay.
 */
export function createApplyFaults(
  { id }: Operation,
  { force, send, fail }: { force: ForceAnswer; send: SendApiAnswer; fail: FailApiCall },
): ApplyFaults {
  const apply = (hit: Hit | undefined, request: Request, response: Response): boolean => {
    if (!hit) return false;
    const locals = localsOf(response);
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
  return (request, response) => {
    const { sandbox, key } = localsOf(response);
    const hit = sandbox.faults.decide({ operation: id, ...(key && { key: key.name }) });
    return hit instanceof Promise
      ? hit.then((found) => apply(found, request, response))
      : apply(hit, request, response);
  };
}
