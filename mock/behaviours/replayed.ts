import { createHash } from 'node:crypto';
import { stringifyExact } from '../../common/json.ts';
import type { Api, Operation } from '../../openapi/index.ts';
import { bytesOfAnswer, type Replays, sentStatus, toStatedErrorAnswer } from '../answers/answer.ts';
import { takenStatusOf } from '../documented/responses.ts';
import type { Behaviour } from './behaviour.ts';

/**
 * Answers a POST or PATCH that repeats an `Idempotency-Key` as the first one was answered, and
 * refuses another body with that key. Answers to what is wrong are not kept,
 * and callers with other API keys have their own.
 */
export function withReplays(
  behaviour: Behaviour,
  { document, operation }: { document: Api; operation: Operation },
): Behaviour {
  const { method, rules } = operation;
  const isIgnored = rules?.ignores?.some((name) => name.toLowerCase() === 'idempotency-key');
  const applies = !isIgnored && (method === 'POST' || method === 'PATCH');
  if (!applies || document.hint.requests === 'strict') return behaviour;
  return async (call) => {
    const { url, body: sent, source, sandbox, caller } = call;
    const name = source.headers['idempotency-key'];
    if (name === undefined || !sandbox || call.isLook) return behaviour(call);
    const replays: Replays = sandbox.kept('replays', { max: 1000 });
    const key = toHash([method, url, caller ?? null, name]);
    const body = toHash(sent ?? null);
    const known = replays.get(key);
    if (known && known.body === body) return known.answer;
    if (known) {
      const message = 'The Idempotency-Key was sent before, with another body.';
      return toStatedErrorAnswer('value_taken', message, takenStatusOf(operation));
    }
    const answer = behaviour(call);
    const entry = { body, answer };
    replays.set(key, entry, 0);
    const given = await answer.catch((error) => {
      replays.delete(key);
      throw error;
    });
    if (sentStatus(given) >= 400) replays.delete(key);
    else if (replays.get(key) === entry) replays.set(key, entry, bytesOfAnswer(given));
    return given;
  };
}

function toHash(value: unknown): string {
  return createHash('sha256').update(stringifyExact(value)).digest('base64');
}
