import {
  type ApiDocument,
  describeSchema,
  type Operation,
  type Resource,
  resolveSchema,
  type Schema,
} from '../description/document.ts';
import type { Case } from './case.ts';
import { completeCase, exampleBody } from './example-call.ts';
import { isUnsafe } from './unsafe-methods.ts';

/**
 * The operations without a kind on an item of a collection or below it, such as
 * `POST /invoices/{id}/send`, that can be called on an item of the run's own: a value is known for
 * all else that they need, and, unless `mayCall` allows it, none that could name another item.
 */
export function actionsOf(
  document: ApiDocument,
  resource: Resource,
  mayCall: (operation: Operation) => boolean,
): Operation[] {
  if (!resource.operations.create) return [];
  return document.operations.filter((operation) => {
    if (operation.kind || !isOnItem(operation, resource)) return false;
    if (isItsDeletion(operation, resource)) return false;
    const isHarmless = !isUnsafe(operation) || mayCall(operation);
    if (!isHarmless && mayNameAnother(document, operation, resource)) return false;
    const path = itemPathOf(resource, '1').replace(/\{[^{}]+\}/g, '1');
    return actionCase(document, operation, path) !== undefined;
  });
}

/**
 * Whether an action needs more than a choice: a value that the document does not list may name
 * something that the run has not created, as in `POST /accounts/{id}/merge` with `{"into": 1}`.
 */
export function mayNameAnother(
  document: ApiDocument,
  { path, parameters, body, otherBody }: Operation,
  resource: Pick<Resource, 'path'>,
): boolean {
  const isChoice = (schema: Schema) => {
    const { type, enum: values, const: constant } = resolveSchema(document, schema);
    return type === 'boolean' || values !== undefined || constant !== undefined;
  };
  const depth = itemPathOf(resource, '').split('/').length;
  const below = path.split('/').slice(depth).join('/');
  const asked = parameters.filter(({ name, in: place, required }) =>
    place === 'path' ? below.includes(`{${name}}`) : required,
  );
  const fields = body?.required ? describeSchema(document, body.schema) : undefined;
  const isFieldChoice = (name: string) => isChoice(fields?.properties[name] ?? {});
  const isBodyOpen =
    otherBody?.required === true ||
    (fields !== undefined &&
      (fields.required.length === 0 || !fields.required.every(isFieldChoice)));
  return isBodyOpen || !asked.every(({ schema }) => isChoice(schema));
}

/** A call of an operation below the item at a path; undefined where no value is known for it. */
export function actionCase(
  document: ApiDocument,
  operation: Operation,
  itemPath: string,
): Case | undefined {
  const { id, method, path } = operation;
  const rest = path.split('/').slice(itemPath.split('/').length);
  const isBodyNeeded = (operation.body ?? operation.otherBody)?.required === true;
  const body = isBodyNeeded ? exampleBody(document, operation) : undefined;
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
  if ((body && 'lacks' in body) || 'lacks' in completeCase(document, one)) return undefined;
  if (!body) return one;
  const { mediaType, text, form } = body;
  return { ...one, headers: { 'Content-Type': mediaType }, body: text, ...(form && { form }) };
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
