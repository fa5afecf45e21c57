import type { Request } from 'express';
import {
  type ApiDocument,
  describeSchema,
  findResource,
  type Operation,
  type Parameter,
  type Schema,
} from '../../contracts/description/document.ts';
import { jsonPatchType } from '../../contracts/description/operation.ts';
import { unfitStatusOf } from '../documented/responses.ts';
import type { CompileSchema } from '../json/validator.ts';
import { createReadWrongValue } from '../pins/pinned-query.ts';
import type { Pins } from '../pins/pins.ts';
import { createReadAnyBody } from './bodies/read-any-body.ts';
import { createReadParameters, isPlainText } from './parameters/read-parameters.ts';
import { toParametersRefusal } from './parameters/refusal.ts';
import {
  createParseQuery,
  malformedQuery,
  type ParsedQuery,
  type ParseQuery,
} from './parse-query.ts';
import { createReadBody, type ReadRequestBody } from './read-body.ts';

export type InputOptions = { compileSchema: CompileSchema; pins: Pins | undefined };

/** Reads the parameters of a request. */
export type ReadOperationParameters = (request: Request) => ParsedQuery;

/**
 * Makes the reader of an operation's parameters, with what is pinned of them: of texts in the query
 * alone, unless it has others. The id of an item is none, as what no item has is not found.
 */
export function createOperationParameters(
  operation: Operation,
  { document, compileSchema, pins }: InputOptions & { document: ApiDocument },
): ReadOperationParameters {
  const parameters = operation.parameters.filter(
    (parameter) => parameter.in !== 'path' || isChecked(document, operation, parameter),
  );
  if (parameters.every((parameter) => isPlainText(document, parameter))) {
    const parseQuery = createOperationQuery(operation, { document, compileSchema, pins });
    return ({ url }) => parseQuery(url);
  }
  const read = createReadParameters(document, operation, parameters, compileSchema);
  const status = unfitStatusOf(operation);
  return (request) => {
    const given = read(request);
    if (!given) return { refusal: malformedQuery };
    const { texts: values, values: typed, problems } = given;
    if (problems.length > 0) return toParametersRefusal(problems, { operation, status });
    return { values, typed };
  };
}

function isChecked(document: ApiDocument, { kind }: Operation, parameter: Parameter): boolean {
  const isPlain = parameter.style === 'simple' && !parameter.content;
  if (isPlain && kind !== undefined) return false;
  const { schema } = describeSchema(document, parameter.schema);
  const asked = Object.keys(schema ?? {}).filter((keyword) => !annotations.includes(keyword));
  return !isPlain || asked.some((keyword) => keyword !== 'type') || schema?.type !== 'string';
}

/** Keywords that ask nothing of a value. */
const annotations = ['title', 'description', 'example', 'examples', 'default', 'deprecated'];

function createOperationQuery(
  operation: Operation,
  { document, compileSchema, pins }: InputOptions & { document: ApiDocument },
): ParseQuery {
  const resource = operation.kind === 'list' ? findResource(document, operation) : undefined;
  const unfitStatus = unfitStatusOf(operation);
  if (!pins || !resource)
    return createParseQuery(document, operation, compileSchema, { unfitStatus });
  return createParseQuery(document, operation, compileSchema, {
    unfitStatus,
    refusesOthers: pins.otherParameter ?? false,
    readWrongValue: createReadWrongValue(resource, pins),
  });
}

/** Makes the reader of an operation's body, of all its media types; undefined without a body. */
export function createOperationBody(
  operation: Operation,
  options: InputOptions & { document: ApiDocument },
): ReadRequestBody | undefined {
  const { body, otherBody } = operation;
  const readJson = body && createJsonBody({ ...operation, body }, options);
  return otherBody
    ? createReadAnyBody({ ...operation, otherBody }, { readJson, ...options })
    : readJson;
}

/** Makes the reader of an operation's JSON body, with what is pinned of it. */
function createJsonBody(
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
