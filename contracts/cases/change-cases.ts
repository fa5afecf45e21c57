import type {
  ApiDocument,
  FlatSchema,
  Operation,
  Resource,
  Schema,
} from '../description/document.ts';
import { describeSent } from '../description/marks.ts';
import { jsonPatchType, mergePatchType } from '../description/operation.ts';
import { type SendableBody, sendableBodyOf } from '../description/sendable-body.ts';
import { namesMediaType } from '../description/stated.ts';
import { toJson } from '../json.ts';
import { isClearIn } from './bodies.ts';
import { toBodyParts, wrap } from './body-parts.ts';
import type { Case, Change, Expected } from './case.ts';
import { exampleValue } from './example-value.ts';

type Item = Readonly<Record<string, unknown>>;

/** A change of an item, and what it makes of it. */
export type ItemChange = {
  how: Change;
  operation: Operation;
  body?: { mediaType: string; value: unknown } & Pick<SendableBody, 'form'>;
  expected: Expected;
};

const unchanged: Expected = { changed: {}, same: {} };

/**
 * The changes that the document describes for an item as it was last seen, in the order in which
 * they can be made; none where no value is known that it could be changed to.
 */
export function changesOf(
  document: ApiDocument,
  { operations: { replace, update }, item: shown, idProperty, bodyForm }: Resource,
  item: Item,
  marker: string,
): ItemChange[] {
  const changes: ItemChange[] = [];
  const replacement = replace && sendableBodyOf(replace);
  if (replace && replacement) {
    const { schema, form } = replacement;
    const parts = toBodyParts(document, schema, bodyForm?.replace);
    const described = describeSent(document, parts.schema);
    const settable = withoutId(described.properties, idProperty);
    const sent: Record<string, unknown> = {};
    for (const [name, schema] of Object.entries(settable)) {
      if (!described.required.includes(name)) continue;
      const other = otherValue(document, schema, item[name], marker);
      const isSendable = other !== undefined && (!form || isClearIn(form, name, other));
      sent[name] = isSendable ? other : item[name];
    }
    const [optional] = Object.keys(settable).filter((name) => !(name in sent));
    if (Object.keys(sent).length === 0 && optional !== undefined)
      sent[optional] = otherValue(document, settable[optional] ?? {}, item[optional], marker);
    const isWhole = Object.entries(sent).every(
      ([name, value]) => value !== undefined && (!form || isClearIn(form, name, value)),
    );
    const changed = differences(item, sent);
    if (isWhole && Object.keys(changed).length > 0)
      changes.push({
        how: 'replace',
        operation: replace,
        body: {
          mediaType: form?.mediaType ?? 'application/json',
          value: wrap(parts, withId(item, sent, described, idProperty)),
          ...(form && { form }),
        },
        expected: { changed, same: {} },
      });
  }
  const updating = update && sendableBodyOf(update);
  if (update && updating) {
    const { schema, form } = updating;
    const parts = toBodyParts(document, schema, bodyForm?.update);
    const patch = describeSent(document, parts.schema).properties;
    // A JSON Patch alone describes no item.
    const properties = Object.keys(patch).length > 0 ? patch : settableOf(document, shown);
    const settable = withoutId(properties, idProperty);
    const names = Object.keys(settable);
    const other = (name: string) =>
      otherValue(document, settable[name] ?? {}, item[name], `${marker} 2`);
    const known = names.filter((name) => Object.hasOwn(item, name));
    const chosen = [...known, ...names].find((name) => other(name) !== undefined);
    if (chosen !== undefined) {
      const to = other(chosen);
      const same = Object.fromEntries(
        names.filter((name) => name !== chosen && name in item).map((name) => [name, item[name]]),
      );
      const expected = { changed: { [chosen]: { from: item[chosen], to } }, same };
      if (form && isClearIn(form, chosen, to))
        changes.push({
          how: 'form',
          operation: update,
          body: { mediaType: form.mediaType, value: wrap(parts, { [chosen]: to }), form },
          expected,
        });
      if (namesMediaType(document, update, mergePatchType))
        changes.push({
          how: 'merge-patch',
          operation: update,
          body: { mediaType: mergePatchType, value: wrap(parts, { [chosen]: to }) },
          expected,
        });
      // Whether its pointers begin in what holds the item is not stated.
      if (!parts.wrapper && namesMediaType(document, update, jsonPatchType))
        changes.push({
          how: 'json-patch',
          operation: update,
          body: {
            mediaType: jsonPatchType,
            value: [{ op: 'add', path: `/${toPointerToken(chosen)}`, value: to }],
          },
          expected,
        });
    }
  }
  return changes;
}

/** The deletion of an item. */
export function deletionOf({ operations }: Resource): ItemChange | undefined {
  return operations.delete && { how: 'delete', operation: operations.delete, expected: unchanged };
}

/** The case of a change. `path` is the item's. */
export function changeCase(change: ItemChange, { id, path }: { id: string; path: string }): Case {
  const { how, operation, body, expected } = change;
  return {
    id: `${operation.id}/${how} ${id}`,
    operation,
    method: operation.method,
    path,
    ...(body && { headers: { 'Content-Type': body.mediaType }, body: toJson(body.value) }),
    ...(body?.form && { form: body.form }),
    credential: 'valid',
    purpose: { kind: 'change', how, id, expected },
    priority: 2,
    writes: true,
  };
}

/** The properties of an item that requests may set. */
function settableOf(document: ApiDocument, item: FlatSchema): FlatSchema['properties'] {
  return describeSent(document, { type: 'object', ...item }).properties;
}

function withoutId(properties: Record<string, Schema>, idProperty: string) {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => name !== idProperty));
}

/** The body of a replacement with the id of the item, where the body asks for one. */
function withId(
  item: Item,
  sent: Item,
  { required }: { required: string[] },
  idProperty: string,
): Item {
  return required.includes(idProperty) ? { [idProperty]: item[idProperty], ...sent } : sent;
}

function differences(before: Item, sent: Item): Expected['changed'] {
  const changed = Object.entries(sent).filter(
    ([name, value]) => name in before && toJson(before[name]) !== toJson(value),
  );
  return Object.fromEntries(
    changed.map(([name, to]) => [name, { from: before[name], to }] as const),
  );
}

/** Another value of a simple property; undefined where none is sure to fit. */
function otherValue(
  document: ApiDocument,
  schema: Schema,
  value: unknown,
  marker: string,
): unknown {
  const { schema: plain } = describeSent(document, schema);
  const { type, enum: values, format, pattern, minimum, maximum, multipleOf } = plain;
  const types = [type].flat();
  if (Array.isArray(values)) return values.find((one) => one !== value && one !== null);
  if (types.includes('boolean')) return value !== true;
  if (types.includes('integer') || types.includes('number')) {
    if (multipleOf !== undefined) return undefined;
    const next = Number(value ?? minimum ?? 0) + 1;
    const isIn = next <= Number(maximum ?? Number.POSITIVE_INFINITY) && Number.isSafeInteger(next);
    return isIn && next >= Number(minimum ?? Number.NEGATIVE_INFINITY) ? next : undefined;
  }
  const isText = types.includes('string') && format === undefined && pattern === undefined;
  const isRoomy = Number(plain.maxLength ?? Number.POSITIVE_INFINITY) >= marker.length + 10;
  if (isText && isRoomy) return marker;
  const example = exampleValue(document, schema);
  return example !== undefined && toJson(example) !== toJson(value) ? example : undefined;
}

function toPointerToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
