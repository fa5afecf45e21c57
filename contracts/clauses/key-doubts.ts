import { asksForKey } from '../../openapi/model/key-places.ts';
import { isInProse } from '../document/stated.ts';
import type { Answer } from '../transcript/exchange.ts';
import { answeredFor, answersOfOperations, type Transcript } from '../transcript/transcript.ts';
import { shownAnswer } from './check.ts';

/** Whether an operation that asks for a key accepted this one. */
function isAccepted(transcript: Transcript, key: string): boolean {
  return answersOfOperations(transcript).some(
    ({ case: { operation }, request: { keyName }, response: { status } }) =>
      keyName === key && ![401, 403, 429].includes(status) && asksForKey(operation),
  );
}

/** Why a refusal may be about the key and not about the call; undefined where it is not. */
export function toKeyDoubt(transcript: Transcript, exchange: Answer): string | undefined {
  const { case: testCase, request, response } = exchange;
  const { operation, credential } = testCase;
  const isRefused = response.status === 401 || response.status === 403;
  const isAboutKey = isRefused && credential === 'valid' && !transcript.observer.provesKeys;
  if (!operation || !isAboutKey) return undefined;
  // Which rights a key has is stated by no document without prose.
  if (response.status === 403 && !isInProse(transcript.document))
    return `${operation.id} answers 403, so the caller may lack a right: ${shownAnswer(response)}`;
  if (operation.waysIn.length === 0) return undefined;
  const { keyName } = request;
  if (keyName === undefined) return `${operation.id} asks for credentials, and no key was given`;
  return isAccepted(transcript, keyName)
    ? undefined
    : `no operation that asks for credentials accepts ${keyName}`;
}

/**
 * Statuses that report a fault other than the key. The interface does not state which fault comes
 * first.
 */
const ofContent = [400, 404, 405, 406, 409, 410, 413, 415, 422];

/** Whether an answer reports another fault of a call than its key. */
export function hasOtherFault({ response: { status } }: Answer): boolean {
  return ofContent.includes(status);
}

/**
 * Gives the function that says whether the key is the only fault of a call: the same call succeeded
 * with a valid key, and never failed.
 */
export function keyOnlyFaults(transcript: Transcript): (exchange: Answer) => boolean {
  const valid = answersOfOperations(transcript).filter(
    ({ case: { credential }, response }) =>
      credential === 'valid' && ![401, 429].includes(response.status),
  );
  const hasSucceeded = new Map<string, boolean>();
  for (const exchange of valid) {
    const call = nameOf(exchange);
    if (exchange.request.method === 'GET')
      hasSucceeded.set(call, exchange.response.status < 300 && hasSucceeded.get(call) !== false);
  }
  for (const exchange of answeredFor(transcript, 'create'))
    if (exchange.response.status < 300) hasSucceeded.set(nameOf(exchange), true);
  return (exchange) => hasSucceeded.get(nameOf(exchange)) === true;
}

/** Method and path, without the parameters that a key may be sent in. */
function nameOf({ request: { method, path } }: Answer): string {
  return `${method} ${path.split(/[?&]access_token=/)[0]}`;
}
