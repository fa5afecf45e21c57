import { isObject } from '../../common/json.ts';
import { addLate } from '../../common/late.ts';
import { lastWordOf, shapeOf } from '../../common/path-template.ts';
import { topOf } from '../../common/property-path.ts';
import { remembered } from '../../common/remembered.ts';
import { singular, toNoun, toPlainName, wordsOf } from '../../common/words.ts';
import { describedAt } from '../described-at.ts';
import { shownOf } from '../marks.ts';
import { typesOf } from '../model/id-form.ts';
import { placementsOf } from '../model/placements.ts';
import type { HeldItem, Reference, Resource } from '../model/resource.ts';
import { type FlatSchema, flatten, type RawDocument, resolve, type Schema } from '../schema.ts';
import { agrees, objectAlternative, shareType } from './schema-types.ts';
import { answeredItems } from './success.ts';

/**
 * Notes which properties of items hold ids of other collections, such as `authorId`, or those that
 * `x-twin` names the collection of: `{ references: /people }`, or `none`.
 */
export function linkReferences(raw: RawDocument, resources: readonly Resource[]): void {
  const wholes = resources.filter(({ scope }) => scope === undefined);
  const targetsIn = (all: readonly Resource[]): Targets => ({
    byRef: Map.groupBy(
      all.flatMap((resource) =>
        answeredItems(raw, resource).map(({ $ref }) => ({ resource, $ref })),
      ),
      ({ $ref }) => $ref,
    ),
    byNoun: Map.groupBy(all, nounOf),
  });
  const { byRef, byNoun } = targetsIn(wholes);
  const besides = remembered((above: string) =>
    targetsIn(resources.filter((one) => one.scope && !one.givenId && aboveOf(one) === above)),
  );
  const targetsOf = ({ stated, held, named, parent, schema }: Referrer): readonly Resource[] => {
    if (stated !== undefined) return wholes.filter(({ path }) => path === stated);
    if (held) return [...new Set(held.map(({ resource }) => resource))];
    const called = parent
      ? wholes.filter(({ name }) => name === parent)
      : (byNoun.get(named?.noun ?? '') ?? []);
    return called.filter((one) => isSure(raw, schema, named, one));
  };
  const find = (resource: Resource): Pick<Resource, 'references' | 'held'> => {
    const references = Object.entries(resource.item.properties).flatMap(
      ([property, schema]): Reference[] => {
        const stated = statedTarget(raw, schema);
        const named = nameIn(property, resource);
        const held = idOrItemOf(raw, schema)?.flatMap(($ref) => byRef.get($ref) ?? []);
        const parent = parentAt(resource, property);
        const [target, ...others] = targetsOf({ stated, held, named, parent, schema });
        const isOwn = stated === undefined && target === resource;
        return target && others.length === 0 && !isOwn
          ? [{ property, collection: target.name, ...(held && { isExpandable: true }) }]
          : [];
      },
    );
    const known = new Set([
      ...references.map(({ property }) => property),
      // An object that names items together with others is of the item's own.
      ...placementsOf(resource).flatMap(({ scope, key }) =>
        [key, ...scope.map((one) => one.property)].map((one) => one && topOf(one)),
      ),
    ]);
    const held = Object.entries(resource.item.properties).flatMap(([property, schema]) => {
      const found = known.has(property)
        ? undefined
        : toHolding(raw, property, { schema, owner: resource });
      // What is called as the item itself wraps it.
      const isWrapper = (one: Resource) =>
        one === resource && toPlainName(property) === nounOf(one);
      const isOf = (one: Resource) => found && !isWrapper(one) && isHeldBy(raw, found, one);
      // What is below the same parent is nearer than what stands alone.
      const reach = [...(resource.scope ? [besides(aboveOf(resource))] : []), { byRef, byNoun }];
      for (const targets of found ? reach : [])
        for (const { find } of holdingRules) {
          const [target, ...others] = find(found as Holder, targets).filter(isOf);
          if (target && others.length === 0) return [toHeld(found as Holder, target, resource)];
          if (target) break;
        }
      return [];
    });
    return {
      ...(references.length > 0 && { references }),
      ...(held.length > 0 && { held }),
    };
  };
  for (const resource of resources) addLate(resource, ['references', 'held'], () => find(resource));
}

/** The shape of the path of the item that a collection is below. */
function aboveOf({ path }: Resource): string {
  return shapeOf(path).replace(/\/[^/]+$/, '');
}

function nounOf({ path }: Resource): string {
  return toNoun(lastWordOf(path));
}

/** A property that holds an object, or a list of them: the schema of one, and its names in the document. */
type Holder = {
  property: string;
  isList: boolean;
  item: FlatSchema;
  refs: readonly unknown[];
  owner: Resource;
};

type Targets = {
  byRef: ReadonlyMap<unknown, readonly { resource: Resource }[]>;
  byNoun: ReadonlyMap<string, readonly Resource[]>;
};

/** A way in which an object in an item tells of which collection it is an item. */
type HoldingRule = {
  name: string;
  find: (holding: Holder, targets: Targets) => Resource[];
  /** A property of items beside those of `/pets`, and the collection of what it holds. */
  example: string;
};

/** Rules for objects in items, in their order; none applies where several collections are meant. */
export const holdingRules: readonly HoldingRule[] = [
  {
    name: 'has the schema that the collection answers with',
    find: ({ refs }, { byRef }) => [
      ...new Set(refs.flatMap((one) => byRef.get(one) ?? []).map(({ resource }) => resource)),
    ],
    example: 'favourite: Pet -> pets',
  },
  {
    name: 'is called as an item, and has no property that items lack',
    find: ({ property, item }, { byNoun }) => {
      const words = wordsOf(property);
      const nouns = words.map((_, index) => words.slice(index).map(singular).join(''));
      const called = nouns.flatMap((one) => byNoun.get(one) ?? []);
      const hasAll = (one: Resource) =>
        Object.keys(item.properties).every((name) => Object.hasOwn(one.item.properties, name));
      return called.filter(hasAll).slice(0, 1);
    },
    example: 'favouritePet: {id: integer, name: string} -> pets',
  },
  {
    name: 'is the parent or a child of its item, and has no property that this lacks',
    find: ({ property, item, owner }) => {
      const isKin = /^(parents?|ancestors?|children|child)$/.test(toPlainName(property));
      const names = Object.keys(item.properties);
      const isAlike = names.every((name) => Object.hasOwn(owner.item.properties, name));
      return isKin && isAlike && names.length > 1 ? [owner] : [];
    },
    example: 'parent: {id: integer, name: string} -> owners',
  },
];

function toHolding(
  raw: RawDocument,
  property: string,
  { schema, owner }: { schema: Schema; owner: Resource },
): Holder | undefined {
  const outer = objectAlternative(raw, schema);
  const isList = outer?.items !== undefined;
  const item = shownOf(raw, flatten(raw, isList ? objectAlternative(raw, outer.items) : outer));
  if (Object.keys(item.properties).length === 0) return undefined;
  return { property, isList, item, refs: refsOf(raw, isList ? outer.items : schema), owner };
}

/** The names of a schema, of those that it wraps alone, and of its alternatives. */
function refsOf(
  raw: RawDocument,
  { $ref, allOf = [], anyOf = [], oneOf = [] }: RawDocument,
): unknown[] {
  const within = [...(allOf.length === 1 ? allOf : []), ...anyOf, ...oneOf];
  return $ref === undefined ? within.flatMap((one: Schema) => refsOf(raw, one)) : [$ref];
}

/** Whether an object has the id of the items of a collection, and says nothing else of them. */
function isHeldBy(raw: RawDocument, { item }: Holder, target: Resource): boolean {
  const [id, own] = [item, target.item].map((one) => describedAt(raw, one, target.idProperty));
  return id !== undefined && shareType(raw, id, own) && agrees(raw, item, target.item);
}

/** How an item of one collection holds those of another: itself, and by the names of their ids. */
function toHeld({ property, isList }: Holder, target: Resource, owner: Resource): HeldItem {
  const plain = toPlainName(property);
  const one = toNoun(property);
  const ends = isList ? ['ids', 'uuids'] : ['id', 'uuid', toPlainName(target.idProperty)];
  // The id may have the name itself, and the object a longer one: `author` and `author_detail`.
  const own = nounOf(target);
  const isLonger = plain !== own && one !== own && plain.startsWith(own);
  // The noun may stand before the last word: `external_customer_id` for the `external_id`.
  const words = wordsOf(target.idProperty);
  const around = (noun: string) => words.toSpliced(-1, 0, noun).join('');
  const names = [
    ...[plain, one].flatMap((noun) => [...ends.map((end) => noun + end), around(noun)]),
    ...(isLonger ? [own, toPlainName(lastWordOf(target.path))] : []),
  ];
  const scope = owner.scope?.find(({ parent }) => parent === target.name);
  return {
    property,
    collection: target.name,
    idNames: [...new Set(names)],
    ...(isList && { isList }),
    ...(scope && { scope }),
  };
}

/**
 * A property that may refer to an item, and what tells of which collection: `x-twin`, what it holds,
 * its name, the path of a list.
 */
type Referrer = {
  schema: Schema;
  stated: string | undefined;
  held: readonly { resource: Resource }[] | undefined;
  named: Noun | undefined;
  parent: string | undefined;
};

/** The collection whose items have those below them that name them by the property. */
function parentAt({ views = [] }: Resource, property: string): string | undefined {
  return views.flatMap(({ scope }) => scope).find((one) => one.property === property)?.parent;
}

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

type Noun = { noun: string; isSlug: boolean };

/**
 * Returns the thing that a property names: `author` of `authorId`, `author_id`, `authorUuid` and
 * `authorSlug`. Other words, as in `authorName`, are too often mere texts.
 */
function nameIn(property: string, { idProperty, scope = [] }: Resource): Noun | undefined {
  if (property === idProperty || scope.some((one) => one.property === property)) return undefined;
  const [, noun, slug] =
    /^(.+?)(?:Id|ID|Uuid|UUID|[_-](?:id|uuid)|(Slug|[_-]slug))$/.exec(property) ?? [];
  return noun === undefined ? undefined : { noun: toPlainName(noun), isSlug: slug !== undefined };
}

/** Whether the ids of a collection fit a property, and are slugs where its name says so. */
function isSure(
  raw: RawDocument,
  property: Schema,
  named: Noun | undefined,
  { idProperty, idSchema }: Resource,
): boolean {
  const { type, enum: values, pattern, format } = resolve(raw, property);
  if (values !== undefined || pattern !== undefined) return false;
  if (named?.isSlug && toPlainName(idProperty) !== 'slug') return false;
  const isSame = [type].flat().includes(idSchema.type);
  return isSame && (idSchema.type !== 'string' || format === idSchema.format);
}
