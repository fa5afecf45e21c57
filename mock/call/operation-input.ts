import type { Request } from 'express';
import {
  type ApiDocument,
  describeSchema,
  type Operation,
  type Parameter,
  type Schema,
} from '../../contracts/description/document.ts';
import { jsonPatchType } from '../../contracts/description/operation.ts';
import { type Answer, toStatedErrorAnswer } from '../answers/answer.ts';
import { unfitStatusOf } from '../documented/responses.ts';
import { createReadAnyBody } from '../http/bodies/read-any-body.ts';
import {
  createReadParameters,
  isPlainText,
  type ParameterProblem,
} from '../http/parameters/read-parameters.ts';
import {
  createParseQuery,
  malformedQuery,
  type ParsedQuery,
  type ParseQueryOptions,
  type WrongParameter,
} from '../http/parse-query.ts';
import { createReadBody, type ReadBody, type ReadRequestBody } from '../http/read-body.ts';
import type { CompileSchema } from '../json/validator.ts';

/** What input is refused, where that is up to the twin: of a query, and of a JSON body. */
export type InputRules = Pick<ParseQueryOptions, 'refusesOthers' | 'readWrongValue'> & {
  body?: { limit?: number; anyMediaType?: boolean };
  /** Gives the refusal of a body another form. */
  toBodyRefusal?: ((read: ReadBody) => Answer | undefined) | undefined;
};

export type InputOptions = {
  document: ApiDocument;
  compileSchema: CompileSchema;
  inputRules?: ((operation: Operation) => InputRules) | undefined;
};

/** Reads the parameters of a request. */
export type ReadOperationParameters = (request: Request) => ParsedQuery;

/**
 * Makes the reader of an operation's parameters: of texts in the query alone, unless it has others.
 * The id of an item is none, as what no item has is not found.
 */
export function createOperationParameters(
  operation: Operation,
  { document, compileSchema, inputRules }: InputOptions,
): ReadOperationParameters {
  const parameters = operation.parameters.filter(
    (parameter) => parameter.in !== 'path' || isChecked(document, operation, parameter),
  );
  if (parameters.every((parameter) => isPlainText(document, parameter))) {
    const parseQuery = createParseQuery(document, operation, compileSchema, {
      unfitStatus: unfitStatusOf(operation),
      ...inputRules?.(operation),
    });
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

/** Makes the reader of an operation's body, of all its media types; undefined without a body. */
export function createOperationBody(
  operation: Operation,
  options: InputOptions,
): ReadRequestBody | undefined {
  const { body, otherBody } = operation;
  const readJson = body && createJsonBody({ ...operation, body }, options);
  return otherBody
    ? createReadAnyBody({ ...operation, otherBody }, { readJson, ...options })
    : readJson;
}

/** Makes the reader of an operation's JSON body. */
function createJsonBody(
  operation: Operation & { body: NonNullable<Operation['body']> },
  { compileSchema, inputRules }: InputOptions,
): ReadRequestBody {
  const { body } = operation;
  const rules = inputRules?.(operation).body;
  const options = { ...body, unfitStatus: unfitStatusOf(operation), ...rules };
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

/** How many problems a message names. */
const maxNamed = 5;

const inWords: Readonly<Record<Parameter['in'], string>> = {
  query: 'Query parameter',
  path: 'Path parameter',
  header: 'Header parameter',
  cookie: 'Cookie parameter',
  querystring: 'Query string',
};

/**
 * The answer to wrong parameters, of which the message names the first five. One in the path makes
 * it a 404 where the operation describes that and no status for wrong parameters.
 */
function toParametersRefusal(
  problems: readonly ParameterProblem[],
  { operation, status }: { operation: Operation; status: number },
): { refusal: Answer; wrong: WrongParameter } {
  const [first] = problems as [ParameterProblem];
  const { in: place } = first.parameter;
  const sentences = problems
    .slice(0, maxNamed)
    .map(({ parameter, sentence }) => `${inWords[parameter.in]} ${sentence}`);
  const more = problems.length - maxNamed;
  if (more > 0) sentences.push(`There are ${more} more problems.`);
  const isNotFound =
    place === 'path' && states(operation, '404') && !states(operation, String(status));
  const all = problems.map((one) => ({
    in: one.parameter.in,
    name: sentName(one),
    pointer: one.pointer,
    problem: one.sentence,
  }));
  const refusal = isNotFound
    ? toStatedErrorAnswer('not_found', sentences.join(' '))
    : toStatedErrorAnswer('invalid_parameter', sentences.join(' '), status, all);
  return {
    refusal,
    wrong: {
      parameter: sentName(first),
      problem: first.sentence.replace(/^"[^"]*" /, '').replace(/\.$/, ''),
      ...(place !== 'query' && { in: place }),
    },
  };
}

/** The name of a parameter as it is sent, such as `filter[age]`. */
function sentName({ parameter, sentence }: ParameterProblem): string {
  return /^"([^"]*)"/.exec(sentence)?.[1] ?? parameter.name;
}

function states({ responses }: Operation, status: string): boolean {
  return responses.some((one) => one.status === status);
}
