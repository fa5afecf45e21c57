import { toBodyParts } from '../cases/body-parts.ts';
import { type ApiDocument, describeSchema, type Resource } from '../description/document.ts';
import { isMarked } from '../description/marks.ts';
import { sendableBodyOf } from '../description/sendable-body.ts';

const known = new WeakMap<Resource, readonly string[]>();

/** The properties of items that their creates mark as writeOnly, and no answer describes. */
export function namesSentAlone(document: ApiDocument, resource: Resource): readonly string[] {
  const names = known.get(resource) ?? findNames(document, resource);
  known.set(resource, names);
  return names;
}

function findNames(
  document: ApiDocument,
  { operations: { create }, bodyForm, item }: Resource,
): readonly string[] {
  const body = create && sendableBodyOf(create);
  if (!body) return [];
  const { schema } = toBodyParts(document, body.schema, bodyForm?.create);
  const { properties } = describeSchema(document, schema);
  const isAlone = (name: string) =>
    isMarked(document.raw, properties[name], 'writeOnly') && !Object.hasOwn(item.properties, name);
  return Object.keys(properties).filter(isAlone);
}
