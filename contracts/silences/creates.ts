import { membersOf, parseJson } from '../../common/json.ts';
import type { Answered } from '../transcript/exchange.ts';
import { answeredFor } from '../transcript/transcript.ts';
import type { Source } from './reading.ts';

/** Whether a create was accepted. */
export function isStored({ response: { status } }: Answered): boolean {
  return status >= 200 && status < 300;
}

/** Whether a create was refused, and not by a failure of the server. */
export function isRefused({ response: { status } }: Answered): boolean {
  return status >= 400 && status < 500;
}

/** The fields that a create sent. */
export function sentFields({ request }: Answered): Readonly<Record<string, unknown>> {
  return membersOf(parseJson(String(request.body ?? ''))) ?? {};
}

/** All creates of the resource whose body is valid, whatever they ask, as they came back. */
export function validCreates({ transcript, resource }: Source): Answered[] {
  return answeredFor(transcript, 'create', 'silence').filter(
    ({ case: one }) => one.operation === resource.operations.create && one.credential === 'valid',
  );
}
