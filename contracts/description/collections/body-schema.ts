import type { Operation } from '../operation.ts';
import type { Schema } from '../schema.ts';

const forms = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/** The schema of the fields that an operation takes: as JSON, a form or XML; undefined without any. */
export function bodySchemaOf({
  body,
  otherBody,
}: Pick<Operation, 'body' | 'otherBody'>): Schema | undefined {
  if (body) return body.schema;
  return otherBody?.contents.find(({ mediaType, isXml }) => isXml || forms.includes(mediaType))
    ?.schema;
}
