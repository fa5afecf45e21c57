import { shownOf } from '../marks.ts';
import { type FlatSchema, flatten, type RawDocument, type Schema } from '../schema.ts';
import { findHeldId, findIdProperty, type IdHints } from './id-property.ts';
import { lastWordOf, type Place } from './places.ts';
import { idParameterOf, type Resource } from './resource.ts';
import { itemOf, itemsOf } from './success.ts';

type Found = Resource['operations'];

/** What the operations of a place show of its items, and what identifies these, if that is known. */
export type FoundItem = IdHints & {
  /** The schemas of the items that operations answer with, and what answers show of these. */
  schemas: readonly Schema[];
  shown: readonly FlatSchema[];
  idProperty: string | undefined;
};

/** Finds the items that the operations of a place answer with, and what identifies them. */
export function findItem(raw: RawDocument, { path }: Pick<Place, 'path'>, found: Found): FoundItem {
  const schemas = schemasOf(raw, found);
  const noun = lastWordOf(path);
  const parameter = idParameter(found);
  const shown = schemas.map((one) => shownOf(raw, flatten(raw, one)));
  const findFirst = (find: (one: FlatSchema) => string | undefined) =>
    shown.map(find).find((id) => id !== undefined);
  const idProperty =
    hintedId(found) ??
    findFirst((one) => findIdProperty(raw, one, { noun, parameter })) ??
    findFirst((one) => findHeldId(raw, one, { noun, parameter }));
  return { schemas, shown, idProperty, noun, parameter };
}

/** The schemas of items that operations answer with, those of lists first. */
function schemasOf(raw: RawDocument, found: Found): Schema[] {
  const listed = found.list && itemsOf(raw, found.list);
  const kinds = ['create', 'read', 'replace', 'update'] as const;
  const single = kinds.map((kind) => found[kind] && itemOf(raw, found[kind]));
  return [listed, ...single].filter((schema) => schema !== undefined);
}

/** The property that the document says identifies items. */
function hintedId(found: Found): string | undefined {
  return Object.values(found)
    .map(({ hint }) => hint?.id)
    .find((id) => id !== undefined);
}

/** The path parameter that names an item of the operations. */
function idParameter({ read, replace, update, delete: remove }: Found): IdHints['parameter'] {
  const operation = read ?? replace ?? update ?? remove;
  const name = operation && idParameterOf(operation);
  if (name === undefined) return undefined;
  const described = operation?.parameters.find((one) => one.in === 'path' && one.name === name);
  return described ?? { name, schema: {}, examples: {} };
}
