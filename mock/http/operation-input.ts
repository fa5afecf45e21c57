import {
  type ApiDocument,
  findResource,
  type Operation,
  type Schema,
} from '../../contracts/description/document.ts';
import { jsonPatchType } from '../../contracts/description/operation.ts';
import { unfitStatusOf } from '../documented/responses.ts';
import type { CompileSchema } from '../json/validator.ts';
import { createReadWrongValue } from '../pins/pinned-query.ts';
import type { Pins } from '../pins/pins.ts';
import { createParseQuery, type ParseQuery } from './parse-query.ts';
import { createReadBody, type ReadRequestBody } from './read-body.ts';

export type InputOptions = { compileSchema: CompileSchema; pins: Pins | undefined };

/** Makes the reader of an operation's query, with what is pinned of it. */
export function createOperationQuery(
  operation: Operation,
  { document, compileSchema, pins }: InputOptions & { document: ApiDocument },
): ParseQuery {
  const resource = operation.kind === 'list' ? findResource(document, operation) : undefined;
  if (!pins || !resource) return createParseQuery(document, operation, compileSchema);
  return createParseQuery(document, operation, compileSchema, {
    refusesOthers: pins.otherParameter ?? false,
    readWrongValue: createReadWrongValue(resource, pins),
  });
}

/** Makes the reader of an operation's body, with what is pinned of it. */
export function createOperationBody(
  operation: Operation & { body: NonNullable<Operation['body']> },
  { compileSchema, pins }: InputOptions,
): ReadRequestBody {
  const { body } = operation;
  const { maxBody: limit, anyMediaType } = pins ?? {};
  const options = {
    ...body,
    unfitStatus: unfitStatusOf(operation),
    ...(limit !== undefined && { limit }),
    ...(anyMediaType && { anyMediaType }),
  };
  const createReader = (schema: Schema) =>
    createReadBody(options, compileSchema(schema, 'readOnly'));
  const read = createReader(body.schema);
  if (!body.jsonPatch) return read;
  const readPatch = createReader(body.jsonPatch);
  return (request, ...others) => {
    const isPatch = request.headers['content-type']?.toLowerCase().startsWith(jsonPatchType);
    return (isPatch ? readPatch : read)(request, ...others);
  };
}
