import { isObject } from '../../../common/json.ts';
import type { Api, Operation, Resource, Schema } from '../../../openapi/index.ts';
import { collectionsOf } from '../../../openapi/model/api.ts';
import { placementsOf } from '../../../openapi/model/placements.ts';
import { findSuccess } from '../../documented/responses.ts';

/** A kind of objects, of a version of a group; the first groups of such APIs have no name. */
export type ObjectKind = { kind: string; apiVersion: string };

/** The objects of a collection. */
export type ObjectType = ObjectKind & { resource: Resource };

/** Facts about operations and schemas from a document's extensions. */
export type ObjectTypes = {
  /** The kind that an operation is about; its node says so. */
  kindOf(operation: Operation): ObjectKind | undefined;
  /** Returns the action of the operation, such as `deletecollection` or `watch`. */
  actionOf(operation: Operation): string | undefined;
  /** The kind of an operation's answer, such as a list. */
  shownBy(operation: Operation): ObjectKind | undefined;
  /** The objects that a path shows, one of them or all. */
  typeAt(path: string): ObjectType | undefined;
};

/** Reads what the extensions of a document say. */
export function createObjectTypes(document: Api): ObjectTypes {
  const { schemas } = document;
  const kindOf = (operation: Operation) => toKind(operation.extensions);
  const byPath = new Map<string, ObjectType>();
  for (const resource of collectionsOf(document))
    for (const { operations } of placementsOf(resource))
      for (const operation of Object.values(operations)) {
        const kind = kindOf(operation);
        if (kind) byPath.set(operation.path, { ...kind, resource });
      }
  return {
    kindOf,
    actionOf: ({ extensions }) => extensions?.['x-kubernetes-action'] as string | undefined,
    shownBy(operation) {
      const schema: Schema | undefined = findSuccess(operation)?.schema;
      return schema && toKind(schemas.resolve(schema));
    },
    typeAt: (path) => byPath.get(path),
  };
}

/** Of a schema that several groups share, the first. */
function toKind(node: unknown): ObjectKind | undefined {
  if (!isObject(node)) return undefined;
  const [first] = [node['x-kubernetes-group-version-kind'] ?? []].flat();
  if (!isObject(first)) return undefined;
  return { kind: String(first.kind), apiVersion: toApiVersion(first.group, first.version) };
}

/** A group and a version as objects name them. */
export function toApiVersion(group: unknown, version: unknown): string {
  return group ? `${group}/${version}` : String(version);
}
