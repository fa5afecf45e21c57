import type { ApiDocument, Resource } from './document.ts';
import { describeShown } from './marks.ts';
import { resolve } from './schema.ts';
import { statedErrors, statedSuccesses } from './stated.ts';

/** Words of a deletion that leaves an item where it is, for a while or for good. */
const notYet =
  /archiv|cancel|close|deactivat|disabl|eventual|later|mark|queue|recycl|restor|schedul|soft|trash|undelet/gi;

/** Properties by which a deleted item says that it is. */
const deletionMark = /^(is_?)?(deleted|archived|removed)(_?(at|on|by))?$/i;

/** Parameters that ask for deleted items, or for no others. */
const asksForDeleted =
  /^(include|only|show|with|without)?_?(all_?)?(and_?)?(archived|deleted|inactive|removed|trash(ed)?)(_?(items|only|too))?$/i;

/**
 * Whether a document states that a deletion deletes an item that can be read: it is answered when it
 * is done (200 or 204; RFC 9110 §9.3.5), and nothing that either describes speaks of another sort of
 * deletion, but for the item's own name in the path, such as `queues`.
 */
export function statesDeletion(document: ApiDocument, { operations }: Resource): boolean {
  const { delete: remove, read, list } = operations;
  if (!remove || !read || remove.method !== 'DELETE') return false;
  const isDone = statedSuccesses(remove).every(({ status }) => ['200', '204'].includes(status));
  if (!isDone || statedSuccesses(remove).length === 0) return false;
  const { summary = '', description = '' } =
    resolve(document.raw, document.raw.paths?.[remove.path])?.delete ?? {};
  const words = [remove.id, summary, description];
  words.push(...remove.responses.map((response) => response.description));
  const shown = statedSuccesses(read).flatMap(({ schema = {} }) =>
    Object.keys(describeShown(document, schema).properties),
  );
  const parameters = [read, list, remove].flatMap((one) => one?.parameters ?? []);
  if (parameters.some(({ name }) => asksForDeleted.test(name))) return false;
  const found = words.flatMap((text) => text.match(notYet) ?? []);
  const isOther = (word: string) => !remove.path.toLowerCase().includes(word.toLowerCase());
  return !found.some(isOther) && !shown.some((one) => deletionMark.test(one));
}

/** Whether a document states how a read answers for an item that is not there. */
export function statesMissing({ operations: { read } }: Resource): boolean {
  const errors = read ? statedErrors(read) : [];
  return errors.some(({ status }) => ['404', '410'].includes(status));
}
