import { type Answer, toErrorAnswer } from '../../answers/answer.ts';
import type { ErrorCode } from '../../answers/errors.ts';
import { DomainError } from '../../domains/domains-state.ts';
import { quote } from '../../json/quote.ts';
import { SandboxOptionError } from '../../sandboxes/sandbox-options.ts';
import { OutOfRoomError } from '../../state/store.ts';
import { TooManyRunsError } from '../../tasks/tasks.ts';

/** Ends a call of the admin with an answer that says why it is refused. */
class Refusal extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super();
    this.answer = answer;
  }
}

/** Refuses a call with an answer. */
export function refuseWith(answer: Answer): never {
  throw new Refusal(answer);
}

/** Refuses a call with an Error. */
export function refuse(code: ErrorCode, message: string): never {
  throw new Refusal(toErrorAnswer(code, message));
}

/** Refuses a call about something that is not there. */
export function refuseUnknown(thing: string, name: string, known: string): never {
  return refuse('not_found', `There is no ${thing} ${quote(name)}. ${known}`);
}

/** Error types, beyond the admin's own, that refuse a call with their message. */
const refusing = [
  { type: OutOfRoomError, code: 'out_of_room' },
  { type: SandboxOptionError, code: 'invalid_body' },
  { type: DomainError, code: 'domain_refused' },
  { type: TooManyRunsError, code: 'too_many_tasks' },
] as const;

/** Returns the result of a call, or the response that refuses it. */
export async function orRefusal<Given>(act: () => Given | Promise<Given>): Promise<Given | Answer> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    const known = refusing.find(({ type }) => error instanceof type);
    if (known) return toErrorAnswer(known.code, (error as Error).message);
    throw error;
  }
}
