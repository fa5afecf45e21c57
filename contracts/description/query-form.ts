import { objectAlternative, typesOf } from './collections/schema-types.ts';
import type { Parameter } from './operation.ts';
import { flatten, type RawDocument, resolve, type Schema } from './schema.ts';

/**
 * A parameter that is the whole query as a form, as the parameters that its properties are. Itself
 * where the form says more than these would, or where it is none.
 */
export function toFieldParameters(raw: RawDocument, parameter: Parameter): Parameter[] {
  const { in: place, content, required: isRequired, examples } = parameter;
  if (place !== 'querystring' || content?.mediaType !== formType) return [parameter];
  const { properties, required } = flatten(raw, parameter.schema);
  const fields = Object.entries(properties);
  const isMore =
    !isPlain(raw, parameter.schema) ||
    Object.keys(content.encoding).length > 0 ||
    fields.some(([, schema]) => !isText(raw, schema) && !isListOfTexts(raw, schema));
  if (isMore || fields.length === 0) return [parameter];
  const names = fields.map(([name]) => name);
  return fields.map(([name, schema]) => {
    const { description } = resolve(raw, schema) as Schema;
    return {
      name,
      in: 'query',
      required: isRequired && required.includes(name),
      ...(!isRequired && required.includes(name) && { requiredWith: names }),
      ...(typeof description === 'string' && { description }),
      schema,
      examples: examplesOfField(examples, name),
      style: 'form',
      explode: true,
    };
  });
}

const formType = 'application/x-www-form-urlencoded';

const plainKeywords = new Set('type properties required title description $ref'.split(' '));

/** Whether a schema says of an object no more than its properties do. */
function isPlain(raw: RawDocument, schema: Schema): boolean {
  return Object.keys(resolve(raw, schema) as Schema).every((name) => plainKeywords.has(name));
}

function isText(raw: RawDocument, schema: Schema): boolean {
  const { properties, items, ...own } = objectAlternative(raw, schema) ?? {};
  const types = typesOf(own);
  const isKnown = types.length > 0 || Array.isArray(own.enum);
  return !properties && !items && isKnown && !types.some((one) => /array|object/.test(one));
}

function isListOfTexts(raw: RawDocument, schema: Schema): boolean {
  const { items } = (resolve(raw, schema) ?? {}) as Schema;
  return typeof items === 'object' && items !== null && isText(raw, items as Schema);
}

function examplesOfField(examples: Parameter['examples'], field: string): Parameter['examples'] {
  return Object.fromEntries(
    Object.entries(examples).flatMap(([name, value]) => {
      const isForm = typeof value === 'object' && value !== null && Object.hasOwn(value, field);
      return isForm ? [[name, (value as Record<string, unknown>)[field]]] : [];
    }),
  );
}
