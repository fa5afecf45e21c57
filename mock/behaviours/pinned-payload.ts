import type { AnswerForm } from '../answers/answer.ts';
import { toPinnedPayload } from '../answers/answer-form.ts';
import type { Behaviour } from './behaviour.ts';

/** Answers an operation whose payload is not shown as it is pinned. */
export function createPinnedPayload(form: AnswerForm): Behaviour {
  const answer = toPinnedPayload(form);
  return async () => answer;
}
