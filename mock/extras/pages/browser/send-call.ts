import type { Entry } from '../../../journal/entry.ts';
import type { Admin } from './admin.ts';

/** The response, or the reason that none came. */
export type Outcome = { milliseconds: number } & (ReceivedResponse | { problem: string });

export type ReceivedResponse = {
  status: number;
  statusText: string;
  headers: [name: string, value: string][];
  bytes: Uint8Array<ArrayBuffer>;
};

/**
 * Sends a request and reads its answer; it never rejects. A redirect is not followed, and browsers
 * hide its answer.
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
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { milliseconds: elapsed(), status, statusText, headers: [...headers], bytes };
  } catch (error) {
    const { name, message } = error as Error;
    const problem =
      name === 'AbortError'
        ? 'You cancelled the request.'
        : `There is no response: the connection broke, or the browser refused the request (${message}).`;
    return { milliseconds: elapsed(), problem };
  }
}

/**
 * The header that marks a request of a page, so that the journal's entry of it is found among those
 * of everybody else.
 */
export const markHeader = 'X-Try-It';

/** A value of the header that no other request has; pages without TLS have no `randomUUID`. */
export function createMark(): string {
  return crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
}

/** The entry of a request, or the twin's words on why there is none to be had. */
export type FoundEntry = { entry: Entry } | { problem: string };

const notFound =
  'The journal has no entry of this request. It never reached the mock, or newer requests took its place.';

/** How long to wait for a request that the twin is still about to record, in milliseconds. */
const waits = [0, 100, 300, 1000];

/**
 * Finds what the journal has of the request that was marked so. A request that is refused for its
 * key is in the journal of the default sandbox, so both are looked at.
 */
export async function findEntry(
  mark: string,
  { admin, urls }: { admin: Admin; urls: TwinUrls },
): Promise<FoundEntry> {
  const roots = new Set([urls.root, urls.defaultRoot]);
  const body = { headers: { [markHeader]: { equalTo: mark } } };
  for (const wait of waits) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    for (const root of roots) {
      const path = `${root}__admin/requests/find?limit=1&admin=true`;
      const result = await admin.call({ method: 'POST', path, body });
      if (!result.ok) return { problem: result.message };
      const [entry] = (result.value as { requests: Entry[] }).requests;
      if (entry) return { entry };
    }
  }
  return { problem: notFound };
}

/** URLs of the twin for this page, as a sandbox or a proxy may add a path. All end with a slash. */
export type TwinUrls = {
  /** The URL of the API and the admin of the page's sandbox. */
  root: string;
  /** The URL of the API and the admin of the default sandbox. */
  defaultRoot: string;
};

/** Finds it from the URL of the root of a sandbox, as the browser knows it. */
export function toTwinUrls({ href }: URL): TwinUrls {
  const root = href.replaceAll("'", '%27');
  return { root, defaultRoot: root.replace(/\/sandboxes\/[^/]+\/$/, '/') };
}
