import { findList } from '../../contracts/description/collections/list-rules.ts';
import {
  type ApiDocument,
  describeSchema,
  type Operation,
  type Schema,
} from '../../contracts/description/document.ts';
import { findSuccess } from '../documented/responses.ts';

/** Why the mock keeps no state for an operation, as far as its own description shows. */
export function whyStateless(operation: Operation, document: ApiDocument): string {
  const { method, path, hint } = operation;
  if (hint?.kind === 'none') return 'x-twin says so';
  if (hint?.kind)
    return `x-twin calls it a ${hint.kind}, but nothing shows objects with ${hint.id ?? 'an id'}; name the property with id`;
  const [, parent, parameter] = /^(.*)\/\{([^{}/]+)\}$/.exec(path) ?? [];
  const at = parameter === undefined ? path : (parent ?? '');
  const collection = document.resources.find((one) => one.path === at);
  if (collection) return whyNoPart(operation, document, { isItem: parameter !== undefined });
  if (method === 'GET' && parameter === undefined) return whyNoList(operation, document);
  const operations = document.operations.filter((one) => one.path === at);
  const verbs = operations.map((one) => one.method).join(', ');
  return operations.length === 0
    ? `no operation lists or creates anything at ${at || '/'}`
    : `${at || '/'} (${verbs}) is no collection with items that have ids`;
}

/** Why an operation at the path of a collection or of its items is none of its operations. */
function whyNoPart(
  operation: Operation,
  document: ApiDocument,
  { isItem }: { isItem: boolean },
): string {
  const { method, body } = operation;
  const place = isItem ? 'an item' : 'a collection';
  if (!(isItem ? onItem : onCollection).includes(method))
    return `${method} on ${place} has no meaning that every API shares`;
  if (['POST', 'PUT', 'PATCH'].includes(method) && !body) return 'it takes no body';
  return isObject(successOf(operation), document)
    ? 'what its success holds is not the item of the collection'
    : 'its success describes no object';
}

const onCollection = ['GET', 'POST'];
const onItem = ['GET', 'PUT', 'PATCH', 'DELETE'];

function whyNoList(operation: Operation, document: ApiDocument): string {
  const success = successOf(operation);
  if (!success) return 'its success describes no JSON';
  if (!findList(document.raw, operation))
    return describeSchema(document, success).schema.type === 'array'
      ? 'the items of its list are no objects'
      : 'its success is no list of items';
  return 'the items of its list have no property that identifies them';
}

function successOf(operation: Operation): Schema | undefined {
  return findSuccess(operation)?.schema;
}

function isObject(schema: Schema | undefined, document: ApiDocument): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return Object.keys(describeSchema(document, schema).properties).length > 0;
}
