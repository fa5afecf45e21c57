import { OutOfRoomError } from '../state/store.ts';
import { type Answer, toErrorAnswer } from './answer.ts';

/** The answer where there is no room for something. Throws any other error again. */
export function toOutOfRoomAnswer(error: unknown): Answer {
  if (error instanceof OutOfRoomError) return toErrorAnswer('out_of_room', error.message);
  throw error;
}
