import { idParameterOf } from '../../contracts/description/collections/resource.ts';
import {
  type ApiDocument,
  findResource,
  type Operation,
  type Parameter,
  type Schema,
} from '../../contracts/description/document.ts';
import { describeSent } from '../../contracts/description/marks.ts';
import { isOtherwiseDescribed } from '../../contracts/description/operation.ts';
import {
  type WrittenParameter,
  writeParameter,
} from '../../contracts/description/write-parameter.ts';
import { toText } from '../json/byte-text.ts';
import { stringifyExact } from '../json/exact-integers.ts';
import { parseExact } from '../json/exact-json.ts';
import { createMakeFitting } from '../json/make-fitting.ts';
import type { CompileSchema } from '../json/validator.ts';
import type { Store } from '../state/store.ts';
import { createWithKnownReferences } from './known-references.ts';
import { createToStorable } from './storable.ts';
import { createFindStoredValue } from './stored-ids.ts';
import { type TargetValues, toTarget } from './to-target.ts';
import { type WriteXml, writeExample } from './write-example.ts';

/**
 * Path with query below the base path, the values in it, the headers besides those of the body, and
 * the body as text.
 */
export type ExampleCall = {
  target: string;
  values: TargetValues;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** The media type of the body, where it is not `application/json`. */
  mediaType?: string;
};

/**
 * Undefined where a required query parameter or the body has no value that the twin accepts: the
 * document has no such example, and none can be made.
 */
export type ToExampleCall = (operation: Operation) => Promise<ExampleCall | undefined>;

export type ExampleCallOptions = {
  store: Pick<Store, 'get' | 'list'>;
  compileSchema: CompileSchema;
  /** Without it, no bodies are written as XML. */
  writeXml?: WriteXml;
};

/**
 * Makes the calls that show how operations are used, and that succeed as they stand: with ids that
 * the store holds, with the examples of the document that fit its schemas, or else with made
 * values, and with nothing that an operation does not need.
 */
export function createToExampleCall(
  document: ApiDocument,
  { store, compileSchema, writeXml }: ExampleCallOptions,
): ToExampleCall {
  /** The first of these values that fits a schema, as JSON text. */
  const findFitting = (values: Iterable<unknown>, schema: Schema): string | undefined => {
    const validate = compileSchema(schema, 'readOnly');
    for (const value of values) {
      const text = stringifyExact(value);
      if (text !== undefined && !validate(parseExact(text).doubles)) return text;
    }
    return undefined;
  };
  const makeFitting = createMakeFitting({
    compileSchema,
    mark: 'readOnly',
    describe: (inner) => describeSent(document, inner),
  });
  const make = (schema: Schema, examples: readonly unknown[] = []): unknown => {
    const made = makeFitting(schema, { seed: 1, examples });
    return made && !made.problems ? parseExact(made.text).value : undefined;
  };

  const toWritten = (parameter: Parameter): WrittenParameter | undefined => {
    const { examples, schema } = parameter;
    const value = make(schema, Object.values(examples));
    return value === undefined ? undefined : writeParameter(parameter, value);
  };
  const toStorable = createToStorable(document, compileSchema);
  const withKnownReferences = createWithKnownReferences(document, store);
  const findStoredValue = createFindStoredValue(document, store);
  const toPathValue = async (
    operation: Operation,
    parameter: Parameter,
    before: Readonly<Record<string, string>>,
  ): Promise<string> => {
    const stored = await findStoredValue(operation, parameter, before);
    if (stored !== undefined) return stored;
    const written = toWritten(parameter);
    return written && 'text' in written ? written.text : '1';
  };
  /** The id that a body has to name an item by, where no path does. */
  const findOwnId = async (operation: Operation): Promise<Record<string, unknown>> => {
    const resource = findResource(document, operation);
    const isNamed = operation.kind !== 'replace' || idParameterOf(operation) !== undefined;
    if (!resource || isNamed) return {};
    const [first] = await store.list(resource.name, { filters: {}, limit: 1 });
    const item = (first && parseExact(toText(first)).value) as Record<string, unknown> | undefined;
    return item ? { [resource.idProperty]: item[resource.idProperty] } : {};
  };
  const toJson = async (operation: Operation): Promise<string | undefined> => {
    const { body } = operation;
    if (!body) return undefined;
    const examples = Object.values(body.examples);
    const made = make(body.schema, examples);
    const id = findResource(document, operation)?.idProperty;
    const values = [...examples, without(made, id), made];
    const ownId = await findOwnId(operation);
    const usable = values.map((value) =>
      isObject(value) ? { ...toStorable(operation, value, body.schema), ...ownId } : value,
    );
    const known = await Promise.all(usable.map((one) => withKnownReferences(operation, one)));
    return findFitting([...known, ...usable], body.schema);
  };
  /** A body of the first media type that it can be written in; JSON before all others. */
  const toBody = async (
    operation: Operation,
  ): Promise<Pick<ExampleCall, 'body' | 'mediaType'> | undefined> => {
    const { body, otherBody } = operation;
    const json = await toJson(operation);
    if (json !== undefined) {
      const [mediaType = 'application/json'] = body?.mediaTypes ?? [];
      const isPlain = body?.mediaTypes?.includes('application/json') ?? true;
      return isPlain ? { body: json } : { body: json, mediaType };
    }
    for (const content of otherBody?.contents ?? []) {
      const { schema = {}, examples } = content;
      const made = make(schema, Object.values(examples));
      const usable = isObject(made) ? toStorable(operation, made, schema) : made;
      const value = await withKnownReferences(operation, usable);
      const written = writeExample(content, value, writeXml);
      if (written) return written;
    }
    return undefined;
  };

  return async (operation) => {
    const { parameters } = operation;
    const path: Record<string, string> = {};
    for (const parameter of inOrder(operation))
      path[parameter.name] = await toPathValue(operation, parameter, path);
    const query: [string, string][] = [];
    const headers: Record<string, string> = {};
    let cookies = '';
    let wholeQuery = '';
    for (const parameter of parameters) {
      if (parameter.in === 'path' || !parameter.required || isOtherwiseDescribed(parameter))
        continue;
      const written = toWritten(parameter);
      const isEmpty = written && 'pairs' in written && written.pairs.length === 0;
      if (written === undefined || isEmpty) return undefined;
      if ('text' in written) {
        if (parameter.in === 'header') headers[parameter.name] = written.text;
        else if (parameter.content?.mediaType === 'application/x-www-form-urlencoded')
          query.push(...new URLSearchParams(written.text));
        else wholeQuery = `?${encodeURIComponent(written.text)}`;
      } else if (parameter.in === 'query') query.push(...written.pairs);
      else
        for (const [name, text] of written.pairs)
          cookies += `${cookies === '' ? '' : '; '}${name}=${encodeURIComponent(text)}`;
    }
    if (cookies !== '') headers.Cookie = cookies;
    const values = { path, query };
    const target = toTarget(operation.path, values) + wholeQuery;
    const call = { target, values, ...(Object.keys(headers).length > 0 && { headers }) };
    const body = await toBody(operation);
    if (body) return { ...call, ...body };
    return operation.body || operation.otherBody?.required ? undefined : call;
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A made value, or each of a made list, without the id, which the service assigns. */
function without(value: unknown, property?: string): unknown {
  if (Array.isArray(value)) return value.map((one) => without(one, property));
  if (typeof value !== 'object' || value === null || property === undefined) return value;
  const { [property]: _, ...others } = value as Record<string, unknown>;
  return others;
}

/** The parameters of a path, from left to right. */
function inOrder({ path, parameters }: Operation): Parameter[] {
  const placeOf = ({ name }: Parameter) => path.indexOf(`{${name}}`);
  return parameters
    .filter((one) => one.in === 'path')
    .toSorted((left, right) => placeOf(left) - placeOf(right));
}
