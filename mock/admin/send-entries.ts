import type { ServerResponse } from 'node:http';
import type { Entry } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import { sendParts } from './send-parts.ts';

/**
 * What is sent: the entries of these ids, each as `toForm` shows it, in a list between two texts of
 * JSON.
 */
export type EntryList = {
  journal: Pick<Journal, 'get'>;
  ids: Iterable<number>;
  before: string;
  after: string;
  toForm?: (entry: Entry) => unknown;
};

/**
 * Sends entries of a journal as JSON, each made when the client has taken those before it: all of
 * them together take several times the memory that the journal keeps them in. One that made room
 * for others by then is left out.
 */
export function sendEntries(response: ServerResponse, list: EntryList): Promise<void> {
  return sendParts(response, toParts(list));
}

function* toParts({
  journal,
  ids,
  before,
  after,
  toForm = (entry) => entry,
}: EntryList): Generator<string> {
  yield before;
  let separator = '';
  for (const id of ids) {
    const entry = journal.get(id);
    if (!entry) continue;
    yield separator + JSON.stringify(toForm(entry));
    separator = ',';
  }
  yield after;
}
