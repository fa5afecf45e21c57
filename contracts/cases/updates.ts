import { jsonPatchType, mergePatchType } from '../../common/media-type.ts';
import type { Api, FlatSchema, Resource } from '../../openapi/index.ts';
import { mayBeComputed, saysComputed } from '../document/computed.ts';
import { sendableBodyOf } from '../document/sendable-body.ts';
import { isClearIn } from './bodies.ts';
import { toBodyParts, wrap } from './body-parts.ts';
import { toPlainObject } from './example-value.ts';
import { type ItemChange, type ItemFacts, idInBody, otherOf, withoutId } from './item-change.ts';
import { holdsSecret } from './made-secrets.ts';

/**
 * Sets one property of an item, in each way that the document describes: the one that a deployment
 * is most likely to let a client set.
 */
export function updatesOf(document: Api, resource: Resource, known: ItemFacts): ItemChange[] {
  const { item, own, named = [] } = known;
  const { item: shown, idProperty, bodyForm } = resource;
  const { update } = resource.operations;
  const body = update && sendableBodyOf(update);
  if (!update || !body) return [];
  const { schema, form, mediaType } = body;
  const parts = toBodyParts(document, schema, bodyForm?.update);
  const { properties: patch } = toPlainObject(document, parts.schema, { like: item });
  const isDescribed = Object.keys(patch).length > 0;
  // A JSON Patch alone describes no item.
  const settable = withoutId(isDescribed ? patch : settableOf(document, shown), idProperty);
  const other = (name: string) =>
    otherOf(document, resource, known, { name, schema: settable[name] });
  const isShown = (name: string) => name in item || name in shown.properties;
  const doubtOf = (name: string) => {
    const { type, enum: values } = document.schemas.resolve(settable[name] ?? {});
    const isText = type === 'string' && values === undefined;
    const isUnset = name in item ? Number(!(name in own)) : 2;
    return 6 * Number(mayBeComputed(name)) + 2 * isUnset + Number(!isText);
  };
  const others = Object.keys(settable)
    .filter((name) => !named.includes(name) && isShown(name) && other(name) !== undefined)
    .filter((name) => !saysComputed(document, settable[name]) && !holdsSecret(other(name)))
    .toSorted((left, right) => doubtOf(left) - doubtOf(right));
  // An object may be merged with the one that is there.
  const chosen =
    others.find((name) => typeof other(name) !== 'object') ??
    others.find((name) => Array.isArray(other(name)));
  if (chosen === undefined) return [];
  const to = other(chosen);
  const value = wrap(parts, { ...idInBody(resource, update, item), [chosen]: to });
  const changed = { [chosen]: { from: item[chosen], to } };
  const same = Object.fromEntries(
    Object.keys(own)
      .filter((name) => name !== chosen)
      .map((name) => [name, item[name]]),
  );
  const isNamed = (mediaType: string) => document.schemas.namesMediaType(update, mediaType);
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
function settableOf(document: Api, item: FlatSchema): FlatSchema['properties'] {
  return document.schemas.describeSent({ type: 'object', ...item }).properties;
}

function toPointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
