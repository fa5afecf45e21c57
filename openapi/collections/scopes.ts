import { lastSegmentOf, lastWordOf, parametersIn, shapeOf } from '../../common/path-template.ts';
import { partsOf } from '../../common/property-path.ts';
import { textOf } from '../../common/text-of.ts';
import { namesLike, singular, toNoun, toPlainName } from '../../common/words.ts';
import { describedAt } from '../described-at.ts';
import { idFormOfText, isNaturalKey, isNumber, repeatedIn } from '../model/id-form.ts';
import { addsItems } from '../model/kinds.ts';
import { type FindParent, type Placement, placementsOf } from '../model/placements.ts';
import type { Resource, Scope, View } from '../model/resource.ts';
import { type FlatSchema, flatten, type RawDocument, resolve, type Schema } from '../schema.ts';
import { findIdProperty, isScalar } from './id-property.ts';
import { allTypesOf } from './schema-types.ts';

/** A collection before its scopes are known. */
type ScopedResource = Pick<Resource, 'item' | 'idProperty' | 'idHolder' | 'operations'>;

/**
 * Assigns a collection its scopes. A path with several parameters, such as `/repos/{owner}/{repo}`,
 * shows which property the one parameter of other paths, such as `/orgs/{org}/repos`, names.
 * Parents without a property are stored beside the item.
 */
export function addScopes(raw: RawDocument, resource: Resource, findParent: FindParent): void {
  resource.scope = toScopes(raw, resource, resource.path, findParent);
  for (const view of resource.views ?? []) {
    view.scope = toScopes(raw, resource, view.path, findParent);
    const last = view.scope.at(-1);
    if (last?.parent !== resource.name || !isOfChildren(resource, view)) continue;
    const property = parentPropertyOf(raw, resource);
    if (property !== undefined) last.property ??= property;
  }
  const placements = placementsOf(resource);
  const named = placements.filter(({ path, scope }) => path.endsWith('}') && scope.length === 1);
  const owner = named.map(({ scope }) => scope[0]?.property).find((one) => one !== undefined);
  for (const { path, scope } of placements) {
    const [only, ...others] = scope;
    const isOwner = only && others.length === 0 && only.property === undefined;
    if (owner !== undefined && isOwner && /\}\/[^/]+$/.test(path)) only.property = owner;
  }
  nameScopes(placements);
  const creating = placements.filter(({ operations }) => addsItems(operations));
  const stored = creating.flatMap(({ scope }) => scope.filter((one) => one.property === undefined));
  const kept = new Set(stored.map(({ parameter }) => parameter));
  for (const { scope } of placements.slice(1))
    for (const one of scope)
      if (one.property === undefined && !kept.has(one.parameter)) one.isOpen = true;
  if (resource.scope.length === 0) delete resource.scope;
  const composed = named.map((one) => findComposed(raw, resource, one)).find((one) => one);
  if (composed) resource.composed = composed;
}

/** Whether a path below an item has those below it of the same collection: `/comments/{id}/replies`. */
function isOfChildren({ path: home }: Resource, { path, operations }: View): boolean {
  const [word, own] = [path, home].map(lastWordOf);
  return addsItems(operations) || word === own || /^(child|repl|sub)/i.test(word ?? '');
}

/** The property that names the item of the same collection which an item is below: `parent_id`. */
export function parentPropertyOf(
  raw: RawDocument,
  { item: { properties }, path }: Pick<Resource, 'item' | 'path'>,
): string | undefined {
  const noun = toNoun(lastWordOf(path));
  return ['parentid', `parent${noun}id`, 'parent', `parent${noun}`]
    .flatMap((one) => namesLike(properties, one))
    .find((name) => isScalar(raw, properties[name]));
}

/**
 * The text that is made up of what names an item at a path, as its example shows: `octocat/hello`,
 * where `owner.login` shows `octocat`. So is a `full_name` of items that paths name by `name`.
 */
function findComposed(
  raw: RawDocument,
  { item, idProperty }: Resource,
  { scope, key = idProperty }: Placement,
): Resource['composed'] {
  const parts = [...scope.map(({ property = '' }) => property), key];
  const first = describedAt(raw, item, parts[0] ?? '');
  const shown: unknown = first && resolve(raw, first).example;
  const isText = (name: string) => allTypesOf(raw, item.properties[name]).includes('string');
  const full = parts.includes('')
    ? undefined
    : Object.keys(item.properties).find(
        (name) => toPlainName(name) === `full${toPlainName(key)}` && isText(name),
      );
  const property = Object.keys(item.properties).find((name) => {
    const { example } = resolve(raw, item.properties[name] ?? {}) ?? {};
    const [start, ...others] = typeof example === 'string' ? example.split('/') : [];
    return start === shown && others.length === parts.length - 1;
  });
  const composed = shown === undefined ? full : (property ?? full);
  return composed === undefined ? undefined : { property: composed, parts };
}

/** Gives scopes that stand for the same one name, though paths name their parameters differently. */
function nameScopes(placements: readonly Placement[]): void {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const { path, scope } of placements)
    for (const [index, one] of scope.entries()) {
      if (one.property !== undefined) continue;
      const prefix = shapeOf(
        path
          .split('{', index + 2)
          .slice(0, index + 1)
          .join('{'),
      );
      const means = one.parent ?? prefix;
      const own = taken.has(one.parameter) ? `${prefix}${one.parameter}` : one.parameter;
      const name = names.get(means) ?? own;
      names.set(means, name);
      taken.add(name);
      one.parameter = name;
    }
}

/** Returns the scopes that the path parameters of a collection name, outermost first. */
export function toScopes(
  raw: RawDocument,
  resource: ScopedResource,
  path: string,
  findParent: FindParent = () => undefined,
): Scope[] {
  const taken = new Set<string>();
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(({ 0: inBraces, 1: parameter = '', index }) => {
    const prefix = path.slice(0, index + inBraces.length);
    const parent = findParent(prefix);
    const noun = lastWordOf(path.slice(0, index));
    // Of `/projects/{account}/{name}`, the name stands for the project.
    const isOfNoun = !path.startsWith('/{', prefix.length);
    const found =
      propertyOf(raw, resource, { parameter, noun, isOfNoun, parent }) ??
      (path.endsWith('}') ? heldPropertyOf(raw, resource, parameter) : undefined);
    const property = found === undefined || taken.has(found) ? undefined : found;
    if (property !== undefined) taken.add(property);
    return {
      parameter,
      ...(parent ? { parent: parent.name } : { example: exampleOf(raw, resource, prefix) }),
      ...(property !== undefined && { property }),
    };
  });
}

/** The example that the document shows of a parameter, or else a value that its schema allows. */
function exampleOf(raw: RawDocument, { operations }: ScopedResource, path: string): string {
  const name = parametersIn(path).at(-1);
  const described = Object.values(operations).flatMap(({ parameters }) =>
    parameters.filter((one) => one.in === 'path' && one.name === name),
  );
  const schemas = described.map(({ schema }) => resolve(raw, schema));
  const shown = [
    ...described.flatMap(({ examples }) => Object.values(examples)),
    ...schemas.flatMap((one) => [one.example, one.examples, one.default, one.enum].flat()),
  ];
  const value = shown.find((one) => ['string', 'number', 'boolean'].includes(typeof one));
  const example = textOf(value);
  if (value !== undefined) return repeatedIn(path, { example }) ? lastSegmentOf(example) : example;
  const [schema = {}] = schemas;
  if (isNumber(schema)) return textOf(Math.max(1, Number(schema.minimum ?? 1)));
  const { format, pattern } = schema;
  const isOpen = format === undefined && pattern === undefined;
  return (isOpen ? undefined : idFormOfText({ format, pattern })?.toText(1)) ?? 'demo';
}

/** The property of an item that holds the id of its parent: `userId`, `user_id` or `user`. */
function propertyOf(
  raw: RawDocument,
  { item: { properties }, idProperty, idHolder }: ScopedResource,
  {
    parameter,
    noun,
    isOfNoun,
    parent,
  }: { parameter: string; noun: string; isOfNoun: boolean; parent: Resource | undefined },
): string | undefined {
  // A number holds no name: the `feed_id` of an item of `/feeds/{feed_key}` is another property.
  const isText = parent?.idSchema.type === 'string' && isNaturalKey(parent.idProperty);
  const mayHold = (schema?: Schema) => !isText || allTypesOf(raw, schema).includes('string');
  const word = singular(noun);
  const isGeneric = /^(id|uuid|guid|uid|key|slug|name|code|number)$/i.test(parameter);
  const ofNoun = word === '' || !isOfNoun ? [] : [`${word}id`];
  const names = isGeneric ? [word + parameter] : [parameter, ...ofNoun, `${parameter}id`];
  const wanted = names.map(toPlainName);
  const findIn = (described: FlatSchema['properties'], ownId: string) =>
    wanted
      .flatMap((one) => namesLike(described, one))
      .find((name) => name !== ownId && isScalar(raw, described[name]) && mayHold(described[name]));
  const own = findIn(properties, idProperty);
  const parts = partsOf(idProperty);
  if (own !== undefined || !parts || !idHolder) return own;
  const held = findIn(idHolder.properties, parts.inner);
  return held && `${parts.outer}.${held}`;
}

/** The property that identifies the object which is called as a parameter: `owner.login`. */
function heldPropertyOf(
  raw: RawDocument,
  { item: { properties } }: ScopedResource,
  name: string,
): string | undefined {
  const outer = namesLike(properties, toPlainName(name))[0];
  const held = flatten(raw, outer === undefined ? undefined : properties[outer]);
  const parameter = { name, schema: { type: 'string' }, examples: {} };
  const inner = findIdProperty(raw, held, { noun: name, parameter });
  return inner === undefined ? undefined : `${outer}.${inner}`;
}
