import type { Exchange } from './exchange.ts';

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
