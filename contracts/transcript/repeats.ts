import type { Answer, Exchange } from './exchange.ts';
import { answeredFor, type Transcript } from './transcript.ts';

/**
 * Whether a create was refused that another run may have made before: its text is not of this run
 * alone, and the target refuses with this status what there is already.
 */
export function mayRepeat(transcript: Transcript, exchange: Answer): boolean {
  const { case: asked, request, response } = exchange;
  if (!transcript.observer.choosesCalls || asked.operation?.kind !== 'create') return false;
  if (request.marker !== undefined || response.status < 400) return false;
  if (response.status === 409) return true;
  const sent = answeredFor(transcript, 'silence').filter(
    ({ case: { purpose } }) =>
      purpose.silence === 'repeated-create' && purpose.probe !== 'sent with another value',
  );
  const isStored = sent.some((one) => one.response.status < 300);
  return isStored && sent.some((one) => one.response.status === response.status);
}

/** Whether a call was answered with 503, and the same call with a success when it was tried again. */
export function succeedsLater(
  exchanges: readonly Exchange[],
  { number, request, response }: Exchange,
): boolean {
  if (response?.status !== 503) return false;
  return exchanges.some(
    (one) =>
      one.number > number &&
      one.request.method === request.method &&
      one.request.path === request.path &&
      (one.response?.status ?? 500) < 300,
  );
}
