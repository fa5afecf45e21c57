import type { RawDocument } from '../schema.ts';
import type { Conversion } from './conversion.ts';
import { isRecord } from './walk.ts';

/** Keywords that a parameter of Swagger 2.0 has itself, and one of OpenAPI 3 in its schema. */
const schemaKeywords = [
  ...['type', 'format', 'items', 'default', 'enum', 'pattern', 'uniqueItems', 'multipleOf'],
  ...['maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum', 'maxLength', 'minLength'],
  ...['maxItems', 'minItems'],
];

/** How lists were written, and the style that says the same. */
const styles: Readonly<Record<string, RawDocument>> = {
  multi: { style: 'form', explode: true },
  ssv: { style: 'spaceDelimited', explode: false },
  pipes: { style: 'pipeDelimited', explode: false },
};

/** A parameter or a header of OpenAPI 3. */
export function toParameter(
  parameter: RawDocument,
  pointer: string,
  { moves }: Conversion,
): RawDocument {
  const { collectionFormat, allowEmptyValue, ...others } = parameter;
  if (parameter.$ref !== undefined) return parameter;
  const converted: RawDocument = {};
  for (const [name, value] of Object.entries(others))
    if (!schemaKeywords.includes(name) && !name.startsWith('x-nullable')) converted[name] = value;
  converted.schema = toSchema(parameter);
  const former = moves.get(pointer) ?? formerOf(pointer, moves);
  moves.set(`${pointer}/schema`, former);
  if (parameter.type !== 'array') return converted;
  const inQuery = parameter.in === 'query' || parameter.in === 'formData';
  const style = styles[collectionFormat] ?? (inQuery && { style: 'form', explode: false });
  return { ...converted, ...style, ...(allowEmptyValue === true && { allowEmptyValue }) };
}

function formerOf(pointer: string, moves: ReadonlyMap<string, string>): string {
  for (const [now, former] of moves)
    if (pointer.startsWith(`${now}/`)) return former + pointer.slice(now.length);
  return pointer;
}

function toSchema(parameter: RawDocument): RawDocument {
  const schema: RawDocument = {};
  for (const keyword of schemaKeywords)
    if (parameter[keyword] !== undefined) schema[keyword] = parameter[keyword];
  if (schema.type === 'file') return { type: 'string', format: 'binary' };
  if (isRecord(schema.items)) schema.items = toSchema(schema.items);
  if (parameter['x-nullable'] === true) schema.nullable = true;
  return schema;
}

const forms = ['multipart/form-data', 'application/x-www-form-urlencoded'];

/** The body that parameters `in: body` or `in: formData` describe. */
export function toRequestBody(
  placed: readonly { parameter: unknown; place: string }[],
  pointer: string,
  conversion: Conversion,
): RawDocument {
  const parts = placed.map(({ parameter, place }) => ({
    part: conversion.follow(parameter as RawDocument),
    place,
  }));
  const body = parts.find(({ part }) => part.in === 'body');
  const move = (types: readonly string[], below: string, former: string) => {
    for (const type of types)
      conversion.moves.set(
        `${pointer}/content/${type.replaceAll('/', '~1')}/schema${below}`,
        former,
      );
  };
  if (body) {
    const { schema = {}, required, description } = body.part;
    conversion.moves.set(pointer, body.place);
    const isReferred = body.part !== placed.find(({ place }) => place === body.place)?.parameter;
    if (!isReferred) move(conversion.consumes, '', `${body.place}/schema`);
    return {
      ...(description !== undefined && { description }),
      content: Object.fromEntries(conversion.consumes.map((type) => [type, { schema }])),
      ...(required === true && { required }),
    };
  }
  const types = conversion.consumes.filter((type) => forms.includes(type));
  const hasFile = parts.some(({ part }) => part.type === 'file');
  const sent = types.length > 0 ? types : [forms[hasFile ? 0 : 1] as string];
  const properties: RawDocument = {};
  for (const { part, place } of parts) {
    if (typeof part.name !== 'string') continue;
    const { description } = part;
    properties[part.name] = {
      ...toSchema(part),
      ...(description !== undefined && { description }),
    };
    move(sent, `/properties/${part.name.replaceAll('~', '~0').replaceAll('/', '~1')}`, place);
  }
  const required = parts.filter(({ part }) => part.required === true).map(({ part }) => part.name);
  const schema = { type: 'object', properties, ...(required.length > 0 && { required }) };
  return {
    content: Object.fromEntries(sent.map((type) => [type, { schema }])),
    ...(required.length > 0 && { required: true }),
  };
}
