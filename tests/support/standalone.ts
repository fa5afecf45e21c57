import type { ApiDocument, Schema } from '../../openapi/document.ts';

/** The schema with the document around it, so that a validator can follow its `$ref`s. */
export function standalone(document: ApiDocument, schema: Schema): Schema {
  return { ...document.asOpenApi(), ...schema };
}
