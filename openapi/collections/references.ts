import { isObject } from '../../common/json.ts';
import { lastWordOf } from '../../common/path-template.ts';
import { singular, toPlainName } from '../../common/words.ts';
import { typesOf } from '../model/id-form.ts';
import type { Reference, Resource } from '../model/resource.ts';
import { type RawDocument, resolve, type Schema } from '../schema.ts';
import { answeredItems } from './success.ts';

/**
 * Notes which properties of items hold ids of other collections, such as `authorId`, or those that
 * `x-twin` names the collection of: `{ references: /people }`, or `none`.
 */
export function linkReferences(raw: RawDocument, resources: readonly Resource[]): void {
  const wholes = resources.filter(({ scope }) => scope === undefined);
  const byRef = Map.groupBy(
    wholes.flatMap((resource) =>
      answeredItems(raw, resource).map(({ $ref }) => ({ resource, $ref })),
    ),
    ({ $ref }) => $ref,
  );
  const byNoun = Map.groupBy(wholes, ({ path }) => toPlainName(singular(lastWordOf(path))));
  const targetsOf = ({ stated, held, named, schema }: Referring): readonly Resource[] => {
    if (stated !== undefined) return wholes.filter(({ path }) => path === stated);
    if (held) return [...new Set(held.map(({ resource }) => resource))];
    const called = byNoun.get(named?.noun ?? '') ?? [];
    return called.filter((one) => isSure(raw, schema, named, one));
  };
  for (const resource of resources) {
    const references = Object.entries(resource.item.properties).flatMap(
      ([property, schema]): Reference[] => {
        const stated = statedTarget(raw, schema);
        const named = nameIn(property, resource);
        const held = idOrItemOf(raw, schema)?.flatMap(($ref) => byRef.get($ref) ?? []);
        const [target, ...others] = targetsOf({ stated, held, named, schema });
        const isOwn = stated === undefined && target === resource;
        return target && others.length === 0 && !isOwn
          ? [{ property, collection: target.name, ...(held && { isExpandable: true }) }]
          : [];
      },
    );
    if (references.length > 0) resource.references = references;
  }
}

/** A property that may refer to an item, and what tells of which collection: `x-twin`, what it holds, its name. */
type Referring = {
  schema: Schema;
  stated: string | undefined;
  held: readonly { resource: Resource }[] | undefined;
  named: Named | undefined;
};

/** The names of the schemas of objects that a property holds, if it may hold the id of one instead. */
function idOrItemOf(raw: RawDocument, schema: Schema): unknown[] | undefined {
  const choicesOf = ({ anyOf, oneOf }: RawDocument): Schema[] => anyOf ?? oneOf ?? [];
  // That it may be null stands around them.
  const alternatives = choicesOf(resolve(raw, schema) ?? {}).flatMap((one) =>
    one.$ref === undefined ? [one, ...choicesOf(one)] : [one],
  );
  const isId = alternatives.some((one) => typesOf(resolve(raw, one) ?? {}).includes('string'));
  const names = alternatives.flatMap(({ $ref }) => $ref ?? []);
  return isId && names.length > 0 ? names : undefined;
}

/** The path of the collection that `x-twin` says a property refers to, `none` where to none. */
function statedTarget(raw: RawDocument, schema: Schema): string | undefined {
  const hint = schema['x-twin'] ?? resolve(raw, schema)['x-twin'];
  const { references } = isObject(hint) ? hint : {};
  return typeof references === 'string' ? references : undefined;
}

type Named = { noun: string; isSlug: boolean };

/**
 * Returns the thing that a property names: `author` of `authorId`, `author_id`, `authorUuid` and
 * `authorSlug`. Other words, as in `authorName`, are too often mere texts.
 */
function nameIn(property: string, { idProperty, scope = [] }: Resource): Named | undefined {
  if (property === idProperty || scope.some((one) => one.property === property)) return undefined;
  const [, noun, slug] =
    /^(.+?)(?:Id|ID|Uuid|UUID|[_-](?:id|uuid)|(Slug|[_-]slug))$/.exec(property) ?? [];
  return noun === undefined ? undefined : { noun: toPlainName(noun), isSlug: slug !== undefined };
}

/** Whether the ids of a collection fit a property, and are slugs where its name says so. */
function isSure(
  raw: RawDocument,
  property: Schema,
  named: Named | undefined,
  { idProperty, idSchema }: Resource,
): boolean {
  const { type, enum: values, pattern, format } = resolve(raw, property);
  if (values !== undefined || pattern !== undefined) return false;
  if (named?.isSlug && toPlainName(idProperty) !== 'slug') return false;
  const isSame = [type].flat().includes(idSchema.type);
  return isSame && (idSchema.type !== 'string' || format === idSchema.format);
}
