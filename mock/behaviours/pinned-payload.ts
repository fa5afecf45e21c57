import { type AnswerForm, noContent } from '../answers/answer.ts';
import { toForm } from '../answers/answer-form.ts';
import type { Behaviour } from './behaviour.ts';

/** Answers an operation whose payload is not shown as it is pinned. */
export function createPinnedPayload(form: AnswerForm): Behaviour {
  const answer = toForm({ ...noContent, status: 200 }, form, undefined);
  return async () => answer;
}
