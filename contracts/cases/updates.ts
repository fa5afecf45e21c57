import type { ApiDocument, FlatSchema, Resource } from '../description/document.ts';
import { describeSent } from '../description/marks.ts';
import { jsonPatchType, mergePatchType } from '../description/operation.ts';
import { sendableBodyOf } from '../description/sendable-body.ts';
import { namesMediaType } from '../description/stated.ts';
import { isClearIn } from './bodies.ts';
import { toBodyParts, wrap } from './body-parts.ts';
import { type ItemChange, type Known, withoutId } from './item-change.ts';
import { otherValue } from './other-value.ts';

/** Sets one property of an item, in each way that the document describes. */
export function updatesOf(
  document: ApiDocument,
  { operations: { update }, item: shown, idProperty, bodyForm }: Resource,
  { item, own, marker }: Known,
): ItemChange[] {
  const body = update && sendableBodyOf(update);
  if (!update || !body) return [];
  const { schema, form, mediaType } = body;
  const parts = toBodyParts(document, schema, bodyForm?.update);
  const patch = describeSent(document, parts.schema).properties;
  const isDescribed = Object.keys(patch).length > 0;
  // A JSON Patch alone describes no item.
  const settable = withoutId(isDescribed ? patch : settableOf(document, shown), idProperty);
  const names = Object.keys(settable);
  const other = (name: string) => otherValue(document, settable[name] ?? {}, item[name], marker);
  const known = names.filter((name) => Object.hasOwn(item, name));
  const others = [...known, ...names].filter((name) => other(name) !== undefined);
  // An object may be merged with the one that is there.
  const chosen =
    others.find((name) => typeof other(name) !== 'object') ??
    others.find((name) => Array.isArray(other(name)));
  if (chosen === undefined) return [];
  const to = other(chosen);
  const value = wrap(parts, { [chosen]: to });
  const changed = { [chosen]: { from: item[chosen], to } };
  const same = Object.fromEntries(
    Object.keys(own)
      .filter((name) => name !== chosen)
      .map((name) => [name, item[name]]),
  );
  const isNamed = (mediaType: string) => namesMediaType(document, update, mediaType);
  const isMerge = document.clauses.some(({ id }) => id === 'merge-patch');
  const isPlain = !form && isDescribed && !isNamed(mergePatchType);
  const changes: (ItemChange | false | undefined)[] = [
    form &&
      isClearIn(form, chosen, to) && {
        how: 'form',
        operation: update,
        body: { mediaType, value, form },
        expected: { changed, same: {} },
      },
    isPlain && {
      how: isMerge ? 'merge-patch' : 'json',
      operation: update,
      body: { mediaType, value },
      expected: { changed, same: isMerge ? same : {} },
    },
    isNamed(mergePatchType) && {
      how: 'merge-patch',
      operation: update,
      body: { mediaType: mergePatchType, value },
      expected: { changed, same },
    },
    // Whether its pointers begin in what holds the item is not stated.
    !parts.wrapper &&
      isNamed(jsonPatchType) && {
        how: 'json-patch',
        operation: update,
        body: {
          mediaType: jsonPatchType,
          value: [{ op: 'add', path: `/${toPointerToken(chosen)}`, value: to }],
        },
        expected: { changed, same },
      },
  ];
  return changes.filter((one) => typeof one === 'object');
}

/** The properties of an item that requests may set. */
function settableOf(document: ApiDocument, item: FlatSchema): FlatSchema['properties'] {
  return describeSent(document, { type: 'object', ...item }).properties;
}

function toPointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
