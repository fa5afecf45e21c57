import type { Entry } from '../../journal/entry.ts';
import type { Admin } from './admin.ts';
import type { TwinUrls } from './twin-urls.ts';

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
  'The journal has no entry of this request. It never reached the twin, or newer requests took its place.';

/** How long to wait for a request that the twin is still about to record, in milliseconds. */
const waits = [0, 100, 300, 1000];

/**
 * Finds what the journal has of the request that was marked so. A request that is refused for its
 * key is in the journal of the default sandbox, so both are looked at.
 */
export async function findEntry(
  mark: string,
  { admin, urls, status }: { admin: Admin; urls: TwinUrls; status?: number },
): Promise<FoundEntry> {
  const roots = [...new Set([urls.root, urls.defaultRoot])];
  if (status === 401) roots.reverse();
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
