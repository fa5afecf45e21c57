import { asksForKey } from '../description/key-places.ts';
import type { Answered } from '../transcript/exchange.ts';
import { answersOfOperations, type Transcript } from '../transcript/transcript.ts';
import { shownAnswer } from './check.ts';

const cache = new WeakMap<Transcript, ReadonlySet<string>>();

/** The names of the keys that an operation which asks for one accepted. */
function acceptedKeys(transcript: Transcript): ReadonlySet<string> {
  const known = cache.get(transcript) ?? readAccepted(transcript);
  cache.set(transcript, known);
  return known;
}

function readAccepted(transcript: Transcript): ReadonlySet<string> {
  return new Set(
    answersOfOperations(transcript).flatMap(({ case: { operation }, request, response }) => {
      const isAccepted = ![401, 403, 429].includes(response.status);
      const { keyName } = request;
      return isAccepted && asksForKey(operation) && keyName !== undefined ? [keyName] : [];
    }),
  );
}

/** Why a refusal may be about the key and not about the call; undefined where it is not. */
export function toKeyDoubt(transcript: Transcript, exchange: Answered): string | undefined {
  const { case: testCase, request, response } = exchange;
  const { operation, credential } = testCase;
  const isRefused = response.status === 401 || response.status === 403;
  if (transcript.isTraffic || !operation || !isRefused || credential !== 'valid') return undefined;
  // Which rights a key has is stated by no document without prose.
  if (response.status === 403 && transcript.document.clauses.length === 0)
    return `${operation.id} answers 403, so the caller may lack a right: ${shownAnswer(response)}`;
  if (operation.waysIn.length === 0) return undefined;
  const { keyName } = request;
  if (keyName === undefined) return `${operation.id} asks for credentials, and no key was given`;
  return acceptedKeys(transcript).has(keyName)
    ? undefined
    : `no operation that asks for credentials accepts ${keyName}`;
}
