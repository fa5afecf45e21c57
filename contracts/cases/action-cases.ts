import {
  type ApiDocument,
  type Operation,
  type Resource,
  resolveSchema,
  type Schema,
} from '../description/document.ts';
import { describeSent } from '../description/marks.ts';
import { sendableBodyOf } from '../description/sendable-body.ts';
import { toObjectText } from './bodies.ts';
import type { Case } from './case.ts';
import { completeCase, exampleBody } from './example-call.ts';
import { exampleValue } from './example-value.ts';
import { freshValue } from './fresh-value.ts';
import { isUnsafe } from './unsafe-methods.ts';

/**
 * The operations without a kind on an item of a collection or below it, such as
 * `POST /invoices/{id}/send`, that can be called on an item of the run's own: a value is known for
 * all else that they need, and, unless `mayCall` allows it, one that can name nothing else.
 */
export function actionsOf(
  document: ApiDocument,
  resource: Resource,
  mayCall: (operation: Operation) => boolean,
): Operation[] {
  if (!resource.operations.create) return [];
  const path = itemPathOf(resource, '1').replace(/\{[^{}]+\}/g, '1');
  return document.operations.filter(
    (operation) =>
      !operation.kind &&
      isOnItem(operation, resource) &&
      !isItsDeletion(operation, resource) &&
      actionCase(document, operation, path, mayCall) !== undefined,
  );
}

/**
 * A call of an operation below the item at a path; undefined where no value is known for it that may
 * be sent.
 */
export function actionCase(
  document: ApiDocument,
  operation: Operation,
  itemPath: string,
  mayCall: (operation: Operation) => boolean,
): Case | undefined {
  const { id, method, path } = operation;
  const rest = path.split('/').slice(itemPath.split('/').length);
  const isFree = !isUnsafe(operation) || mayCall(operation);
  const body = isFree ? exampleBody(document, operation) : ownBody(document, operation);
  const one: Case = {
    id: `${id}/of ${itemPath}`,
    operation,
    method,
    path: [itemPath, ...rest].join('/'),
    credential: 'valid',
    // What state an item must have for it is not stated.
    purpose: { kind: 'call', isMadeUp: true },
    priority: 2,
    writes: true,
  };
  const isNamed = !isFree && asksForMore(document, operation, rest.join('/'));
  if (isNamed || (body && 'lacks' in body) || 'lacks' in completeCase(document, one))
    return undefined;
  if (!body) return one;
  const { mediaType, text, form } = body;
  return { ...one, headers: { 'Content-Type': mediaType }, body: text, ...(form && { form }) };
}

/** Whether an operation needs a parameter besides the item's, which may name something else. */
function asksForMore(document: ApiDocument, { parameters }: Operation, below: string): boolean {
  return parameters.some(
    ({ name, in: place, required, schema }) =>
      (place === 'path' ? below.includes(`{${name}}`) : required) && !isChoice(document, schema),
  );
}

/** A body whose values are the document's own choices, or made by the run, so that they name nothing. */
function ownBody(document: ApiDocument, operation: Operation): ReturnType<typeof exampleBody> {
  const body = sendableBodyOf(operation);
  if (!body) return operation.otherBody?.required ? { lacks: 'its body' } : undefined;
  const { schema, mediaType, form } = body;
  const { properties, required } = describeSent(document, schema);
  const fields: Record<string, unknown> = {};
  for (const name of required) {
    const plain = resolveSchema(document, properties[name] ?? {});
    const given = plain.type === 'boolean' ? false : exampleValue(document, plain);
    const value = isChoice(document, plain) ? given : freshValue(plain);
    if (value === undefined) return { lacks: name };
    fields[name] = value;
  }
  const isDescribed = Object.keys(properties).length > 0;
  if (required.length === 0 && !operation.body?.required) return undefined;
  if (!isDescribed) return { lacks: 'its body' };
  return { text: toObjectText(fields), mediaType, isGiven: false, ...(form && { form }) };
}

/** Whether a value leaves no choice: a constant, the only one of an enum, or a boolean, sent as false. */
function isChoice(document: ApiDocument, schema: Schema): boolean {
  const { type, enum: values, const: constant } = resolveSchema(document, schema);
  const isOnly = Array.isArray(values) && values.length === 1;
  return type === 'boolean' || isOnly || constant !== undefined;
}

/** The path of an item of a collection; the parameters of the collection itself stay open. */
export function itemPathOf({ path }: Pick<Resource, 'path'>, segment: string): string {
  return `${path}/${segment}`;
}

/**
 * The run deletes what it created in the end: an item that is gone by then would be taken for one
 * that was lost.
 */
function isItsDeletion({ method, path }: Operation, resource: Resource): boolean {
  const depth = itemPathOf(resource, '1').split('/').length;
  return method === 'DELETE' && path.split('/').length === depth;
}

/** Whether an operation is on an item of a collection, or below it. */
export function isOnItem({ path }: Operation, { path: collection }: Resource): boolean {
  const own = [...collection.split('/'), '{}'];
  const parts = path.split('/');
  const isParameter = (part = '') => part.startsWith('{') && part.endsWith('}');
  return (
    parts.length >= own.length &&
    own.every(
      (part, index) => part === parts[index] || (isParameter(part) && isParameter(parts[index])),
    )
  );
}
