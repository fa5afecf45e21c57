import { type FlatSchema, isObject, type RawDocument, resolve, type Schema } from '../schema.ts';
import { lastWordOf } from './places.ts';
import { toPlainName } from './plain-name.ts';
import type { Reference, Resource } from './resource.ts';
import { singular } from './words.ts';

/**
 * Notes which properties of items hold ids of other collections, such as `authorId`, or those that
 * `x-twin` names the collection of: `{ references: /people }`, or `none`.
 */
export function linkReferences(raw: RawDocument, resources: readonly Resource[]): void {
  const byNoun = Map.groupBy(
    resources.filter(({ scope }) => scope === undefined),
    ({ path }) => toPlainName(singular(lastWordOf(path))),
  );
  for (const resource of resources) {
    const { properties } = resource.item;
    const references = Object.keys(properties).flatMap((property): Reference[] => {
      const stated = statedTarget(raw, properties[property] as Schema);
      if (stated !== undefined) {
        const target = resources.find((one) => one.path === stated && one.scope === undefined);
        return target ? [{ property, collection: target.name }] : [];
      }
      const { noun, of } = nameIn(property, resource);
      const [named, ...others] = (noun !== undefined && byNoun.get(noun)) || [];
      const isOf = of === undefined || toPlainName(named?.idProperty ?? '') === of;
      const isSure = named && named !== resource && others.length === 0 && isOf;
      return isSure && isAlike(raw, resource.item, property, named)
        ? [{ property, collection: named.name }]
        : [];
    });
    if (references.length > 0) resource.references = references;
  }
}

/** The path of the collection that `x-twin` says a property refers to, `none` where to none. */
function statedTarget(raw: RawDocument, schema: Schema): string | undefined {
  const hint = schema['x-twin'] ?? resolve(raw, schema)['x-twin'];
  const { references } = isObject(hint) ? hint : {};
  return typeof references === 'string' ? references : undefined;
}

/**
 * What a property names: `author` of `authorId`, `author_id` and `authorUuid`; of `authorSlug`, too,
 * if that is `of` authors what identifies them. Other words, as in `authorName`, are too often mere
 * texts.
 */
function nameIn(
  property: string,
  { idProperty, scope = [] }: Resource,
): { noun?: string; of?: string } {
  if (property === idProperty || scope.some((one) => one.property === property)) return {};
  const [, noun, word = ''] =
    /^(.+?)(?:Id|ID|Uuid|UUID|[_-](?:id|uuid)|(Slug|[_-]slug))$/.exec(property) ?? [];
  if (noun === undefined) return {};
  return { noun: toPlainName(noun), ...(word !== '' && { of: 'slug' }) };
}

/** Whether the ids of a collection fit a property. */
function isAlike(
  raw: RawDocument,
  { properties }: FlatSchema,
  property: string,
  { idSchema }: Resource,
): boolean {
  const { type, enum: values, pattern, format } = resolve(raw, properties[property] as Schema);
  if (values !== undefined || pattern !== undefined) return false;
  const isSame = [type].flat().includes(idSchema.type);
  return isSame && (idSchema.type !== 'string' || format === idSchema.format);
}
