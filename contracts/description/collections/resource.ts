import type { Kind } from '../kinds.ts';
import type { Operation } from '../operation.ts';
import type { FlatSchema, Schema } from '../schema.ts';
import type { ItemForm } from './item-form.ts';
import type { ListForm } from './list-form.ts';
import type { PageSize } from './page-size.ts';
import type { Scope } from './scope.ts';

/** A collection of like items, found from the paths and schemas of the document. */
export type Resource = {
  /** The collection's path without its first slash, e.g. `pets` or `users/{userId}/posts`. */
  name: string;
  /** The path template of the collection. */
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
  /** What the path parameters of the collection name, outermost first; none where it has none. */
  scope?: readonly Scope[];
  /** How a list holds its items; a bare array where undefined. */
  listForm?: ListForm;
  /** How an answer holds the item, by the kind of its operation; the item alone where undefined. */
  itemForm?: Partial<Record<Kind, ItemForm>>;
  /** How a body holds the fields of the item, likewise. */
  bodyForm?: Partial<Record<Kind, ItemForm>>;
  operations: Partial<Record<Kind, Operation>>;
};

/** The name of the collection at a path. */
export function nameOf(path: string): string {
  return path.slice(1) || '/';
}

/** The path parameter that names the item an operation works on. */
export function idParameterOf({ path }: Pick<Operation, 'path'>): string | undefined {
  return path.match(/\{([^{}]+)\}$/)?.[1];
}
