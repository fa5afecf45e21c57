import type { Kind, Operation } from './operation.ts';
import { type FlatSchema, flatten, type RawDocument, resolve, type Schema } from './schema.ts';

/** A collection of like items, found from the paths and schemas of the document. */
export type Resource = {
  /** The collection's path without its first slash, e.g. `pets`. */
  name: string;
  path: string;
  idProperty: string;
  idSchema: Schema;
  item: FlatSchema;
  /** Query parameters of the list that name a property of the item, and so filter by it. */
  filters: string[];
  /** Query parameter of the list that bounds how many items come back. */
  pageSize?: string;
  operations: Partial<Record<Kind, Operation>>;
};

/**
 * Finds the collections of a document and gives each operation on one its kind:
 * `list` is a GET that answers with an array of objects, `create` a POST on the same path that answers with one,
 * `read` a GET of one item below it. An operation that fits none of these stays without a kind.
 */
export function resourcesOf(raw: RawDocument, operations: Operation[]): Resource[] {
  const resources: Resource[] = [];
  for (const path of new Set(operations.map((operation) => operation.path))) {
    if (path.includes('{')) continue;
    const found = operationsOn(raw, path, operations);
    const source = found.list ?? found.create;
    if (!source) continue;
    const item = flatten(raw, itemSchema(raw, source));
    const idProperty = idPropertyOf(item, found.read);
    if (!idProperty) continue;
    const queries = found.list?.parameters.filter((parameter) => parameter.in === 'query') ?? [];
    const filters = queries.filter(({ name }) => name in item.properties).map(({ name }) => name);
    const bounds = queries.filter(({ name, schema }) => !filters.includes(name) && resolve(raw, schema).type === 'integer');
    const pageSize =
      bounds.find(({ name }) => name === 'limit') ?? bounds.find(({ schema }) => resolve(raw, schema).maximum !== undefined);
    const name = path.slice(1);
    for (const [kind, operation] of Object.entries(found)) Object.assign(operation, { kind, resource: name });
    resources.push({
      name,
      path,
      idProperty,
      idSchema: resolve(raw, item.properties[idProperty] ?? {}),
      item,
      filters,
      ...(pageSize && { pageSize: pageSize.name }),
      operations: found,
    });
  }
  return resources;
}

function operationsOn(raw: RawDocument, path: string, operations: Operation[]): Partial<Record<Kind, Operation>> {
  const below = new RegExp(`^${RegExp.escape(path)}/\\{[^/{}]+\\}$`);
  const list = operations.find((one) => one.method === 'GET' && one.path === path && itemsOf(raw, one));
  const create = operations.find(
    (one) => one.method === 'POST' && one.path === path && one.body && isObject(raw, successOf(one)),
  );
  const read = operations.find((one) => one.method === 'GET' && below.test(one.path) && isObject(raw, successOf(one)));
  return { ...(list && { list }), ...(create && { create }), ...((list || create) && read && { read }) };
}

function successOf(operation: Operation): Schema | undefined {
  return operation.responses.find(({ status }) => /^2\d\d$/.test(status))?.schema;
}

function itemsOf(raw: RawDocument, operation: Operation): Schema | undefined {
  const success = successOf(operation);
  const array = success && resolve(raw, success);
  return array?.type === 'array' && isObject(raw, array.items) ? array.items : undefined;
}

function itemSchema(raw: RawDocument, operation: Operation): Schema | undefined {
  return itemsOf(raw, operation) ?? successOf(operation);
}

function isObject(raw: RawDocument, schema: Schema | undefined): boolean {
  return Object.keys(flatten(raw, schema).properties).length > 0;
}

function idPropertyOf(item: FlatSchema, read: Operation | undefined): string | undefined {
  if ('id' in item.properties) return 'id';
  const parameter = read?.path.match(/\{([^{}]+)\}$/)?.[1];
  return parameter !== undefined && parameter in item.properties ? parameter : undefined;
}
