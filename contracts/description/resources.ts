import { type Kind, type KindRule, kindRules } from './kinds.ts';
import { isMarked, shownOf } from './marks.ts';
import type { Operation, Parameter } from './operation.ts';
import { type FlatSchema, flatten, type RawDocument, resolve, type Schema } from './schema.ts';

/** How many items a list shows at once, by the query parameter `name`, as far as the document says. */
export type PageSize = { name: string; min?: number; max?: number; default?: number };

/** A collection of like items, found from the paths and schemas of the document. */
export type Resource = {
  /** The collection's path without its first slash, e.g. `pets`. */
  name: string;
  path: string;
  idProperty: string;
  idSchema: Schema;
  item: FlatSchema;
  /** Whether items may have properties that the document does not describe. */
  isOpen?: boolean;
  /** Query parameters of the list that name a property of the item, and so filter by it. */
  filters: string[];
  /** Undefined where the list has no parameter that bounds it. */
  pageSize?: PageSize;
  operations: Partial<Record<Kind, Operation>>;
};

/** Common names of the parameter that bounds a list, without their separators. */
const pageSizeNames = [
  'limit',
  'pagesize',
  'perpage',
  'maxresults',
  'top',
  'first',
  'take',
  'size',
  'count',
];

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

/**
 * Finds the collections of a document and gives each operation on one its kind. An operation that
 * follows no {@link kindRules rule} stays without a kind.
 */
export function resourcesOf(raw: RawDocument, operations: Operation[]): Resource[] {
  const resources: Resource[] = [];
  for (const path of new Set(operations.map((operation) => operation.path))) {
    if (path.includes('{')) continue;
    const found = operationsOn(raw, path, operations);
    const source = found.list ?? found.create;
    if (!source) continue;
    const item = shownOf(raw, flatten(raw, itemSchema(raw, source)));
    const idProperty = idPropertyOf(item, found);
    if (!idProperty || !isCounted(resolve(raw, item.properties[idProperty] ?? {}))) continue;
    // Where the caller gives the id, the service does not, and what it does with it is not known.
    if (found.create && requiresOf(raw, found.create).includes(idProperty)) delete found.create;
    if (!found.list && !found.create) continue;
    const queries = found.list?.parameters.filter((parameter) => parameter.in === 'query') ?? [];
    const filters = queries.filter(({ name }) => name in item.properties).map(({ name }) => name);
    const pageSize = found.list && pageSizeOf(raw, found.list, filters);
    const name = nameOf(path);
    for (const [kind, operation] of Object.entries(found))
      Object.assign(operation, { kind, resource: name });
    resources.push({
      name,
      path,
      idProperty,
      idSchema: resolve(raw, item.properties[idProperty] ?? {}),
      item,
      filters,
      ...(pageSize && { pageSize }),
      operations: found,
    });
  }
  return resources;
}

/** The name of the collection at a path. */
export function nameOf(path: string): string {
  return path.slice(1) || '/';
}

/** The page size of a list, by the parameter that bounds it and is no filter. */
export function pageSizeOf(
  raw: RawDocument,
  { parameters }: Operation,
  filters: readonly string[] = [],
): PageSize | undefined {
  const bounds = parameters.filter(
    ({ name, in: place, schema }) =>
      place === 'query' && !filters.includes(name) && resolve(raw, schema).type === 'integer',
  );
  const parameter = pageSizeNames
    .map((known) => bounds.find(({ name }) => plain(name) === known))
    .find((found) => found);
  return parameter && toPageSize(raw, parameter);
}

function toPageSize(raw: RawDocument, { name, schema }: Parameter): PageSize {
  const { minimum: min, maximum: max, default: size } = resolve(raw, schema);
  return {
    name,
    ...(typeof min === 'number' && { min }),
    ...(typeof max === 'number' && { max }),
    ...(typeof size === 'number' && { default: size }),
  };
}

/** The page size of a list, where the document gives both of its bounds. */
export function boundedPageSize({
  pageSize,
}: Resource): (PageSize & { min: number; max: number }) | undefined {
  const { min, max } = pageSize ?? {};
  return pageSize && min !== undefined && max !== undefined ? { ...pageSize, min, max } : undefined;
}

/** Whether the success of an operation holds what a rule asks for. */
const isGiven: Record<
  NonNullable<KindRule['gives']>,
  (raw: RawDocument, operation: Operation) => boolean
> = {
  items: (raw, operation) => itemsOf(raw, operation) !== undefined,
  item: (raw, operation) => isObject(raw, successOf(operation)),
};

function operationsOn(
  raw: RawDocument,
  path: string,
  operations: Operation[],
): Partial<Record<Kind, Operation>> {
  const below = new RegExp(`^${RegExp.escape(path)}/\\{[^/{}]+\\}$`);
  const follows = (one: Operation, { method, on, takesBody, gives }: KindRule) =>
    one.method === method &&
    (on === 'collection' ? one.path === path : below.test(one.path)) &&
    (!takesBody || one.body !== undefined) &&
    (!gives || isGiven[gives](raw, one));
  const found = Object.entries(kindRules).map(
    ([kind, rule]) => [kind, operations.find((one) => follows(one, rule))] as const,
  );
  return Object.fromEntries(found.filter(([, operation]) => operation !== undefined));
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

/** Whether ids may be 1, 2, 3 and so on, as numbers, as texts or as UUIDs. */
function isCounted(schema: RawDocument): boolean {
  if (schema.enum || 'const' in schema) return false;
  const types: unknown[] = [schema.type ?? 'string'].flat();
  return types.includes('integer') || types.includes('number')
    ? isCountedNumber(schema)
    : types.includes('string') && isCountedText(schema);
}

function isCountedNumber({
  minimum = 1,
  exclusiveMinimum = 0,
  maximum,
  exclusiveMaximum,
  multipleOf = 1,
}: RawDocument): boolean {
  const max = Math.min(maximum ?? Infinity, exclusiveMaximum ?? Infinity);
  return minimum <= 1 && exclusiveMinimum < 1 && max >= 1_000_000 && multipleOf <= 1;
}

function isCountedText({ format, pattern, minLength = 0 }: RawDocument): boolean {
  if (format === 'uuid') return true;
  const isNumber = format === undefined || /^u?int\d+$/.test(format);
  return isNumber && minLength <= 1 && (pattern === undefined || isNumeric(pattern));
}

function isNumeric(pattern: string): boolean {
  try {
    return ['1', '120', '999999'].every((id) => new RegExp(pattern, 'u').test(id));
  } catch {
    return false;
  }
}

/** What the body of an operation has to have, and the service does not set itself. */
function requiresOf(raw: RawDocument, { body }: Operation): string[] {
  const { properties, required } = flatten(raw, body?.schema);
  return required.filter((name) => !isMarked(raw, properties[name], 'readOnly'));
}

function idPropertyOf(item: FlatSchema, found: Resource['operations']): string | undefined {
  if ('id' in item.properties) return 'id';
  return [found.read, found.replace, found.update, found.delete]
    .map((operation) => operation && idParameterOf(operation))
    .find((name) => name !== undefined && name in item.properties);
}

/** The path parameter that names the item an operation works on. */
export function idParameterOf({ path }: Pick<Operation, 'path'>): string | undefined {
  return path.match(/\{([^{}]+)\}$/)?.[1];
}
