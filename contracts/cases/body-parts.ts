import type { Api, Operation, Resource, Schema } from '../../openapi/index.ts';
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

/** The parts of the body of an operation; they are empty where it takes none that can be sent. */
export function bodyPartsOf(document: Api, operation: Operation | undefined): BodyParts {
  const { schema = {} } = (operation && sendableBodyOf(operation)) ?? {};
  const [property] = operation?.fieldsAt ?? [];
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
  { operations: { create }, item }: Resource,
): readonly string[] {
  const { schema } = bodyPartsOf(document, create);
  const { properties } = document.schemas.describeSchema(schema);
  const isAlone = (name: string) =>
    document.schemas.isMarked(properties[name], 'writeOnly') &&
    !Object.hasOwn(item.properties, name);
  return Object.keys(properties).filter(isAlone);
}
