import type { Entry } from '../../mock/journal/entry.ts';
import { createSend } from './create-send.ts';
import type { TestTwin } from './twin.ts';

/**
 * Calls of the admin of a twin, or of a sandbox by its prefix (`/sandboxes/NAME`), and what they
 * give of the journal.
 */
export function adminOf(
  { origin }: Pick<TestTwin, 'origin'>,
  prefix = '',
  headers: Readonly<Record<string, string>> = {},
) {
  const send = createSend(`${origin}${prefix}/__admin/`, headers);
  const ask = async (path: string, method = 'GET') => (await send(method, path)).json;
  const post = async (path: string, body: unknown) => (await send('POST', path, body)).json;
  const list = async (query = ''): Promise<Entry[]> => (await ask(`requests${query}`)).requests;
  const latest = async (): Promise<Entry> => ask('requests/latest');
  return { send, ask, post, list, latest };
}
