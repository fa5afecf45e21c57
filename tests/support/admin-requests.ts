import type { Entry } from '../../mock/journal/entry.ts';
import type { TestTwin } from './twin.ts';

const json = { 'Content-Type': 'application/json' };

/**
 * Calls of the admin of a twin, or of a sandbox by its prefix (`/sandboxes/NAME`), and what they
 * give of the journal.
 */
export function adminOf({ origin }: Pick<TestTwin, 'origin'>, prefix = '') {
  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${origin}${prefix}/__admin/${path}`, init);
    const text = await response.text();
    return { status: response.status, type: response.headers.get('content-type'), text };
  };
  const ask = async (path: string, init: RequestInit = {}) =>
    JSON.parse((await call(path, init)).text);
  const post = (path: string, pattern: unknown) =>
    ask(path, { method: 'POST', headers: json, body: JSON.stringify(pattern) });
  const list = async (query = ''): Promise<Entry[]> => (await ask(`requests${query}`)).requests;
  const latest = async (): Promise<Entry> => ask('requests/latest');
  return { call, ask, post, list, latest };
}
