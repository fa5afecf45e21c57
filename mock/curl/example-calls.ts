import type {
  ApiDocument,
  Operation,
  Parameter,
  Schema,
} from '../../contracts/description/document.ts';
import { describeSent } from '../../contracts/description/marks.ts';
import { isOtherwiseDescribed } from '../../contracts/description/operation.ts';
import {
  type WrittenParameter,
  writeParameter,
} from '../../contracts/description/write-parameter.ts';
import { parseExact } from '../json/exact-json.ts';
import { createMakeFitting } from '../json/make-fitting.ts';
import type { CompileSchema } from '../json/validator.ts';
import type { Store } from '../state/store.ts';
import { createToExampleBody, type ExampleBody } from './example-body.ts';
import { createFindStoredValue } from './stored-ids.ts';
import { type TargetValues, toTarget } from './to-target.ts';
import type { WriteXml } from './write-example.ts';

/**
 * Path with query below the base path, the values in it, the headers besides those of the body, and
 * the body as text.
 */
export type ExampleCall = Partial<ExampleBody> & {
  target: string;
  values: TargetValues;
  headers?: Readonly<Record<string, string>>;
};

/**
 * Undefined where a required query parameter or the body has no value that the twin accepts: the
 * document has no such example, and none can be made.
 */
export type ToExampleCall = (operation: Operation) => Promise<ExampleCall | undefined>;

export type ExampleCallOptions = {
  store: Pick<Store, 'get' | 'list' | 'listSerial'>;
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
  const toBody = createToExampleBody(document, { store, compileSchema, writeXml, make });
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
    const body = await toBody(operation, path);
    if (body) return { ...call, ...body };
    return operation.body || operation.otherBody?.required ? undefined : call;
  };
}

/** The parameters of a path, from left to right. */
function inOrder({ path, parameters }: Operation): Parameter[] {
  const placeOf = ({ name }: Parameter) => path.indexOf(`{${name}}`);
  return parameters
    .filter((one) => one.in === 'path')
    .toSorted((left, right) => placeOf(left) - placeOf(right));
}
