import { type Kind, type KindRule, kindRules } from '../kinds.ts';
import { isMarked, shownOf } from '../marks.ts';
import type { Operation } from '../operation.ts';
import { type FlatSchema, flatten, type RawDocument, resolve, type Schema } from '../schema.ts';
import { isCounted } from './counted-ids.ts';
import { findList, findListRules } from './list-rules.ts';
import { idParameterOf, nameOf, type Resource } from './resource.ts';

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
    const rules = found.list && findListRules(raw, found.list, item);
    const { filters = [], pageSize, form } = rules ?? {};
    const name = nameOf(path);
    for (const [kind, operation] of Object.entries(found))
      Object.assign(operation, { kind, resource: name });
    resources.push({
      name,
      path,
      idProperty,
      idSchema: resolve(raw, item.properties[idProperty] ?? {}),
      item,
      filters: [...filters],
      ...(pageSize && { pageSize }),
      ...(form && form.pointer.length > 0 && { listForm: form }),
      operations: found,
    });
  }
  return resources;
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
  return findList(raw, operation)?.items;
}

function itemSchema(raw: RawDocument, operation: Operation): Schema | undefined {
  return itemsOf(raw, operation) ?? successOf(operation);
}

function isObject(raw: RawDocument, schema: Schema | undefined): boolean {
  return Object.keys(flatten(raw, schema).properties).length > 0;
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
