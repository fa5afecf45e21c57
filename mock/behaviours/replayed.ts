import { createHash } from 'node:crypto';
import type { ApiDocument, Operation } from '../../contracts/description/document.ts';
import { stringifyExact } from '../../contracts/json-text.ts';
import { sentStatus, toStatedErrorAnswer } from '../answers/answer.ts';
import { takenStatusOf } from '../documented/responses.ts';
import type { Behaviour } from './behaviour.ts';

/** How many answers a sandbox keeps at most. */
const maxReplays = 1_000;

/**
 * Answers a POST or PATCH that repeats an `Idempotency-Key` as the first one was answered, and
 * refuses another body with that key. Answers to what is wrong are not kept.
 */
export function withReplays(
  behaviour: Behaviour,
  { document, operation }: { document: ApiDocument; operation: Operation },
): Behaviour {
  const { method } = operation;
  const isMeant = method === 'POST' || method === 'PATCH';
  if (!isMeant || document.hint.requests === 'strict') return behaviour;
  return async (call) => {
    const { url, body: sent, source, replays } = call;
    const given = source.headers['idempotency-key'];
    if (given === undefined || !replays) return behaviour(call);
    const { authorization = '' } = source.headers;
    const key = toHash([method, url, authorization, given]);
    const body = toHash(sent ?? null);
    const known = replays.get(key);
    if (known && known.body === body) return known.answer;
    if (known) {
      const message = 'The Idempotency-Key was sent before, with another body.';
      return toStatedErrorAnswer('value_taken', message, takenStatusOf(operation));
    }
    const answer = behaviour(call);
    replays.set(key, { body, answer });
    for (const oldest of replays.keys()) {
      if (replays.size <= maxReplays) break;
      replays.delete(oldest);
    }
    const status = await answer.then(sentStatus, () => 500);
    if (status >= 400) replays.delete(key);
    return answer;
  };
}

function toHash(value: unknown): string {
  return createHash('sha256').update(stringifyExact(value)).digest('base64');
}
