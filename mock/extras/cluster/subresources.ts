import { isObject, stringifyExact } from '../../../common/json.ts';
import { lastWordOf } from '../../../common/path-template.ts';
import type { Operation } from '../../../openapi/index.ts';
import { toJsonAnswer, toShownPath, toStatedErrorAnswer } from '../../answers/answer.ts';
import type { Behaviour, Call } from '../../behaviours/behaviour.ts';
import { withinScopes } from '../../behaviours/scoped.ts';
import { findSuccess } from '../../documented/responses.ts';
import { maxPatched } from '../../items/item-edits.ts';
import { type Fields, fieldsOf, toStoredItem } from '../../items/stored-item.ts';
import { applyJsonPatch, JsonPatchError } from '../../json/json-patch.ts';
import { mergePatch } from '../../json/merge-patch.ts';
import { feedOf } from './feed.ts';
import { changeObjects, type ObjectOptions, withConflicts } from './object-behaviours.ts';
import type { ObjectType } from './object-types.ts';
import { metadataOf, toObject } from './objects.ts';
import { toMergePatch } from './strategic-patch.ts';

/**
 * Shows or changes a part of an object at a path below it: a property, such as `status`, or as an
 * object of another kind what both have, such as the replicas of a scale. Undefined for what shows no object.
 */
export function createSubresource(
  type: ObjectType,
  operation: Operation,
  { document, types }: ObjectOptions,
): Behaviour | undefined {
  const { resource } = type;
  const schema = findSuccess(operation)?.schema;
  const shown = types.shownBy(operation);
  const action = types.actionOf(operation) ?? '';
  if (!schema || !shown || !['get', 'put', 'patch'].includes(action)) return undefined;
  const isOwn = shown.kind === type.kind;
  const { properties } = document.schemas.describeSchema(schema);
  const word = lastWordOf(operation.path);
  const names = isOwn
    ? [word].filter((name) => Object.hasOwn(properties, name))
    : Object.keys(properties).filter((name) => !['kind', 'apiVersion', 'metadata'].includes(name));
  if (names.length === 0) return undefined;

  const show = (object: Fields): Fields => {
    if (isOwn) return object;
    const { name, namespace, uid, resourceVersion, creationTimestamp } = metadataOf(object);
    const metadata = { name, namespace, uid, resourceVersion, creationTimestamp };
    const parts = names.flatMap((one) => {
      const value = object[one];
      const described = document.schemas.flatten(properties[one]).properties;
      if (!isObject(value)) return [];
      const common = Object.entries(value).filter(([inner]) => Object.hasOwn(described, inner));
      return [[one, Object.fromEntries(common)]];
    });
    return { ...shown, metadata, ...Object.fromEntries(parts) };
  };
  const toPatched = (object: Fields, { body, method, source }: Call): unknown => {
    const view = show(object);
    if (Array.isArray(body)) return applyJsonPatch(stringifyExact(view), body, maxPatched);
    if (method === 'PUT') return body;
    const isPlain = source.headers['content-type']?.startsWith('application/merge-patch');
    const patch = isPlain
      ? body
      : toMergePatch(document.schemas, schema, { current: view, patch: body });
    return mergePatch(view, patch);
  };
  const withPart = (object: Fields, patched: unknown): Fields => {
    const part = isObject(patched) ? patched : {};
    const given = names
      .filter((name) => Object.hasOwn(part, name))
      .map((name) => [name, part[name]]);
    const values: Fields = Object.fromEntries(given);
    return isOwn ? { ...object, ...values } : (mergePatch(object, values) as Fields);
  };

  const behave: Behaviour = async (call) => {
    const { store, url } = call;
    const id = call.params[parameterOf(operation)] ?? '';
    const missing = () =>
      toStatedErrorAnswer('not_found', `There is nothing at ${toShownPath(url)}.`);
    if (action === 'get') {
      const json = await store.get(resource.name, id);
      if (json === undefined) return missing();
      return toJsonAnswer(show(toObject(type, fieldsOf(json))));
    }
    try {
      const item = await changeObjects(type, call)(resource.name, id, (json) => {
        const object = toObject(type, fieldsOf(json));
        return toStoredItem(resource, withPart(object, toPatched(object, call)));
      });
      if (!item) return missing();
      const object = fieldsOf(item.json);
      feedOf(call).note({ type: 'MODIFIED', collection: resource.name, object });
      return toJsonAnswer(show(object));
    } catch (error) {
      if (!(error instanceof JsonPatchError)) throw error;
      return toStatedErrorAnswer('invalid_body', error.message, 422);
    }
  };
  return withinScopes(withConflicts(behave), { document, resource, operation });
}

/** The last parameter of a path, which names the object. */
function parameterOf({ path }: Operation): string {
  return path.match(/^.*\{([^{}]+)\}/)?.[1] ?? '';
}
