import { DocumentError } from '../../common/cli/usage-error.ts';

/** The size of the largest document, and of each file that it refers to. */
export const maxBytes = 64 * 1024 * 1024;
const maxSeconds = 30;

/**
 * Fetches the text at a URL, within bounds of size and time. No redirect is followed: it may lead
 * into a network that only this machine reaches. Throws {@link DocumentError}, whose message shows
 * no user and no password.
 */
export async function fetchText(url: string): Promise<string> {
  const fail = (problem: string): never => {
    throw new DocumentError(`${withoutUser(url)} cannot be fetched: ${problem}.`);
  };
  if (!URL.canParse(url) || withoutUser(url) !== url)
    return fail('its URL is not valid, or has a user or a password. Download the document instead');
  try {
    const response = await fetch(url, {
      headers: { Accept: 'application/json, application/yaml, text/yaml, */*;q=0.5' },
      redirect: 'manual',
      signal: AbortSignal.timeout(maxSeconds * 1000),
    });
    const target = URL.parse(response.headers.get('location') ?? '', url);
    if (response.status >= 300 && response.status < 400 && target)
      fail(`it redirects. If you trust that, name its URL: ${withoutUser(target.href)}`);
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

/** A URL without its user and password; of one that is not valid, without all that may be them. */
function withoutUser(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return url.replace(/\/\/.*@/s, '//');
  if (parsed.username === '' && parsed.password === '') return url;
  return Object.assign(parsed, { username: '', password: '' }).href;
}
