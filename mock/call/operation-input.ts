import type { Request } from 'express';
import {
  type ApiDocument,
  describeSchema,
  findResource,
  type Operation,
  type Parameter,
  type Resource,
  type Schema,
} from '../../contracts/description/document.ts';
import { jsonPatchType } from '../../contracts/description/operation.ts';
import { type Answer, type AnswerForm, toStatedErrorAnswer } from '../answers/answer.ts';
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
  type ParseQuery,
  type WrongParameter,
} from '../http/parse-query.ts';
import { createReadBody, type ReadRequestBody } from '../http/read-body.ts';
import type { CompileSchema } from '../json/validator.ts';
import type { LimitAnswer, LimitFault, Pins } from '../pins/pins.ts';

export type InputOptions = { compileSchema: CompileSchema; pins?: Pins | undefined };

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

/** What becomes of a wrong value: a value in its place, none, or a refusal in a form. */
type WrongValue = { value?: string; form?: AnswerForm };

/**
 * What the pins make of wrong values of the parameters of a list; undefined where they say nothing
 * of them.
 */
function createReadWrongValue(
  { pageSize, filters }: Pick<Resource, 'pageSize' | 'filters'>,
  { limits, filter }: Pick<Pins, 'limits' | 'filter'>,
): ((parameter: string, text: string) => WrongValue | undefined) | undefined {
  if (!limits && filter === undefined) return undefined;
  const min = pageSize?.min ?? 1;
  const max = pageSize?.max ?? Number.MAX_SAFE_INTEGER;
  const toLimit = (text: string): WrongValue | undefined => {
    const answer = limits?.[faultOf(text, min)];
    if (answer === undefined) return undefined;
    return readLimit(answer, text, { min, max });
  };
  return (parameter, text) => {
    if (parameter === pageSize?.name) return toLimit(text);
    if (!filters.includes(parameter) || filter === undefined) return undefined;
    if (filter === 'ignored') return {};
    return filter === 'empty-list' ? { value: text } : { form: filter };
  };
}

/** What is wrong with the text of a page size. */
function faultOf(text: string, min: number): LimitFault {
  if (text === '') return 'empty';
  if (text === '0' && min > 0) return 'zero';
  if (/^-?\d+$/.test(text)) return Number(text) < min ? 'below' : 'above';
  if (/^-?\d+\.\d+$/.test(text)) return 'fraction';
  return /^\d+e\d+$/i.test(text) ? 'exponent' : 'text';
}

/** The number that is meant; none that a text without one means. */
function toNumber(answer: 'clamped' | 'as-number' | 'leading-digits', text: string): number {
  if (answer === 'leading-digits') return Number.parseInt(text, 10);
  return text === '' && answer === 'clamped' ? Number.NaN : Number(text);
}

function readLimit(
  answer: LimitAnswer,
  text: string,
  { min, max }: { min: number; max: number },
): WrongValue {
  if (typeof answer === 'object') return { form: answer };
  if (answer === 'ignored') return {};
  if (answer === 'empty-list') return { value: '0' };
  const number = toNumber(answer, text);
  if (Number.isNaN(number)) return {};
  return { value: String(Math.min(max, Math.max(min, Math.floor(number)))) };
}
