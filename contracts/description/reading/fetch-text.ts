import { DocumentError } from '../schema.ts';

const maxBytes = 64 * 1024 * 1024;
const maxSeconds = 30;

/** What a URL answers, as text, within bounds of size and time. Throws {@link DocumentError}. */
export async function fetchText(url: string): Promise<string> {
  const fail = (problem: string): never => {
    throw new DocumentError(`${url} cannot be fetched: ${problem}.`);
  };
  try {
    const response = await fetch(url, {
      headers: { Accept: 'application/json, application/yaml, text/yaml, */*;q=0.5' },
      signal: AbortSignal.timeout(maxSeconds * 1000),
    });
    if (!response.ok) fail(`it answers ${response.status}`);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > maxBytes) fail('it has more than 64 MB');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    const { name, message, cause } = error as Error;
    if (name === 'TimeoutError') return fail(`it takes longer than ${maxSeconds} s`);
    return fail(cause instanceof Error && cause.message !== '' ? cause.message : message);
  }
}
