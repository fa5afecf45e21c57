import { isScalar, membersOf, toJson } from '../../common/json.ts';
import type { Api, Content, Operation, Parameter, Resource, Schema } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { isOtherwiseDescribed } from '../../openapi/model/operation.ts';
import { writeParameter } from '../../openapi/model/write-parameter.ts';
import { fileBodyOf, sendableBodyOf } from '../document/sendable-body.ts';
import { type Case, isUnsafe } from './case.ts';
import { exampleValue, toPlain, withItem } from './example-value.ts';
import { freshValue } from './fresh-value.ts';
import { hasPlaceholder } from './placeholders.ts';
import { type BodyValue, namedIn, withMarks, withOwnItems } from './references.ts';

/** No value can be made for something that a call needs, and its name. */
export type MissingValue = { lacks: string };

/** Gives the value that a user has for parameters of a name, if any. */
type GivenFor = (name: string) => unknown;

/** The parameters that an operation requires, as they are sent. */
type RequiredParameters = {
  /** By name, as they stand in the path. */
  path: Readonly<Record<string, string>>;
  query: readonly (readonly [name: string, text: string])[];
  headers: Readonly<Record<string, string>>;
  /** Names of the parameters for which no value can be made. */
  lacking: readonly string[];
};

/**
 * Values of all parameters that an operation requires, from the document's examples and schemas;
 * `isOwn` says whether they name items of the run alone, beside those of the path, and `isFresh`
 * whether new values take the place of examples there, as these may name others.
 */
function requiredParameters(
  document: Api,
  operation: Operation,
  { isOwn, isFresh, givenFor }: { isOwn: boolean; isFresh: boolean; givenFor: GivenFor },
): RequiredParameters {
  const lacking: string[] = [];
  const path: Record<string, string> = {};
  const query: [string, string][] = [];
  const headers: Record<string, string> = {};
  const cookies: string[] = [];
  for (const parameter of operation.parameters) {
    const { name, in: place } = parameter;
    if (!isRequired(parameter)) continue;
    const isNew = isNewId(document, operation, parameter);
    const named = isOwn && place !== 'path' && !isNew ? namedBy(document, parameter) : [];
    // A read that names an item as well would look for what was added below another one.
    const isNamed = named.length > 0 && !isAskedByReads(document, operation, parameter);
    const isKept = !isNamed && (!isFresh || place === 'path');
    const field = { name, schema: parameter.schema, value: exampleOf(document, parameter) };
    const value =
      givenFor(name) ??
      (isNew ? freshValue(document.schemas.resolve(parameter.schema)) : undefined) ??
      (isKept ? field.value : withOwnItems(document, undefined, field));
    const pairs = toPairs(parameter, value);
    const [[, text] = ['', '']] = pairs;
    const isUsable = text !== '' && (place !== 'header' || /^[\x20-\x7e]+$/.test(text));
    if (!isUsable || place === 'querystring') lacking.push(name);
    else if (place === 'path') path[name] = encode(text);
    else if (place === 'query') query.push(...pairs);
    else if (place === 'header') headers[name] = text;
    else cookies.push(...pairs.map(([key, one]) => `${key}=${encode(one)}`));
  }
  if (cookies.length > 0) headers.Cookie = cookies.join('; ');
  return { path, query, headers, lacking };
}

/**
 * Whether a call needs a value that neither the document nor the target gives; the target gives the
 * ids in the path of an operation on a collection.
 */
function needsMadeValue({ parameters, kind }: Operation): boolean {
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

/** Encodes a text, unless it has placeholders: their values are encoded when they are filled in. */
function encode(text: string): string {
  return hasPlaceholder(text) ? text : encodeURIComponent(text);
}

/** The values in a parameter that name items. */
function namedBy(document: Api, parameter: Parameter): BodyValue[] {
  const { name, schema } = parameter;
  return namedIn(document, undefined, { name, schema, value: exampleOf(document, parameter) });
}

/** Whether a parameter of a create holds the id of the new item. */
function isNewId(document: Api, operation: Operation, { in: place, name }: Parameter): boolean {
  const isCreate = operation.kind === 'create' && place === 'query';
  return isCreate && findResource(document, operation)?.givenBy === name;
}

/** The collections of which calls of an operation that changes something need to name an item. */
export function neededByParameters(document: Api, operation: Operation): readonly Resource[] {
  return operation.parameters
    .filter((one) => isRequired(one) && one.in !== 'path' && !isNewId(document, operation, one))
    .flatMap((one) => namedBy(document, one))
    .flatMap(({ names = [] }) => names.slice(0, 1));
}

/** Whether reads of what an operation changes need the same parameter, for a described collection. */
function isAskedByReads(document: Api, operation: Operation, one: Parameter): boolean {
  const { read, list } = findResource(document, operation)?.operations ?? {};
  const isSame = (other: Parameter) =>
    other.name === one.name && other.in === one.in && isRequired(other);
  const isDescribed = namedBy(document, one).some(({ names = [] }) => names.length > 0);
  return isDescribed && [read, list].some((each) => each?.parameters.some(isSame));
}

function exampleOf(document: Api, { name, examples, schema }: Parameter): unknown {
  const [example] = Object.values(examples);
  return example ?? exampleValue(document, withItem(document, schema), name);
}

/** A parameter as it is sent; empty where no value of it can be sent. */
function toPairs(parameter: Parameter, value: unknown): [name: string, text: string][] {
  const { name, in: place, content } = parameter;
  if (value === undefined) return [];
  if (place !== 'path' && !content) {
    const isList = Array.isArray(value) && value.every(isScalar);
    // The items of a list are joined as the simple style does.
    if (isList || isScalar(value))
      return [[name, isList ? value.map(String).join(',') : String(value)]];
  }
  const written = writeParameter(parameter, value);
  const pairs = 'pairs' in written ? written.pairs : [[name, written.text] as [string, string]];
  // What stands for values within JSON could not be encoded.
  const isOpen = content !== undefined && pairs.some(([, text]) => hasPlaceholder(text));
  return isOpen || pairs.some(([, text]) => text === '') ? [] : pairs;
}

/**
 * A parameter in a path template that nothing stands for yet, or a whole `{{placeholder}}`, whose
 * name may hold parameters.
 */
const openParameter = /\{\{(?:[^{}]|\{[^{}]*\})*\}\}|\{([^{}]+)\}/g;

/**
 * A case with the required parameters that it, or a header of each call (`given`), does not send
 * itself; with `isFresh`, these have new values beside the path.
 */
export function completeCase(
  document: Api,
  one: Case,
  {
    given = {},
    isFresh = false,
    givenFor = () => undefined,
  }: {
    given?: Readonly<Record<string, string>> | undefined;
    isFresh?: boolean;
    givenFor?: GivenFor;
  } = {},
): Case | MissingValue {
  const operation = one.operation ?? one.parametersOf;
  if (!operation) return one;
  if (operation.parameters.every((parameter) => !isRequired(parameter))) return one;
  const isOwn = one.operation !== undefined && isUnsafe(operation) && one.purpose.kind !== 'call';
  const made = requiredParameters(document, operation, { isOwn, isFresh, givenFor });
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
  const names = Object.keys(given).map((name) => name.toLowerCase());
  const headers = Object.entries(made.headers).filter(
    ([name]) => !names.includes(name.toLowerCase()),
  );
  return {
    ...one,
    ...(needsMadeValue(operation) && { isMadeUp: true }),
    path: `${filled}${whole && `?${whole}`}`,
    headers: { ...Object.fromEntries(headers), ...one.headers },
  };
}

/** Whether a path, which is complete, or a query has a parameter for which no value can be made. */
function isSent(sent: URLSearchParams, name: string, { parameters }: Operation): boolean {
  const { in: place } = parameters.find((one) => one.name === name) ?? {};
  return place === 'path' || (place === 'query' && sent.has(name));
}

/** The body of a call: JSON text, the form it is sent as, and whether the document gives it. */
type ExampleBody = { text: string; mediaType: string; isGiven: boolean; form?: Content };

/**
 * A body of an operation by its example or its schema, marked where it may add to `collections`;
 * undefined where it needs none.
 */
export function exampleBody(
  document: Api,
  operation: Operation,
  collections: readonly Resource[] = [],
): ExampleBody | MissingValue | undefined {
  const { body, otherBody } = operation;
  const { schema, examples = {}, form } = sendableBodyOf(operation) ?? fileBodyOf(operation) ?? {};
  // The example of a form may be its text.
  const [example] = Object.values(examples).filter((one) => !form || membersOf(one));
  const made = schema && exampleValue(document, body?.jsonPatch ?? schema);
  const filled = form ? made : withOneEach(document, { schema, value: made, collections });
  const value = example ?? filled;
  const isRequired = (body ?? otherBody)?.required;
  if (value === undefined) return isRequired ? { lacks: 'its body' } : undefined;
  const mediaType = form?.mediaType ?? body?.mediaTypes?.[0] ?? 'application/json';
  const sent = withMarks(document, { schema: schema ?? {}, value, collections });
  return { text: toJson(sent), mediaType, isGiven: example !== undefined, ...(form && { form }) };
}

type MadeValue = { schema: Schema | undefined; value: unknown; collections: readonly Resource[] };

/**
 * Puts one item into a list that was made empty, also in an envelope, as it would make nothing; only
 * one that the run can mark, and that names no other item.
 */
function withOneEach(
  document: Api,
  { schema = {}, value, collections }: MadeValue,
  name = '',
): unknown {
  if (!Array.isArray(value)) {
    const { properties } = document.schemas.describeSchema(schema);
    const members = Object.entries((name === '' && membersOf(value)) || {}).map(([key, one]) => [
      key,
      withOneEach(document, { schema: properties[key], value: one, collections }, key),
    ]);
    return members.length > 0 ? Object.fromEntries(members) : value;
  }
  const items = toPlain(document, schema)?.schema.items as Schema | undefined;
  const item = items && exampleValue(document, items);
  const isOfOthers = namedIn(document, undefined, { schema, value: [item], name }).some(
    ({ names, beside = [] }) => names || !beside.every((one) => collections.includes(one)),
  );
  if (value.length > 0 || !items || Array.isArray(item) || isOfOthers) return value;
  const fresh = withOwnItems(document, undefined, { schema: items, value: item });
  const marked = withMarks(document, { schema: items, value: fresh, collections });
  return toJson(marked) === toJson(fresh) ? value : [marked];
}
