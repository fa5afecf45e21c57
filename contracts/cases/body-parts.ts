import type { Api, ItemForm, Resource, Schema } from '../../openapi/index.ts';
import { sendableBodyOf } from '../document/sendable-body.ts';
import { exampleValue, toPlain, toPlainObject } from './example-value.ts';
import { withOwnItems } from './references.ts';

/** The fields of an item. */
export type Fields = Readonly<Record<string, unknown>>;

/** How a body holds the fields of an item. */
export type BodyParts = {
  /** The schema of the fields. */
  schema: Schema;
  /** Whether the body has alternatives, so that one which breaks a schema may fit another. */
  isOpen: boolean;
  /** The property that holds the fields, such as `article`, and what the body needs besides. */
  wrapper?: { property: string; besides: Fields };
  /** Whether the body is an array, and the fields are those of its only item. */
  isListed?: boolean;
};

/** The parts of a body with a schema; `form` says where the fields are, if not at the top. */
export function toBodyParts(document: Api, schema: Schema, form: ItemForm | undefined): BodyParts {
  const [property] = form?.pointer ?? [];
  if (property === undefined) return { schema, isOpen: document.schemas.hasAlternatives(schema) };
  if (property === '0') {
    const items = (toPlain(document, schema)?.schema.items ?? {}) as Schema;
    return { schema: items, isOpen: document.schemas.hasAlternatives(items), isListed: true };
  }
  const describe = document.schemas.describeSchema;
  const { properties, required } = toPlainObject(document, schema, { describe });
  const inner = properties[property] ?? {};
  const besides = required
    .filter((name) => name !== property)
    .map((name) => {
      const schema = properties[name] ?? {};
      const value = exampleValue(document, schema, name);
      return [name, withOwnItems(document, undefined, { schema, value, name })] as const;
    })
    .filter(([, value]) => value !== undefined);
  return {
    schema: inner,
    isOpen: document.schemas.hasAlternatives(schema) || document.schemas.hasAlternatives(inner),
    wrapper: { property, besides: Object.fromEntries(besides) },
  };
}

/** A whole body of the fields of an item. */
export function wrap({ wrapper, isListed }: BodyParts, fields: unknown): unknown {
  if (isListed) return [fields];
  return wrapper ? { ...wrapper.besides, [wrapper.property]: fields } : fields;
}

/** The properties of items that their creates mark as writeOnly, and no answer describes. */
export function namesSentAlone(
  document: Api,
  { operations: { create }, bodyForm, item }: Resource,
): readonly string[] {
  const body = create && sendableBodyOf(create);
  if (!body) return [];
  const { schema } = toBodyParts(document, body.schema, bodyForm?.create);
  const { properties } = document.schemas.describeSchema(schema);
  const isAlone = (name: string) =>
    document.schemas.isMarked(properties[name], 'writeOnly') &&
    !Object.hasOwn(item.properties, name);
  return Object.keys(properties).filter(isAlone);
}
