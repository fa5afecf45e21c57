import type { PlacedKey } from '../../curl/place-key.ts';

/**
 * Sends a request with these cookies. A page cannot name the cookies of a request, so the browser
 * has them for as long as it lasts.
 */
export async function withCookies<T>(
  cookies: PlacedKey['cookies'],
  send: (credentials: 'omit' | 'same-origin') => Promise<T>,
): Promise<T> {
  if (cookies.length === 0) return await send('omit');
  set(cookies, 60);
  try {
    return await send('same-origin');
  } finally {
    set(cookies, 0);
  }
}

function set(cookies: PlacedKey['cookies'], seconds: number): void {
  for (const [name, value] of cookies) {
    const pair = `${name}=${encodeURIComponent(value.toWellFormed())}`;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS.
    document.cookie = `${pair}; Path=/; SameSite=Strict; Max-Age=${seconds}`;
  }
}
