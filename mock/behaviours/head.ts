import type { Operation } from '../../contracts/description/document.ts';
import { sentStatus } from '../answers/answer.ts';
import { findSuccess, statusOf } from '../documented/responses.ts';
import { noBytes } from '../json/byte-text.ts';
import type { Behaviour } from './behaviour.ts';

/** What a HEAD does: the same as the GET at its path, with the success that it documents itself. */
export function createHeadBehaviour(behaviour: Behaviour, operation: Operation): Behaviour {
  const success = findSuccess(operation);
  if (!success || success.status === 'default') return behaviour;
  const status = statusOf(success, operation);
  return async (call) => {
    const answer = await behaviour(call);
    const own = sentStatus(answer);
    if (own === status || own < 200 || own > 299) return answer;
    if (status !== 204) return { ...answer, status };
    const { headers } = answer;
    return { status, json: noBytes, ...(headers && { headers }) };
  };
}
