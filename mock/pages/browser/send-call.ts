/** What came back, or why nothing did. */
export type Outcome = { milliseconds: number } & (Received | { problem: string });

export type Received = {
  status: number;
  statusText: string;
  headers: [name: string, value: string][];
  bytes: Uint8Array<ArrayBuffer>;
  /** Whether there were more bytes than are held. */
  isCut: boolean;
};

/** So many bytes of a body are held. */
export const maxBytes = 16 * 1024 * 1024;

/**
 * Sends a request and reads what comes back; it never rejects. A redirect is not followed, and a
 * browser shows nothing of it.
 */
export async function sendCall(url: string, init: RequestInit): Promise<Outcome> {
  const start = performance.now();
  const elapsed = () => performance.now() - start;
  try {
    const response = await fetch(url, {
      credentials: 'omit',
      ...init,
      cache: 'no-store',
      redirect: 'manual',
    });
    if (response.type === 'opaqueredirect')
      return {
        milliseconds: elapsed(),
        problem: 'The response is a redirect, which browsers do not show to pages.',
      };
    const { status, statusText, headers } = response;
    const body = await readBody(response);
    return { milliseconds: elapsed(), status, statusText, headers: [...headers], ...body };
  } catch (error) {
    const { name, message } = error as Error;
    const problem =
      name === 'AbortError'
        ? 'You cancelled the request.'
        : `There is no response: the connection broke, or the browser refused the request (${message}).`;
    return { milliseconds: elapsed(), problem };
  }
}

async function readBody({ body }: Response): Promise<Pick<Received, 'bytes' | 'isCut'>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = body?.getReader();
  while (reader && length < maxBytes) {
    const { done, value } = await reader.read();
    if (done) return { bytes: joined(parts, length), isCut: false };
    parts.push(value);
    length += value.length;
  }
  await reader?.cancel();
  return { bytes: joined(parts, length), isCut: length >= maxBytes };
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
