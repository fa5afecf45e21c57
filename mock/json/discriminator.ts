import {
  type ApiDocument,
  describeSchema,
  resolveSchema,
  type Schema,
} from '../../contracts/description/document.ts';

/** The property of an object that names the one of several schemas that it is meant for. */
export type Discriminator = {
  property: string;
  alternatives: readonly { schema: Schema; names: readonly unknown[] }[];
};

/** The discriminator of a schema with alternatives (oneOf, anyOf); undefined where it has none. */
export function readDiscriminator(
  document: ApiDocument,
  { discriminator, oneOf, anyOf = oneOf }: Schema,
): Discriminator | undefined {
  const { propertyName, mapping = {} } = (discriminator ?? {}) as Schema;
  if (typeof propertyName !== 'string' || !Array.isArray(anyOf)) return undefined;
  const alternatives = anyOf.map((schema: Schema) => ({
    schema,
    names: namesOf(document, schema, { propertyName, mapping: (mapping ?? {}) as Schema }),
  }));
  return { property: propertyName, alternatives };
}

/** The values that stand for an alternative: those that it takes, else what the document calls it. */
function namesOf(
  document: ApiDocument,
  schema: Schema,
  { propertyName, mapping }: { propertyName: string; mapping: Schema },
): unknown[] {
  const property = describeSchema(document, schema).properties[propertyName];
  const { const: only, enum: several } = property ? resolveSchema(document, property) : {};
  if (only !== undefined) return [only];
  if (Array.isArray(several)) return several;
  const { $ref } = schema;
  if (typeof $ref !== 'string') return [];
  const last = $ref.split('/').at(-1);
  const mapped = Object.keys(mapping).filter((name) =>
    [$ref, last].includes(mapping[name] as string),
  );
  return mapped.length > 0 ? mapped : [last];
}
