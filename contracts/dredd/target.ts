import { explainConnection } from '../cli/explain-connection.ts';
import type { ApiDocument } from '../description/document.ts';

/** The replay could not begin; the message says what happened and what to do. */
export class TargetError extends Error {}

/**
 * Makes one call, to learn whether the target is there and takes the key. Throws {@link
 * TargetError}.
 */
export async function probe(
  { operations }: ApiDocument,
  { url, key, timeout }: { url: string; key: string | undefined; timeout: number },
): Promise<void> {
  const operation = operations.find(
    ({ method, secured, parameters }) =>
      method === 'GET' && secured && !parameters.some(({ required }) => required),
  );
  const headers = operation && key !== undefined ? { Authorization: `Bearer ${key}` } : undefined;
  let response: Response;
  try {
    response = await fetch(url + (operation?.path ?? '/'), {
      ...(headers && { headers }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    });
    await response.body?.cancel();
  } catch (error) {
    throw new TargetError(`${url} cannot be reached: ${problemOf(error as Error, timeout)}.`);
  }
  if (!operation) return;
  if (response.status === 401 || response.status === 403)
    throw new TargetError(
      `${url} refuses the key: ${operation.id} answers ${response.status}. Give a working one with --key.`,
    );
  if (response.status === 429) {
    const seconds = /^\d+$/.exec(response.headers.get('retry-after') ?? '');
    const when = seconds ? `in ${seconds} s` : 'later';
    throw new TargetError(
      `The key has used up its quota: ${operation.id} answers 429. Try again ${when}.`,
    );
  }
}

function problemOf({ name, message, cause }: Error & { cause?: unknown }, timeout: number): string {
  if (name === 'TimeoutError')
    return `no answer within ${timeout} ms; try --timeout ${timeout * 4}`;
  const { code, message: reason } = (cause ?? {}) as NodeJS.ErrnoException;
  return explainConnection(code ?? reason ?? message);
}
