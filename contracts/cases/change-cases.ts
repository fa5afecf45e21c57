import { membersOf, parseJson, toJson } from '../../common/json.ts';
import { toToken } from '../../common/json-pointer.ts';
import { jsonPatchType, mergePatchType } from '../../common/media-type.ts';
import { shapeOf } from '../../common/path-template.ts';
import { topOf, valueAt } from '../../common/property-path.ts';
import { lettersOf } from '../../common/words.ts';
import type { Api, FlatSchema, Operation, Resource, Schema } from '../../openapi/index.ts';
import { idParameterOf } from '../../openapi/model/resource.ts';
import { mayBeComputed, saysComputed } from '../document/computed.ts';
import { type SendableBody, sendableBodyOf } from '../document/sendable-body.ts';
import { isClearIn } from './bodies.ts';
import { bodyPartsOf, wrap } from './body-parts.ts';
import { type Case, type Change, type ExpectedEffect, plainCase } from './case.ts';
import { toPlainObject } from './example-value.ts';
import { freshText, type HeldValue, otherValue } from './fresh-value.ts';
import { holdsSecret, isSecret } from './made-secrets.ts';
import { readOnlyFields } from './read-only.ts';
import { namedIn, withOwnItems } from './references.ts';

/**
 * The changes that the document describes for an item, in the order in which they can be made; none
 * where no value is known that it could be changed to.
 */
export function changesOf(document: Api, resource: Resource, known: ItemFacts): ItemChange[] {
  const replacement = replacementOf(document, resource, known);
  // A replacement leaves little of an item that an update could lose.
  const changes = [...updatesOf(document, resource, known), ...(replacement ? [replacement] : [])];
  return [...withReadOnly(document, resource, changes), ...changes];
}

/** A change by plain JSON that also sends what is marked readOnly; none where nothing is. */
function withReadOnly(
  document: Api,
  resource: Resource,
  changes: readonly ItemChange[],
): ItemChange[] {
  const fields = readOnlyFields(document, resource);
  const plain = changes.find(({ how, body }) => how !== 'json-patch' && body && !body.form);
  const value = membersOf(plain?.body?.value);
  if (!plain?.body || !value || Object.keys(fields).length === 0) return [];
  const [wrapper] = plain.operation.fieldsAt ?? [];
  const whole =
    wrapper === undefined
      ? { ...value, ...fields }
      : { ...value, [wrapper]: { ...membersOf(value[wrapper]), ...fields } };
  const body = { ...plain.body, value: whole };
  return [{ ...plain, how: 'read-only', body, expected: { changed: {}, same: {} } }];
}

/** The deletion of an item. */
export function deletionOf({ operations }: Resource): ItemChange | undefined {
  return (
    operations.delete && {
      how: 'delete',
      operation: operations.delete,
      expected: { changed: {}, same: {} },
    }
  );
}

/** The case of a change. `path` is the item's, and `number` that of the try, from 1. */
export function changeCase(
  change: ItemChange,
  { id, path, number = 1 }: { id: string; path: string; number?: number },
): Case {
  const { how, operation, body, expected } = change;
  return {
    ...plainCase(operation, `${how} ${id}${number === 1 ? '' : `, ${number}`}`),
    path,
    ...(body && { headers: { 'Content-Type': body.mediaType }, body: toJson(body.value) }),
    ...(body?.form && { form: body.form }),
    purpose: { kind: 'change', how, id, expected },
    writes: true,
  };
}

/**
 * Replaces an item by what its body requires alone, with other values, so that what it had besides
 * must go; undefined where no such body is known.
 */
export function replacementOf(
  document: Api,
  resource: Resource,
  known: ItemFacts,
): ItemChange | undefined {
  const { item, own } = known;
  const { item: shown, idProperty } = resource;
  const { replace } = resource.operations;
  const body = replace && sendableBodyOf(replace);
  if (!replace || !body) return undefined;
  const { form, mediaType } = body;
  const parts = bodyPartsOf(document, replace);
  const described = toPlainObject(document, parts.schema, { like: item });
  const settable = withoutId(described.properties, idProperty);
  const isSendable = (name: string, value: unknown) =>
    value !== undefined && (!form || isClearIn(form, name, value));
  const others = Object.fromEntries(
    Object.entries(settable)
      .filter(([name]) => described.required.includes(name))
      .map(
        ([name, schema]) => [name, otherOf(document, resource, known, { name, schema })] as const,
      )
      .filter(([name, other]) => isSendable(name, other)),
  );
  // A deployment may refuse another version or state; it is sent where there is nothing else.
  const isFree = (name: string) =>
    !mayBeComputed(name) && !saysComputed(document, settable[name] ?? {});
  const isAnyFree = Object.keys(others).some(isFree);
  const sent: Record<string, unknown> = {};
  for (const name of Object.keys(settable)) {
    if (!described.required.includes(name)) continue;
    sent[name] = name in others && (isFree(name) || !isAnyFree) ? others[name] : item[name];
  }
  const [optional] = Object.keys(settable).filter((name) => !(name in sent));
  if (Object.keys(sent).length === 0 && optional !== undefined)
    sent[optional] = otherOf(document, resource, known, {
      name: optional,
      schema: settable[optional],
    });
  if (!Object.entries(sent).every(([name, value]) => isSendable(name, value))) return undefined;

  const changed = Object.entries(sent)
    // A deployment may show a secret in another form, or not at all.
    .filter(([, value]) => !holdsSecret(value))
    .filter(([name, value]) => name in item && toJson(item[name]) !== toJson(value))
    .map(([name, to]) => [name, { from: item[name], to }] as const);
  const left = Object.entries(document.schemas.takesWhole(replace, resource) ? settable : {})
    .filter(([name, schema]) => !(name in sent) && name in own && !mayReturn(own[name], schema))
    .filter(([name]) => !shown.required.includes(name))
    .map(([name]) => [name, item[name]] as const);
  if (changed.length + left.length === 0) return undefined;
  const ofId = topOf(idProperty);
  const id = described.required.includes(ofId)
    ? { [ofId]: item[ofId] }
    : idInBody(resource, replace, item);
  return {
    how: 'replace',
    operation: replace,
    body: {
      mediaType,
      value: wrap(parts, { ...id, ...sent }),
      ...(form && { form }),
    },
    expected: { changed: Object.fromEntries(changed), same: {}, left: Object.fromEntries(left) },
  };
}

/** Whether an item without a value of its own may show this one all the same. */
function mayReturn(value: unknown, { default: byDefault }: Schema): boolean {
  const isEmpty = value === null || value === '' || toJson(value) === '[]';
  return isEmpty || toJson(value) === '{}' || toJson(value) === toJson(byDefault);
}

/**
 * Sets one property of an item, in each way that the document describes: the one that a deployment
 * is most likely to let a client set.
 */
export function updatesOf(document: Api, resource: Resource, known: ItemFacts): ItemChange[] {
  const { item, own, named = [] } = known;
  const { item: shown, idProperty } = resource;
  const { update } = resource.operations;
  const body = update && sendableBodyOf(update);
  if (!update || !body) return [];
  const { form, mediaType } = body;
  const parts = bodyPartsOf(document, update);
  const { properties: patch, required } = toPlainObject(document, parts.schema, { like: item });
  const isDescribed = Object.keys(patch).length > 0;
  // A JSON Patch alone describes no item.
  const settable = withoutId(isDescribed ? patch : settableOf(document, shown), idProperty);
  const toOther = (name: string) =>
    otherOf(document, resource, known, { name, schema: settable[name] });
  const within = (name: string) => otherWithin(document, resource, known, { name, patch });
  const other = (name: string) => toOther(name) ?? within(name);
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
  // An object may be merged with the one that is there, unless it has all that this shows.
  const chosen =
    others.find((name) => typeof other(name) !== 'object') ??
    others.find((name) => Array.isArray(other(name))) ??
    others.find((name) => within(name));
  if (chosen === undefined) return [];
  const to = within(chosen) ?? other(chosen);
  const isKept = (name: string) => name in item && !isSecret(name, patch[name] ?? {});
  const needed = required.filter(isKept).map((name) => [name, item[name]]);
  const kept = { ...idInBody(resource, update, item), ...Object.fromEntries(needed) };
  const value = wrap(parts, { ...kept, [chosen]: to });
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
          value: [{ op: 'add', path: `/${toToken(chosen)}`, value: to }],
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

type Item = Readonly<Record<string, unknown>>;

/** A change of an item, and what it makes of it. */
export type ItemChange = {
  how: Change;
  operation: Operation;
  body?: { mediaType: string; value: unknown } & Pick<SendableBody, 'form'>;
  expected: ExpectedEffect;
};

/**
 * An item as it was last seen, the values of it that the run has set, texts for new values that no
 * item has, and the properties that an update of the kind has named before.
 */
type ItemFacts = Pick<HeldValue, 'marker' | 'fresh'> & {
  item: Item;
  own: Item;
  named?: readonly string[];
};

/**
 * Another value for a property of a known item, which names no other; undefined where none fits, and
 * where the id is made of the value, as a slug is: the change would move the item.
 */
function otherOf(
  document: Api,
  resource: Resource,
  { item, own, marker, fresh }: ItemFacts,
  { name, schema = {} }: { name: string; schema: Schema | undefined },
): unknown {
  const value = item[name];
  const [id, text] = [valueAt(item, resource.idProperty), value].map(toLetters);
  if (text && id?.includes(text)) return undefined;
  const isOwn = name in own && toJson(own[name]) === toJson(value);
  const other = otherValue(document, schema, { name, value, isOwn, marker, fresh });
  const field = { schema, name, value: other };
  if (namedIn(document, resource, field).length > 0) return undefined;
  return typeof other === 'object'
    ? withFresh(withOwnItems(document, resource, field), fresh)
    : other;
}

/** The letters and digits of a text that is long enough to be that of one item alone. */
function toLetters(value: unknown): string {
  const letters = typeof value === 'string' ? lettersOf(value) : '';
  return letters.length < minTelling ? '' : letters;
}

/** The fewest characters by which a text tells that it is part of an id. */
const minTelling = 6;

/**
 * An object with another text in place of one of the run, and all that may be set besides, so that it is
 * the same whether it is merged or replaced; undefined where it has no such text, or names an item.
 */
function otherWithin(
  document: Api,
  resource: Resource,
  facts: ItemFacts,
  { name, patch }: { name: string; patch: FlatSchema['properties'] },
): Item | undefined {
  const [held, own] = [facts.item[name], facts.own[name]].map(membersOf);
  const schema = patch[name];
  if (!held || !own || !schema || Array.isArray(held)) return undefined;
  if (namedIn(document, resource, { schema, name, value: held }).length > 0) return undefined;
  const { properties } = toPlainObject(document, schema, { like: held });
  const known = { ...facts, item: held, own };
  const sent = Object.entries(held).filter(([member]) => Object.hasOwn(properties, member));
  for (const [member, value] of sent) {
    const { enum: values } = document.schemas.resolve(properties[member] ?? {});
    const isOfRun = typeof value === 'string' && value.includes(facts.fresh.slice(0, 6));
    if (!isOfRun || values) continue;
    const schema = properties[member];
    const to = otherOf(document, resource, known, { name: member, schema });
    if (typeof to === 'string') return { ...Object.fromEntries(sent), [member]: to };
  }
  return undefined;
}

/** A list or an object with `fresh` in its free texts; undefined where it holds a number or a time. */
function withFresh(value: unknown, fresh: string): unknown {
  let count = 0;
  // What differs in two items of a list stays different.
  const toOther = () => {
    const digit = (count++).toString(16).at(-1);
    return `${fresh.slice(0, 6)}${digit}${fresh.slice(7)}`;
  };
  const text = toJson(value).replaceAll(freshText, toOther);
  return /\{\{(?:number\}|instant\}|RUN\}|varied\.)/.test(text) ? undefined : parseJson(text);
}

/** The properties that a change may set: not the id, nor the object that has it. */
function withoutId(
  properties: FlatSchema['properties'],
  idProperty: string,
): Record<string, Schema> {
  const own = topOf(idProperty);
  return Object.fromEntries(Object.entries(properties).filter(([name]) => name !== own));
}

/** The id of an item, if it is changed at the path of its collection, which names no item. */
function idInBody({ idProperty, path }: Resource, operation: Operation, item: Item): Item {
  const own = topOf(idProperty);
  const isOnCollection =
    idParameterOf(operation) === undefined && shapeOf(operation.path) === shapeOf(path);
  return isOnCollection ? { [own]: item[own] } : {};
}
