import { addLate } from '../../common/late.ts';
import { lastWordOf, shapeOf, toPlainPaths } from '../../common/path-template.ts';
import { eachElement } from '../../common/property-path.ts';
import { singular, wordsOf } from '../../common/words.ts';
import { toDocumentHint } from '../hint.ts';
import { type Operation, shownIn, successOf } from '../model/operation.ts';
import { createFindParent, itemPathsOf, operationsOf, placementsOf } from '../model/placements.ts';
import { type EndpointMembers, idParameterOf, type Resource } from '../model/resource.ts';
import { flatten, type RawDocument, resolve, type Schema } from '../schema.ts';
import { effectOfDelete, markActions, markParts } from './actions.ts';
import { findAddresses } from './addresses.ts';
import { type Candidate, type Lack, toCandidate } from './candidate.ts';
import { toSaidIdSchema } from './id-schema.ts';
import { findWrappedItem } from './item-form.ts';
import { findList, findListRules } from './list-rules.ts';
import { narrowAnswers } from './narrow-answers.ts';
import { type CollectionPlace, findPlaces } from './places.ts';
import { findReadAs } from './read-as.ts';
import { linkReferences } from './references.ts';
import { allTypesOf, scalarOf } from './schema-types.ts';
import { addScopes } from './scopes.ts';
import { bodySchemaOf, findWrappedBody, itemsOf, sentSchemaOf } from './success.ts';
import { listsAnything, supposeItems } from './supposed-items.ts';
import { toThings } from './things.ts';

/** A place that may be a collection, with the collection found there, or what that lacks. */
export type FoundPlace = CollectionPlace & { found: Candidate | Lack };

/**
 * Finds the collections of a document and gives each operation on one its kind. An operation that
 * follows no rule stays without a kind. Gives all places that may be collections, too. If
 * `isStated`, nothing is supposed of answers that the document does not describe.
 */
export function resourcesOf(
  raw: RawDocument,
  operations: Operation[],
  { isStated = false }: { isStated?: boolean | undefined } = {},
): { resources: Resource[]; places: FoundPlace[] } {
  const written = operations.map(({ path }) => path);
  const plain = toPlainPaths(operations);
  for (const [index, operation] of operations.entries()) operation.path = plain[index] as string;
  markOfCall(raw, operations);
  narrowAnswers(raw, operations);
  const readAs = findReadAs(raw, operations);
  const read = operations.map((one) => readAs.get(one) ?? one);
  const lists = (one: Operation) => itemsOf(raw, one) !== undefined || listsAnything(raw, one);
  const places = findPlaces(read, lists).map((place) => {
    if (!isStated) supposeItems(raw, place);
    return { ...place, found: toCandidate(raw, place, { isStated }) };
  });
  findOtherIds(raw, places, isStated);
  const resources = findResources(raw, read, { places, isStated }).filter(
    (one) => !isAskedAlone(one, new Set(readAs.values())),
  );
  const names = resources.map(({ name }) => name);
  for (const [operation, one] of readAs)
    if (names.includes(one.resource ?? one.actsOn ?? '')) operation.readAs = one;
  for (const [index, operation] of operations.entries()) {
    const path = written[index] as string;
    Object.assign(operation, {
      path,
      ...(path !== operation.path && { plainPath: operation.path }),
    });
  }
  return { resources, places };
}

/** Whether nothing is known of a resource but what bodies ask for: these may be asked of anything. */
function isAskedAlone(resource: Resource, asking: ReadonlySet<Operation>): boolean {
  return operationsOf(resource).every((one) => asking.has(one) && one.kind === 'list');
}

/**
 * Finds collections that create what other paths name, by ids that only these tell, and those of items
 * with the property that identifies the items of most other collections.
 */
function findOtherIds(raw: RawDocument, places: FoundPlace[], isStated: boolean): void {
  const candidates = places.flatMap(({ found }) => ('resource' in found ? found : []));
  const ids = new Map<string, string | undefined>();
  for (const { shows, resource } of candidates)
    for (const one of shows) {
      const { idProperty } = resource;
      ids.set(one, ids.has(one) && ids.get(one) !== idProperty ? undefined : idProperty);
    }
  const shared = sharedIdOf(candidates);
  for (const place of places) {
    const { found, onCollection, onItem } = place;
    if (!('lacks' in found && found.lacks === 'id')) continue;
    const isAlone = onItem.length === 0;
    const creates = isAlone && onCollection.some(({ method }) => method === 'POST');
    // What a list below an item shows by the name of a schema is identified as elsewhere, too.
    const isBelow = isAlone && /\}\/[^/]+$/.test(place.path);
    const isKnown = (one: string) => creates || (isBelow && one.startsWith('#/'));
    const idElsewhere = (one: string) => (isKnown(one) ? ids.get(one) : undefined) ?? shared;
    const other = toCandidate(raw, place, { idElsewhere, isStated });
    if ('resource' in other) place.found = other;
  }
}

/** The property of two words that identifies the items of most collections, as `acme_id` does. */
function sharedIdOf(candidates: readonly Candidate[]): string | undefined {
  const named = candidates.filter(({ resource: { path, idProperty } }) => {
    const [first = '', ...others] = wordsOf(idProperty);
    return others.join('') === 'id' && !wordsOf(lastWordOf(path)).map(singular).includes(first);
  });
  const [[shared, found] = []] = [
    ...Map.groupBy(named, ({ resource }) => resource.idProperty),
  ].toSorted(([, one], [, other]) => other.length - one.length);
  return found && found.length >= minSharing ? shared : undefined;
}

/** In how many collections a property must identify items to do so wherever items have it. */
const minSharing = 3;

/** Whether a rule of an operation asks who created an item, which any collection may hold then. */
function asksForCreator({ rules }: Operation): boolean {
  return (rules?.refuses ?? []).some(({ when, unless }) =>
    [...when.keys(), ...unless.keys()].includes('caller.isCreator'),
  );
}

function findResources(
  raw: RawDocument,
  operations: Operation[],
  { places, isStated }: { places: readonly FoundPlace[]; isStated: boolean },
): Resource[] {
  const candidates = places.map(({ found }) => found).filter((one) => 'resource' in one);
  const resources = toThings(raw, candidates, operations, { isStated });
  const { aliases = {} } = toDocumentHint(raw).rules ?? {};
  for (const resource of resources) {
    giveIdsAsSaid(resource);
    const alias = Object.hasOwn(aliases, resource.path) ? aliases[resource.path] : undefined;
    if (alias !== undefined) resource.alias = alias;
  }
  markWordsBelow(raw, resources, operations);
  const findParent = createFindParent(resources);
  for (const resource of resources) addScopes(raw, resource, findParent);
  linkReferences(raw, resources);
  findAddresses(raw, resources);
  const knowsCreator = operations.some(asksForCreator);
  for (const resource of resources) {
    const { create } = resource.operations;
    const endpoint = create && findEndpoint(raw, bodySchemaOf(raw, create));
    if (endpoint) resource.endpoint = endpoint;
    if (knowsCreator) resource.knowsCreator = true;
  }
  for (const resource of resources)
    for (const { operations: found } of placementsOf(resource)) {
      const { delete: one } = found;
      const effect = one && !one.hint && effectOfDelete(raw, one, resource);
      if (effect) {
        Object.assign(one, { ...effect, actsOn: resource.name });
        delete found.delete;
      }
      for (const [kind, operation] of Object.entries(found)) {
        const { pointer = [], isMap, within } = formOf(raw, kind, operation) ?? {};
        const itemsAt = within === undefined ? pointer : [...pointer, eachElement, within];
        const fieldsAt = kind === 'list' ? undefined : findWrappedBody(raw, operation)?.pointer;
        Object.assign(operation, {
          ...{ kind, resource: resource.name },
          ...(itemsAt.length > 0 && { itemsAt }),
          ...(isMap && { keyedBy: resource.idProperty }),
          ...(fieldsAt && { fieldsAt }),
        });
        if (kind !== 'list') continue;
        const find = () => findListRules(raw, operation, resource.item);
        addLate(operation, ['listRules'], () => ({ listRules: find() }));
      }
    }
  markParts(raw, operations, findParent);
  markActions(raw, operations, findParent);
  markBesides(resources, operations);
  return resources;
}

/** Marks collections below whose path a parameter lists its values, which are none of their ids. */
function markWordsBelow(raw: RawDocument, resources: Resource[], all: readonly Operation[]): void {
  const isListed = (schema: Schema = {}) => resolve(raw, schema)?.enum !== undefined;
  const listed = new Set(
    all.flatMap(({ path, parameters }) =>
      parameters
        .filter((one) => one.in === 'path' && isListed(one.schema))
        .flatMap(({ name }) =>
          itemPathsOf(path).filter((itemPath) => idParameterOf({ path: itemPath }) === name),
        )
        .map(shapeOf),
    ),
  );
  for (const resource of resources)
    if (listed.has(shapeOf(`${resource.path}/{}`)) && !isListed(resource.idSchema))
      resource.hasWordsBelow = true;
}

/** Gives new items ids like the one that `x-twin` of a create shows. */
function giveIdsAsSaid(resource: Resource): void {
  const creates = placementsOf(resource).flatMap(({ operations }) => operations.create ?? []);
  const newId = creates.find(({ rules }) => rules?.newId !== undefined)?.rules?.newId;
  if (newId !== undefined) resource.idSchema = toSaidIdSchema(newId);
}

/** Marks what stands at the paths of a collection, and could not be tied to it. */
function markBesides(resources: readonly Resource[], operations: readonly Operation[]): void {
  const untied = operations.filter((one) => (one.kind ?? one.actsOn) === undefined);
  const byShape = Map.groupBy(untied, ({ path }) => shapeOf(path));
  for (const resource of resources)
    for (const { path } of placementsOf(resource))
      for (const shape of [shapeOf(path), `${shapeOf(path)}/{}`])
        for (const one of byShape.get(shape) ?? []) one.besides ??= resource.name;
}

/**
 * Finds the pointer to the item or the list in a response; undefined if the response is the item or
 * the list.
 */
function formOf(
  raw: RawDocument,
  kind: string,
  operation: Operation,
): { pointer: readonly string[]; isMap?: true; within?: string } | undefined {
  return ['list', 'createMany', 'deleteMany'].includes(kind)
    ? findList(raw, operation)?.form
    : findWrappedItem(raw, successOf(operation), shownIn(operation));
}

/**
 * Finds the properties by which clients give the URL and the events of an endpoint: fields of a body, or
 * of an object in it, such as `config.url`; undefined where a body has no such fields.
 */
function findEndpoint(raw: RawDocument, body: Schema | undefined): EndpointMembers | undefined {
  const own = Object.entries(flatten(raw, body).properties);
  const inner = own.flatMap(([outer, schema]) =>
    Object.entries(flatten(raw, schema).properties).map(
      ([name, one]) => [`${outer}.${name}`, one] as const,
    ),
  );
  const find = (isMeant: (name: string, schema: Schema) => boolean) =>
    [...own, ...inner].find(([name, schema]) => isMeant(name.split('.').at(-1) ?? '', schema))?.[0];
  const events = find(
    (name, schema) =>
      wordsOf(name).map(singular).includes('event') && scalarOf(raw, schema).type === 'array',
  );
  const url = find((name) => wordsOf(name).includes('url'));
  const secret = find((name) => wordsOf(name).includes('secret'));
  return url !== undefined && events !== undefined
    ? { url, events, ...(secret && { secret }) }
    : undefined;
}

/** In how many bodies a text of the call is at least. */
const minBodies = 8;

/** In the bodies of which part of the operations it is at least. */
const minShare = 0.9;

/**
 * Marks in operations the texts that the bodies of nearly all of them have, of those that read too,
 * such as `client_id` and `secret`.
 */
function markOfCall(raw: RawDocument, operations: readonly Operation[]): void {
  const least = Math.max(minBodies, operations.length * minShare);
  const sent = operations.map((one) => flatten(raw, sentSchemaOf(one)).properties);
  const counts = Map.groupBy(sent.flatMap(Object.keys), (name) => name);
  const isText = (schema: Schema | undefined) => allTypesOf(raw, schema).includes('string');
  for (const [index, properties] of sent.entries()) {
    const isOfCall = (name: string) =>
      isText(properties[name]) && (counts.get(name)?.length ?? 0) >= least;
    const names = Object.keys(properties).filter(isOfCall);
    if (names.length > 0) (operations[index] as Operation).ofCall = names;
  }
}
