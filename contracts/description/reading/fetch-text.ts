import { DocumentError } from '../schema.ts';

/** The size of the largest document, and of each file that it refers to. */
export const maxBytes = 64 * 1024 * 1024;
const maxSeconds = 30;
const maxRedirects = 5;

/**
 * What a URL answers, as text, within bounds of size and time. Redirects are followed on the same
 * origin only. Throws {@link DocumentError}, whose message shows no user and no password.
 */
export async function fetchText(url: string): Promise<string> {
  const fail = (problem: string): never => {
    throw new DocumentError(`${withoutUser(url)} cannot be fetched: ${problem}.`);
  };
  if (!URL.canParse(url)) return fail('its URL is not valid');
  if (hasUser(url))
    return fail('its URL has a user or a password. Download the document, and name the file');
  try {
    const response = await follow(url, fail);
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

/** Another origin may lie in a network that only this machine reaches, so it is not asked. */
async function follow(url: string, fail: (problem: string) => never): Promise<Response> {
  const signal = AbortSignal.timeout(maxSeconds * 1000);
  const { origin } = new URL(url);
  let next = url;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const response = await fetch(next, {
      headers: { Accept: 'application/json, application/yaml, text/yaml, */*;q=0.5' },
      redirect: 'manual',
      signal,
    });
    const location = response.headers.get('location');
    if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return response;
    await response.body?.cancel();
    if (!URL.canParse(location, next)) return fail('it redirects to a URL that is not valid');
    next = withoutUser(new URL(location, next).href);
    if (new URL(next).origin !== origin)
      return fail(`it redirects to another origin. If you trust it, name its URL: ${next}`);
  }
  return fail(`it redirects more than ${maxRedirects} times`);
}

function hasUser(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== '' || password !== '';
}

/** A URL without its user and password; of one that is not valid, without all that may be them. */
function withoutUser(url: string): string {
  if (!URL.canParse(url)) return url.replace(/\/\/.*@/s, '//');
  if (!hasUser(url)) return url;
  return Object.assign(new URL(url), { username: '', password: '' }).href;
}
