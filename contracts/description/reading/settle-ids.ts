import type { RawDocument } from '../schema.ts';
import { settleGenerics } from './settle-generics.ts';
import { isRecord, walkDocument } from './walk.ts';

/** Keywords that name a schema, or would make a validator look for schemas elsewhere. */
const unread = ['$id', 'id', '$anchor', '$dynamicAnchor', '$schema', '$async', '$vocabulary'];

/** Whether a schema of a document has a name of its own, as JSON Schema allows. */
export function hasIds(document: RawDocument): boolean {
  let found = false;
  walkDocument(document, (part, { kind }) => {
    found ||=
      kind === 'schema' && isRecord(part) && unread.some((name) => Object.hasOwn(part, name));
  });
  return found;
}

/**
 * Makes references to names (`$id`, `$anchor`) references to places, in place, and takes the names
 * away: validators would read all references below one in another way than the document's.
 */
export function settleIds(document: RawDocument): void {
  const places = new Map<string, string>();
  walkDocument(document, (part, { kind, pointer }) => {
    if (kind !== 'schema' || !isRecord(part)) return;
    for (const name of [part.$id, part.id])
      if (typeof name === 'string') places.set(name.replace(/#$/, ''), pointer);
    for (const name of [part.$anchor, part.$dynamicAnchor])
      if (typeof name === 'string') places.set(`#${name}`, pointer);
  });
  walkDocument(document, (part, { kind }) => {
    if (kind !== 'schema' || !isRecord(part)) return;
    const place =
      typeof part.$ref === 'string' ? places.get(part.$ref.replace(/#$/, '')) : undefined;
    if (place !== undefined) part.$ref = `#${encodeURI(place)}`;
  });
  settleGenerics(document);
  walkDocument(document, (part, { kind }) => {
    if (kind !== 'schema' || !isRecord(part)) return;
    for (const name of unread) delete part[name];
  });
}
