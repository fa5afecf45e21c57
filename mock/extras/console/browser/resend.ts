import { basicUser } from '../../../curl/place-key.ts';
import type { Entry } from '../../../journal/entry.ts';

/** The journal's text in place of a key. */
export const filteredKey = '[Filtered]';

/** Whether the journal hid a key of a request, so that one is needed to send it again. */
export function needsKey({ url, request }: Entry): boolean {
  return [url ?? '', request.body ?? '', ...Object.values(request.headers).flat()].some((text) =>
    text.includes(filteredKey),
  );
}

/** Why a browser cannot send a request again. */
export function problemOfResend({ method, url, request }: Entry): string | undefined {
  if (method === null || !url?.startsWith('/')) return 'This was no HTTP request for a path.';
  if (request.truncated) return 'The journal has only the beginning of its body.';
  if (request.body !== null && /^(?:GET|HEAD)$/.test(method))
    return `Browsers send no body with ${method}. Copy it as curl instead.`;
  return undefined;
}

/** A request as `fetch` sends it. */
export type Resend = {
  url: string;
  init: { method: string; headers: [name: string, value: string][]; body?: string };
};

/** Headers that describe a body's length and encoding; the body is sent as it is shown. */
const ofBody = ['content-length', 'content-encoding', 'transfer-encoding'];

/**
 * Creates the request that repeats an exchange, with a key in place of a filtered one. `base` is
 * the URL of the console. The browser replaces headers that no page may set.
 */
export function toResend({ method, url, request }: Entry, key: string, base: string): Resend {
  const fill = (text: string) =>
    text === `Basic ${filteredKey}`
      ? `Basic ${btoa(`${basicUser}:${key}`)}`
      : text.replaceAll(filteredKey, key);
  const root = new URL('..', base).href.replace(/\/$/, '');
  const headers = Object.entries(request.headers)
    .filter(([name]) => !ofBody.includes(name.toLowerCase()))
    .flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, fill(value)]),
    );
  return {
    url: root + (url ?? '').replaceAll(filteredKey, encodeURIComponent(key)),
    init: {
      method: method ?? 'GET',
      headers,
      ...(request.body !== null && { body: fill(request.body) }),
    },
  };
}
