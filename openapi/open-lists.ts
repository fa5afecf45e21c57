import { isSuccess } from '../common/success.ts';
import type { Operation } from './model/operation.ts';
import { nameOf, type Resource } from './model/resource.ts';
import { asksNothing, type RawDocument, resolve, type Schema } from './schema.ts';

/**
 * The lists that a document names without describing their items, as collections: each `GET` of a
 * path without parameters whose success may be an array of any objects. Their items have an `id`, a
 * number or a text.
 */
export function findOpenLists(raw: RawDocument, operations: readonly Operation[]): Resource[] {
  return operations.filter((operation) => isOpenList(raw, operation)).map(toResource);
}

function isOpenList(raw: RawDocument, { kind, method, path, responses }: Operation): boolean {
  if (kind !== undefined || method !== 'GET' || path.includes('{')) return false;
  const schema = responses.find(isSuccess)?.schema;
  return schema !== undefined && isAnyOf(raw, schema, 'array');
}

/** Whether any value of a type fits a schema; of arrays, any of objects. */
function isAnyOf(raw: RawDocument, schema: Schema, type: 'array' | 'object'): boolean {
  const resolved: unknown = resolve(raw, schema);
  if (typeof resolved !== 'object' || resolved === null) return false;
  return Object.entries(resolved).every(([keyword, value]) => {
    if (keyword === 'type') return [value].flat().includes(type);
    if (keyword === 'items') return type === 'array' && isAnyOf(raw, value, 'object');
    if (keyword === 'additionalProperties') return type === 'object' && value === true;
    return asksNothing(keyword);
  });
}

function toResource(list: Operation): Resource {
  return {
    name: nameOf(list.path),
    path: list.path,
    idProperty: 'id',
    idSchema,
    item: { properties: { id: idSchema }, required: [] },
    isOpen: true,
    operations: { list },
  };
}

const idSchema: Schema = { type: ['integer', 'string'], format: 'int64' };
