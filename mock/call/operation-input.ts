import { fitsRange, formTypes, isXmlMedia, jsonPatchType } from '../../common/media-type.ts';
import { parametersIn } from '../../common/path-template.ts';
import { toPlainName } from '../../common/words.ts';
import type { Api, Content, Operation, Parameter, Schema } from '../../openapi/index.ts';
import { chooseContent } from '../../openapi/model/content.ts';
import { type Answer, toErrorAnswer } from '../answers/answer.ts';
import { states, unfitStatusOf } from '../documented/responses.ts';
import { createReadAnyBody } from '../http/bodies/read-any-body.ts';
import {
  createReadParameters,
  type ReadParameters,
  type ReadParametersOptions,
} from '../http/parameters/read-parameters.ts';
import { createReadBody, type ReadRequestBody } from '../http/read-body.ts';
import type { CompileSchema } from '../json/validator.ts';

/** Selects the input to refuse in queries and JSON bodies, where no document decides. */
export type InputRules = Pick<ReadParametersOptions, 'refusesOthers' | 'readWrongValue'> & {
  body?: { limit?: number; anyMediaType?: boolean };
};

export type InputOptions = {
  document: Api;
  compileSchema: CompileSchema;
  inputRules?: ((operation: Operation) => InputRules) | undefined;
};

/**
 * Creates the reader of an operation's parameters. Ids of items are not checked, as an unknown id
 * is not found, and a required `token` is met by `Authorization`. Other wrong values in the path are a 404 if the operation describes 404, and no
 * status for wrong parameters.
 */
export function createOperationParameters(
  operation: Operation,
  { document, compileSchema, inputRules }: InputOptions,
): ReadParameters {
  const { path } = operation;
  const parameters = operation.parameters.filter(
    (parameter) => parameter.in !== 'path' || isChecked(document, operation, parameter),
  );
  const unfitStatus = unfitStatusOf(operation);
  const createRead = (some: readonly Parameter[]) =>
    createReadParameters(document, { path, parameters: some }, compileSchema, {
      unfitStatus,
      isPathNotFound: states(operation, 404) && !states(operation, unfitStatus),
      ...inputRules?.(operation),
    });
  const readAll = createRead(parameters);
  // A credential in `Authorization` is also the one that a parameter would hold.
  const readOthers = parameters.some(isCredential)
    ? createRead(parameters.map((one) => (isCredential(one) ? { ...one, required: false } : one)))
    : readAll;
  const read: ReadParameters = (request) =>
    (request.headers.authorization === undefined ? readAll : readOthers)(request);
  const conditions = parameters.filter(
    ({ required, name }) => required && conditionHeader.test(name),
  );
  if (conditions.length === 0 || !states(operation, 428)) return read;
  return (request) => {
    const missing = conditions.find(({ name }) => !request.headers[name.toLowerCase()]);
    return missing ? { refusal: toConditionMissing(missing.name) } : read(request);
  };
}

function isCredential({ in: place, name, required }: Parameter): boolean {
  const isOfCaller = /^((access|api|auth|bearer)(token|key)|token)$/.test(toPlainName(name));
  return required && place !== 'path' && isOfCaller;
}

/** The headers that make a change conditional (RFC 9110 §13.1). */
const conditionHeader = /^if-(match|unmodified-since)$/i;

function toConditionMissing(name: string): Answer {
  const message = `This operation needs ${name}. Send the value that the latest response has for the item.`;
  return toErrorAnswer('precondition_required', message);
}

function isChecked(document: Api, operation: Operation, parameter: Parameter): boolean {
  const { kind, path, plainPath = path } = operation;
  const isPlain = parameter.style === 'simple' && !parameter.content;
  const isId = kind !== undefined && parametersIn(plainPath).includes(parameter.name);
  if (isPlain && isId) return false;
  const { schema } = document.schemas.describeSchema(parameter.schema);
  const asked = Object.keys(schema ?? {}).filter((keyword) => !annotations.includes(keyword));
  return !isPlain || asked.some((keyword) => keyword !== 'type') || schema?.type !== 'string';
}

/** Keywords that ask nothing of a value. */
const annotations = ['title', 'description', 'example', 'examples', 'default', 'deprecated'];

/** Makes the reader of an operation's body, of all its media types; undefined without a body. */
export function createOperationBody(
  operation: Operation,
  options: InputOptions,
): ReadRequestBody | undefined {
  const { body, otherBody } = operation;
  const readJson = body && createJsonBody({ ...operation, body }, options);
  const contents = [...(otherBody?.contents ?? []), ...(body?.range ? othersIn(body.range) : [])];
  if (contents.length === 0) return readJson;
  const { required = false } = otherBody ?? body ?? {};
  const others = { ...operation, otherBody: { required, contents } };
  return createReadAnyBody(others, { readJson, ...options });
}

/** Media types besides JSON in which objects and lists may be sent where a range allows them. */
const readTypes = [
  ...formTypes,
  ...['application/xml', 'text/xml', 'application/yaml', 'application/x-yaml', 'text/yaml'],
];

/** Returns the contents that a range such as `*\/*` stands for, besides JSON. */
function othersIn(range: Content): Content[] {
  return readTypes
    .filter((type) => fitsRange(type, range.mediaType))
    .map((mediaType) => ({
      ...{ ...range, mediaType, fullType: mediaType },
      ...(isXmlMedia(mediaType) && { isXml: true }),
    }));
}

/** Makes the reader of an operation's JSON body. */
function createJsonBody(
  operation: Operation & { body: NonNullable<Operation['body']> },
  { compileSchema, inputRules }: InputOptions,
): ReadRequestBody {
  const { body } = operation;
  const rules = inputRules?.(operation).body;
  const { schemaName: _, ...unnamed } = body;
  const createReader = (schema: Schema) =>
    createReadBody(
      {
        ...(schema === body.schema ? body : unnamed),
        ...{ unfitStatus: unfitStatusOf(operation), anyMediaType: body.range !== undefined },
        ...rules,
      },
      compileSchema(schema, 'readOnly'),
    );
  const read = createReader(body.schema);
  const { variants = [], jsonPatch } = body;
  const readers = new Map(variants.map((one) => [one, createReader(one.schema ?? body.schema)]));
  const readPatch = jsonPatch && createReader(jsonPatch);
  if (readers.size === 0 && !readPatch) return read;
  return (request, ...others) => {
    const type = request.headers['content-type']?.toLowerCase() ?? '';
    const variant = chooseContent(variants, type);
    const own = type.startsWith(jsonPatchType) ? readPatch : variant && readers.get(variant);
    return (own ?? read)(request, ...others);
  };
}
