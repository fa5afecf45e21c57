import type { Content } from '../description/content.ts';
import type { ApiDocument, Operation, Parameter } from '../description/document.ts';
import { isOtherwiseDescribed } from '../description/operation.ts';
import { sendableBodyOf } from '../description/sendable-body.ts';
import { membersOf, toJson } from '../json.ts';
import type { Case } from './case.ts';
import { exampleValue } from './example-value.ts';
import { holdsSecret } from './made-secrets.ts';

/** No value can be made for something that a call needs, and its name. */
export type Lacking = { lacks: string };

/** The parameters that an operation requires, as they are sent. */
type RequiredParameters = {
  /** By name, as they stand in the path. */
  path: Readonly<Record<string, string>>;
  query: readonly (readonly [name: string, text: string])[];
  headers: Readonly<Record<string, string>>;
  /** Those for which no value can be made. */
  lacking: readonly string[];
};

/** Values of all parameters that an operation requires, from the document's examples and schemas. */
function requiredParameters(document: ApiDocument, { parameters }: Operation): RequiredParameters {
  const lacking: string[] = [];
  const path: Record<string, string> = {};
  const query: [string, string][] = [];
  const headers: Record<string, string> = {};
  const cookies: string[] = [];
  for (const parameter of parameters) {
    const { name, in: place } = parameter;
    if (!isRequired(parameter)) continue;
    const text = toText(document, parameter);
    const isUsable = text !== undefined && (place !== 'header' || /^[\x20-\x7e]+$/.test(text));
    if (!isUsable || place === 'querystring') lacking.push(name);
    else if (place === 'path') path[name] = encode(text);
    else if (place === 'query') query.push([name, text]);
    else if (place === 'header') headers[name] = text;
    else cookies.push(`${name}=${encode(text)}`);
  }
  if (cookies.length > 0) headers.Cookie = cookies.join('; ');
  return { path, query, headers, lacking };
}

/** A text in a URL; a secret takes the place of its placeholder later. */
function encode(text: string): string {
  return holdsSecret(text) ? text : encodeURIComponent(text);
}

/**
 * Whether a call needs a value that neither the document nor the target gives; the target gives the
 * ids in the path of an operation on a collection.
 */
export function needsMadeValue({ parameters, kind }: Operation): boolean {
  return parameters.some(
    (one) =>
      isRequired(one) &&
      !(kind !== undefined && one.in === 'path') &&
      Object.keys(one.examples).length === 0 &&
      [one.schema.default, one.schema.enum, one.schema.const, one.schema.example].every(
        (given) => given === undefined,
      ),
  );
}

function isRequired(parameter: Parameter): boolean {
  return parameter.required && !isOtherwiseDescribed(parameter);
}

/** The text of a parameter: of a list its items, joined as the simple style does. */
function toText(document: ApiDocument, { name, examples, schema }: Parameter): string | undefined {
  const [example] = Object.values(examples);
  // An empty list is no parameter at all.
  const filled = schema.type === 'array' ? { ...schema, minItems: 1 } : schema;
  const value = example ?? exampleValue(document, filled, name);
  const text = Array.isArray(value) && value.every(isPlain) ? value.map(String).join(',') : value;
  return isPlain(text) && text !== '' ? String(text) : undefined;
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

/**
 * A parameter in a path template that nothing stands for yet, or a whole `{{placeholder}}`, whose
 * name may hold parameters.
 */
const openParameter = /\{\{(?:[^{}]|\{[^{}]*\})*\}\}|\{([^{}]+)\}/g;

/** A case with the required parameters that it does not send itself. */
export function completeCase(document: ApiDocument, one: Case): Case | Lacking {
  const operation = one.operation ?? one.parametersOf;
  if (!operation) return one;
  if (operation.parameters.every((parameter) => !isRequired(parameter))) return one;
  const made = requiredParameters(document, operation);
  const [path = '', query = ''] = one.path.split('?');
  const sent = new URLSearchParams(query);
  const open = [...path.matchAll(openParameter)].flatMap(([, name]) => name ?? []);
  const missing = open.find((name) => made.path[name] === undefined);
  if (missing !== undefined) return { lacks: missing };
  const lacks = made.lacking.find((name) => !isSent(sent, name, operation));
  if (lacks !== undefined) return { lacks };
  const added = made.query
    .filter(([name]) => !sent.has(name))
    .map(([name, text]) => `${encodeURIComponent(name)}=${encode(text)}`);
  const whole = [...added, ...(query === '' ? [] : [query])].join('&');
  const filled = path.replace(openParameter, (found, name?: string) =>
    name === undefined ? found : String(made.path[name]),
  );
  return {
    ...one,
    path: `${filled}${whole && `?${whole}`}`,
    headers: { ...made.headers, ...one.headers },
  };
}

/** Whether a path, which is complete, or a query has a parameter for which no value can be made. */
function isSent(sent: URLSearchParams, name: string, { parameters }: Operation): boolean {
  const { in: place } = parameters.find((one) => one.name === name) ?? {};
  return place === 'path' || (place === 'query' && sent.has(name));
}

/** The body of a call: JSON text, the form it is sent as, and whether the document gives it. */
type ExampleBody = { text: string; mediaType: string; isGiven: boolean; form?: Content };

/** A body of an operation by its example or its schema; undefined where it needs none. */
export function exampleBody(
  document: ApiDocument,
  operation: Operation,
): ExampleBody | Lacking | undefined {
  const { body, otherBody } = operation;
  const { schema, examples = {}, form } = sendableBodyOf(operation) ?? {};
  // The example of a form may be its text.
  const [example] = Object.values(examples).filter((one) => !form || membersOf(one));
  const value = example ?? (schema && exampleValue(document, body?.jsonPatch ?? schema));
  const isRequired = (body ?? otherBody)?.required;
  if (value === undefined) return isRequired ? { lacks: 'its body' } : undefined;
  const mediaType = form?.mediaType ?? body?.mediaTypes?.[0] ?? 'application/json';
  return { text: toJson(value), mediaType, isGiven: example !== undefined, ...(form && { form }) };
}
