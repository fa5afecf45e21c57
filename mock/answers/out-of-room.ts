import { OutOfRoomError } from '../state/store.ts';
import { type Answer, toErrorAnswer } from './answer.ts';

/** The answer to a lack of room. Rethrows any other error. */
export function toOutOfRoomAnswer(error: unknown): Answer {
  if (error instanceof OutOfRoomError) return toErrorAnswer('out_of_room', error.message);
  throw error;
}
