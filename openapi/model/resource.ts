import { toPlainPath } from '../../common/path-template.ts';
import { toNoun, toPlainName } from '../../common/words.ts';
import type { IdHints } from '../collections/id-property.ts';
import type { FlatSchema, Schema } from '../schema.ts';
import type { Kind } from './kinds.ts';
import type { Operation } from './operation.ts';

/** A collection of like items, found from the paths and schemas of the document. */
export type Resource = {
  /** The collection's path without its first slash, e.g. `pets` or `users/{userId}/posts`. */
  name: string;
  path: string;
  /**
   * The property that identifies an item, e.g. `id`, or where that is in an object which the item has,
   * both names, e.g. `metadata.name` (see property-path.ts).
   */
  idProperty: string;
  /** The schema of that object, one level of it. */
  idHolder?: Schema & FlatSchema;
  idSchema: Schema;
  /** Tells of ids that the document does not describe whether only paths have them, or answers, too. */
  idIn?: 'path' | 'answers';
  /** Another property that names an item where a path takes its id as well: `id_or_slug`. */
  alias?: string;
  /** Words that name the item of the one who calls in the place of an id, such as `me`. */
  callers?: readonly string[];
  /** Ids that the document shows of items, in the parameters of paths. */
  shownIds?: readonly (string | number)[];
  /** The ids in examples of creates whose callers choose ids: no first item has them. */
  freeIds?: readonly (string | number)[];
  item: FlatSchema;
  /**
   * Whether the caller gives the ids of new items: `sometimes`, where a body may leave them out,
   * `ifFree`, where one that is taken is left too, and `inPath`, where a PUT alone creates.
   */
  givenId?: 'always' | 'sometimes' | 'ifFree' | 'inPath';
  /** The property of bodies that holds the id of a new item, if it is not called as in items. */
  givenAs?: string;
  /** The query parameter of creates that holds the id of a new item: `topicId`. */
  givenBy?: string;
  /** The collection of which it shows some items, so that its operations link these and make none. */
  linksTo?: string;
  /** Whether it is a singleton, or one object for each value of its path parameters. */
  isSingle?: boolean;
  /** Whether that object has no content, and is only there or not. */
  isMark?: boolean;
  /** Whether that is no object, but a value or a list of values, stored in the member `value`. */
  isValue?: boolean;
  /** Whether items may have properties that the document does not describe. */
  isOpen?: boolean;
  /** Properties that only the response of a create shows, such as a secret. */
  shownOnce?: readonly string[];
  /** The scopes that its path parameters name, outermost first; none if it has none. */
  scope?: readonly Scope[];
  operations: Partial<Record<Kind, Operation>>;
  /** Further paths that show a part of the collection, such as the posts of one user. */
  views?: View[];
  /** A text that is made up of what names an item together, with slashes: `owner/name`. */
  composed?: { property: string; parts: readonly string[] };
  /** The properties that hold ids of other collections. */
  references?: readonly Reference[];
  /** The properties that hold items of collections themselves. */
  held?: readonly HeldItem[];
  /** The texts of items that are addresses of them. */
  addresses?: readonly Address[];
  /** The properties by which an item is an endpoint of webhooks. */
  endpoint?: EndpointMembers;
  /** Whether a path below has a listed word in the place of an id: `/favourites/{type}`. */
  hasWordsBelow?: boolean;
  /** Whether a rule asks who created its items. */
  knowsCreator?: boolean;
};

/** The properties of an endpoint of webhooks that hold its URL, its list of events and its secret. */
export type EndpointMembers = { url: string; events: string; secret?: string };

/** A path parameter of a collection: a nested collection has items for each value. */
export type Scope = {
  /** The name of the path parameter. */
  parameter: string;
  /** The collection that it names an item of; any text names a scope where undefined. */
  parent?: string;
  /** The property of the item that holds the value, e.g. `userId` or `metadata.namespace`. */
  property?: string;
  /** A value of a parameter that names no item: that of the document, if it shows one. */
  example?: string;
  /** Whether items are there for each value: nothing tells, or says at creation, which have one. */
  isOpen?: boolean;
};

/**
 * A part of a collection at another path: the items that have the values of a scope. Where paths
 * there name an item by another property than its id, this is the `key`.
 */
export type View = Pick<Resource, 'path' | 'operations'> & {
  scope: readonly Scope[];
  key?: string;
};

/** A property that holds the id of an item of a collection. */
export type Reference = {
  property: string;
  collection: string;
  /** Whether it may hold that item itself, where a request asks for it. */
  isExpandable?: true;
};

/** A property that holds an item of a collection, or a list of them. */
export type HeldItem = {
  property: string;
  collection: string;
  /** Names that ids of it have elsewhere in items and bodies, without case and separators. */
  idNames: readonly string[];
  isList?: true;
  /** The scope of the owner that names the item, if it is one above. */
  scope?: Scope;
};

/** A text in items that is the address of the item, or begins with it. */
export type Address = {
  path: readonly string[];
  /** The text behind the address of the item, as the document shows it. */
  follows: string;
  /** The shape of the path that the document shows of an item, if it shows one. */
  shape?: string;
  /** Whether it is a path without a host. */
  isPath?: boolean;
  /** Whether the path is that of a list of links, of which one is related as `self`. */
  isRelation?: boolean;
};

/** The name of the collection at a path. */
export function nameOf(path: string): string {
  return path.slice(1) || '/';
}

/** The path parameter that names the item of an operation, as it is described; undefined where none does. */
export function describedIdOf(operation: Operation): IdHints['parameter'] {
  const name = idParameterOf(operation);
  const described = operation.parameters.find((one) => one.in === 'path' && one.name === name);
  return described ?? (name === undefined ? undefined : { name, schema: {}, examples: {} });
}

/** The path parameter that names the item an operation works on. */
export function idParameterOf({
  path,
  hint,
}: Pick<Operation, 'path' | 'hint'>): string | undefined {
  if (hint?.kind) return hint.parameter ?? path.match(/^.*\{([^{}]+)\}/)?.[1];
  return toPlainPath(path).match(/\{([^{}]+)\}\/?$/)?.[1];
}

/** The query parameter that lists the ids of items: `ids`, or `petIds` at `/pets`. */
export function idsParameterOf({
  path,
  parameters,
}: Pick<Operation, 'path' | 'parameters'>): string | undefined {
  return parameters.find(({ in: place, name }) => place === 'query' && listsIds(name, path))?.name;
}

/** Whether an operation that deletes many items may name none: it deletes all that the list shows. */
export function deletesAll({ kind, hint, body, ...others }: Operation): boolean {
  const ids = idsParameterOf(others);
  const isRequired = others.parameters.some(({ name, required }) => name === ids && required);
  return kind === 'deleteMany' && hint?.kind === kind && body === undefined && !isRequired;
}

/** Whether a name is that of a list of ids: `ids`, or `petIds` at `/pets` and below. */
export function listsIds(name: string, path: string): boolean {
  const nouns = path.split('/').map(toNoun);
  return ['', ...nouns].some((noun) => toPlainName(name) === `${noun}ids`);
}

/** The path of an item, and what of it a path is about: `/issues/{id}/labels/{name}` its `labels`. */
export function splitPartPath(path: string): { itemPath: string; word: string } | undefined {
  const [, itemPath, word] = /^(.*\})\/([^{}/]+)(?:\/\{[^{}]+\})?\/?$/.exec(path) ?? [];
  return itemPath === undefined || word === undefined ? undefined : { itemPath, word };
}
