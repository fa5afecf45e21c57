import type { KeyPlace } from '../../../../contracts/description/key-places.ts';
import { placeKey } from '../../../curl/place-key.ts';
import type { Entry } from '../../../journal/entry.ts';

const basic: KeyPlace = { in: 'authorization', scheme: 'Basic' };

/** What the journal shows in place of a key. */
export const filteredKey = '[Filtered]';

/** A request as a browser sends it again; `notes` say how it differs from the first one. */
export type Resend = {
  method: string;
  url: URL;
  headers: readonly (readonly [name: string, value: string])[];
  body?: string;
  notes: readonly string[];
};

/** Why a browser cannot send a request again. */
export type NoResend = { problem: string };

/** Whether the journal hid a key of a request, so that one is needed to send it again. */
export function needsKey({ url, request }: Entry): boolean {
  return [url ?? '', request.body ?? '', ...Object.values(request.headers).flat()].some((text) =>
    text.includes(filteredKey),
  );
}

/** What browsers set themselves, and let no page set (Fetch standard, forbidden request-header). */
const forbidden =
  /^(?:accept-charset|accept-encoding|access-control-request-(?:headers|method)|connection|content-length|cookie|cookie2|date|dnt|expect|host|keep-alive|origin|referer|set-cookie|te|trailer|transfer-encoding|upgrade|user-agent|via|(?:proxy|sec)-.*)$/i;

/** What says nothing of the request itself, so nobody misses it. */
const ofConnection =
  /^(?:accept-encoding|connection|content-length|host|keep-alive|te|transfer-encoding|user-agent|sec-.*)$/i;

/**
 * Makes the request that a browser sends to repeat one, with a key where the journal hid one; `base`
 * is the URL of the console. Or says why a browser cannot send it.
 */
export function toResend(entry: Entry, key: string, base: string): Resend | NoResend {
  const { method, request } = entry;
  if (method === null || entry.url === null) return { problem: 'This was not an HTTP request.' };
  if (/^(?:CONNECT|TRACE|TRACK)$/i.test(method))
    return { problem: `Browsers do not send ${method}.` };
  const fill = (text: string) =>
    text === `Basic ${filteredKey}`
      ? (placeKey([basic], key).headers.Authorization ?? '')
      : text.replaceAll(filteredKey, key);
  const url = toUrl(entry.url.replaceAll(filteredKey, encodeURIComponent(key)), base);
  if (!url) return { problem: 'A browser would change its URL before it sends it.' };
  const problem = problemOfBody(entry, method);
  if (problem !== undefined) return { problem };

  const headers: (readonly [string, string])[] = [];
  const left: string[] = [];
  for (const [name, values] of Object.entries(request.headers)) {
    if (Array.isArray(values) && values.length > 1 && !forbidden.test(name))
      return { problem: `Browsers join repeated headers, and it has ${name} more than once.` };
    if (forbidden.test(name)) {
      if (!ofConnection.test(name)) left.push(name);
    } else if (/^content-encoding$/i.test(name)) left.push(name);
    else headers.push([name, fill([values].flat()[0] ?? '')]);
  }
  const refused = headers.find((header) => isRefused(header));
  if (refused) return { problem: `Browsers do not send its header ${refused[0]}.` };
  return {
    method,
    url,
    headers,
    ...(request.body !== null && { body: fill(request.body) }),
    notes: left.length === 0 ? [] : [`The browser left out or set its own: ${left.join(', ')}.`],
  };
}

/** The URL below that of the twin, or undefined where a browser would send another one. */
function toUrl(pathAndQuery: string, base: string): URL | undefined {
  if (!pathAndQuery.startsWith('/')) return undefined;
  const root = new URL('..', base).pathname.replace(/\/$/, '');
  const url = new URL(new URL(base).origin + root + pathAndQuery);
  return url.pathname + url.search === root + pathAndQuery && url.hash === '' ? url : undefined;
}

function problemOfBody({ request }: Entry, method: string): string | undefined {
  const { headers, body, bytes, truncated } = request;
  if (truncated) return 'The journal has only the beginning of its body.';
  if (body === null) {
    const wasSent = Object.entries(headers).some(([name, value]) =>
      name.toLowerCase() === 'content-length'
        ? String(value) !== '0'
        : name.toLowerCase() === 'transfer-encoding',
    );
    return wasSent ? 'The twin answered it without reading its body.' : undefined;
  }
  if (/^(?:GET|HEAD)$/.test(method)) return `Browsers send no body with ${method}.`;
  const isReplaced =
    body.includes('\uFFFD') &&
    !body.includes(filteredKey) &&
    new TextEncoder().encode(body).length !== bytes;
  return isReplaced ? 'Its body is not UTF-8, and the journal shows text.' : undefined;
}

function isRefused([name, value]: readonly [string, string]): boolean {
  try {
    new Headers([[name, value]]);
    return false;
  } catch {
    return true;
  }
}
