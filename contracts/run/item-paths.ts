import { shapeOf, unescaped } from '../../common/path-template.ts';
import { valueAt } from '../../common/property-path.ts';
import type { Kind, Operation, Parameter, Resource } from '../../openapi/index.ts';
import { collectionsOf, findResource } from '../../openapi/model/api.ts';
import { isOnCollection } from '../../openapi/model/kinds.ts';
import { itemPathsOf as prefixesOf } from '../../openapi/model/placements.ts';
import { idParameterOf } from '../../openapi/model/resource.ts';
import { type Case, withId } from '../cases/case.ts';
import { beginsAs, viewOf } from '../document/item-views.ts';
import { type Item, idAsked, textOf, toSegment, withoutQuery } from '../transcript/items.ts';
import { ledgerOf, pathAsked } from '../transcript/ledger.ts';
import { findOperation } from '../transcript/recognize.ts';
import type { Transcript } from '../transcript/transcript.ts';

type Source = Pick<Transcript, 'document' | 'exchanges'>;

/** A parameter of a path, and the path as far as it goes. */
export type PathParameter = { name: string; path: string };

/** The parameters of a template, with a path of its form as far as each goes, from a depth on. */
export function parametersIn(
  template: string,
  segments: readonly string[],
  depth = 0,
): PathParameter[] {
  return template.split('/').flatMap((part, index): PathParameter[] => {
    const name = /\{([^{}]+)\}/.exec(part)?.[1];
    const path = segments.slice(0, index + 1).join('/');
    return name === undefined || index < depth ? [] : [{ name, path }];
  });
}

/**
 * The paths that name an item, as far as its operations, the path of its create, and the item itself
 * tell.
 */
export function itemPathsOf(
  resource: Resource,
  { collection, id, item }: { collection: string; id: string; item: Item | undefined },
): string[] {
  const segment = toSegment(id);
  if (segment === undefined) return [];
  const described = Object.entries(resource.operations).flatMap(([kind, one]) => {
    // A body names the item at the path of its collection, where others are too.
    if (isOnCollection(kind as Kind) || idParameterOf(one) === undefined) return [];
    const path = viewOf(resource, one)
      ? item && pathAtView(resource, one, { collection, item })
      : pathOnItem(one, collection, segment);
    return path ?? [];
  });
  return [...described, `${withoutQuery(collection)}/${segment}`].map(withoutQuery);
}

/**
 * The path of an operation at a view, with what the item there, of the collection at a path, shows;
 * undefined if it does not show all.
 */
function pathAtView(
  resource: Resource,
  operation: Operation,
  { collection, item }: { collection: string; item: Item },
): string | undefined {
  const {
    path,
    scope,
    key = resource.idProperty,
  } = viewOf(resource, operation) ?? {
    ...resource,
    scope: [],
  };
  const above = collection.split('/');
  const prefixes = prefixesOf(path);
  const values = scope.map(({ property = '' }, index) => {
    const prefix = prefixes[index] ?? '';
    return beginsAs(resource.path, prefix)
      ? above[prefix.split('/').length - 1]
      : toSegment(valueAt(item, property));
  });
  const all = [...values, toSegment(valueAt(item, key))].values();
  let isWhole = true;
  const filled = operation.path.replace(/\{[^{}]+\}/g, () => {
    const { value } = all.next();
    isWhole &&= value !== undefined;
    return value ?? '';
  });
  return isWhole ? filled : undefined;
}

/**
 * A case with the path that answers showed its item to have, and that of its collection, if its
 * operation is at another path than that; undefined if none showed it. `fill` replaces placeholders.
 */
export function atView(
  transcript: Source,
  one: Case,
  fill: (text: string) => string | undefined,
): Case | undefined {
  const operation = one.operation ?? one.parametersOf;
  const resource = findResource(transcript.document, operation);
  const path = fill(withoutQuery(one.path));
  if (!resource || !operation || path === undefined || isOnCollection(operation.kind)) return one;
  const view = viewOf(resource, operation);
  if (!view && beginsAs(operation.path, resource.path)) return one;
  const id = idAsked({ request: { path }, case: { operation } });
  const records = ledgerOf(transcript).recordsOf(resource, id);
  // A list of another parent may show it too.
  const record = records.findLast(({ created }) => created.length > 0) ?? records.at(-1);
  const [first] = record?.sightings ?? [];
  const collection = first && withoutQuery(pathAsked(first.exchange));
  const { scope = [], key = resource.idProperty } = view ?? {};
  const isNamedById = scope.length === 0 && key === resource.idProperty;
  if (!record || collection === undefined) return isNamedById ? one : undefined;
  for (const { item } of record.sightings.toReversed()) {
    const placed = pathAtView(resource, operation, { collection, item });
    const query = one.path.split('?').slice(1);
    if (placed !== undefined)
      return { ...one, path: [placed, ...query].join('?'), of: { id, path: collection } };
  }
  return undefined;
}

/** The path of an operation on an item, whose collection is at a path. */
export function pathOnItem(operation: Operation, collection: string, segment: string): string {
  const above = withoutQuery(collection).split('/');
  const isOpen = (part: string) => /^\{[^{}]*\}$/.test(part);
  return withId(operation, segment)
    .split('/')
    .map((part, index) => (isOpen(part) ? (above[index] ?? part) : part))
    .join('/');
}

/**
 * Writes the slashes of ids into a path as the document means them, unless another operation has that
 * path. Where the document says or all shown items say that ids repeat what stands before them, they
 * lose that: `memos/abc` in `/memos/{memo}`. All other slashes are encoded (OpenAPI, `allowReserved`).
 */
export function withSlashes(transcript: Source, operation: Operation, path: string): string {
  const { document } = transcript;
  const [asked = '', ...query] = path.split('?');
  const parts = operation.path.split('/');
  const sent: string[] = [];
  for (const [at, segment] of asked.split('/').entries()) {
    const own = unescaped(segment)
      .split('/')
      .map((part) => toSegment(part) ?? '');
    const parameter = operation.parameters.find(({ name }) => parts[at] === `{${name}}`);
    const isRepeated = `${sent.join('/')}/`.endsWith(`/${own.slice(0, -1).join('/')}/`);
    const [word = ''] = own;
    const above = parts.slice(0, at).join('/');
    if (!parameter || own.length === 1 || own.includes('')) sent.push(segment);
    else if (isRepeated && doIdsBegin(transcript, { parameter, above, word }))
      sent.push(...own.slice(-1));
    else sent.push(...(parameter.allowsReserved ? own : [segment]));
  }
  const { other = operation } = findOperation(document, { method: '', path: sent.join('/') });
  const isOthers = shapeOf(other.path) !== shapeOf(operation.path);
  return isOthers ? path : [sent.join('/'), ...query].join('?');
}

/**
 * Whether ids in a parameter begin with a word: all items that were shown have such ids, or the document
 * shows one, in an example of the parameter or of the items' id, in a description or in the template,
 * such as `memos/{memo}`.
 */
function doIdsBegin(
  transcript: Source,
  { parameter, above, word }: { parameter: Parameter; above: string; word: string },
): boolean {
  const { document } = transcript;
  const resource = collectionsOf(document).find(({ path }) => shapeOf(path) === shapeOf(above));
  const id = document.schemas.resolve(resource?.item.properties[resource.idProperty] ?? {});
  const examples = [parameter.schema.example, ...Object.values(parameter.examples), id.example];
  const said = `${parameter.description} ${id.description}`.match(/[^\s`'"]+\/[\w{]/g) ?? [];
  const records = resource ? [...ledgerOf(transcript).account(resource).records.values()] : [];
  const shown = records.filter((one) => one.shown.length > 0).map((one) => one.id);
  const begins = (one: unknown) => textOf(one)?.startsWith(`${word}/`) === true;
  return [...examples, ...said].some(begins) || (shown.length > 0 && shown.every(begins));
}
