import type { Api, Schema } from '../../openapi/index.ts';

/** The schema with the document around it, so that a validator can follow its `$ref`s. */
export function standalone(document: Api, schema: Schema): Schema {
  return { ...document.asOpenApi(), ...schema };
}
