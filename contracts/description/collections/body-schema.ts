import type { Operation } from '../operation.ts';
import type { Schema } from '../schema.ts';

const forms = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/** The schema of the fields that an operation takes, as JSON or as a form; undefined without any. */
export function bodySchemaOf({
  body,
  otherBody,
}: Pick<Operation, 'body' | 'otherBody'>): Schema | undefined {
  if (body) return body.schema;
  return otherBody?.contents.find(({ mediaType }) => forms.includes(mediaType))?.schema;
}
