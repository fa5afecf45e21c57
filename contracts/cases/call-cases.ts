import { shapeOf } from '../../common/path-template.ts';
import type { Api, Operation, Resource } from '../../openapi/index.ts';
import { collectionsOf, findResource } from '../../openapi/model/api.ts';
import { itemPathsOf } from '../../openapi/model/placements.ts';
import { beginsAs, createsAt, itemShapesOf } from '../document/item-views.ts';
import { fileBodyOf, takesOtherBodiesAlone } from '../document/sendable-body.ts';
import { planBodies, toBodyText, validFields } from './bodies.ts';
import { type Case, isUnsafe, plainCase } from './case.ts';
import { createCase } from './create-cases.ts';
import { completeCase, exampleBody } from './example-call.ts';

/**
 * Creates calls of operations that only the general clauses can judge, with examples or generated
 * values. Adds the operations that the user allows by name.
 */
export function callCases(document: Api, allowed: readonly string[] = []): Case[] {
  return document.operations.flatMap((operation) => {
    const { id, kind } = operation;
    const nested = document.nested?.find(({ operations }) => operations.create?.id === id);
    if (nested && allowed.includes(id)) return calledCreates(document, nested);
    const resource = findResource(document, operation);
    if (resource && createsAt(resource).includes(operation))
      return calledCreates(document, { ...resource, operations: { create: operation } });
    const isMeant = kind === undefined || (allowed.includes(id) && !kindsWithCases.includes(kind));
    return isMeant && whyNoCall(document, operation) === undefined
      ? [callCase(document, operation, allowed.includes(id) ? mayAddTo(document, operation) : [])]
      : [];
  });
}

/** A create below what the document's examples name, which shows what the run made there. */
function calledCreates(document: Api, resource: Resource): Case[] {
  const { create } = resource.operations;
  if (!create || 'lacks' in completeCase(document, plainCase(create, ''))) return [];
  const plan = planBodies(document, resource);
  const marker = 'called {{run}}';
  const body = toBodyText(plan, validFields(plan, marker));
  return [createCase(create, 'plain', body, { kind: 'call' }, 2, marker)];
}

/** The kinds that the cases of a collection call. */
const kindsWithCases: readonly string[] = ['list', 'create', 'read'];

/** Why no case calls an operation without a kind; undefined where one can. */
export function whyNoCall(document: Api, operation: Operation): string | undefined {
  const { responses } = operation;
  const isOnly = (form: RegExp) =>
    responses.length > 0 && responses.every(({ status }) => form.test(status));
  // Nothing would be sent with the key for a while.
  if (isOnly(/^429$/)) return 'it answers 429 to every call';
  if (isOnly(/^1/)) return 'it describes no response that ends a call';
  const isOther = operation.otherBody?.required && takesOtherBodiesAlone(operation);
  if (isOther && !fileBodyOf(operation)) return 'it takes neither JSON, a form nor a file';
  const call = completeCase(document, plainCall(document, operation));
  if ('lacks' in call) return `no value is known for ${call.lacks}`;
  const body = exampleBody(document, operation);
  return body && 'lacks' in body ? `no value is known for ${body.lacks}` : undefined;
}

/** A plain call; what is below the items of a collection is read of one that is listed. */
export function plainCall(document: Api, operation: Operation, name = 'plain'): Case {
  const plain = plainCase(operation, name);
  const above = document.resources.find((one) => one.operations.list && isOnItem(operation, one));
  if (!above || operation.kind || isUnsafe(operation)) return plain;
  const made = completeCase(document, plain);
  const place = above.path.split('/').length;
  const segment = 'lacks' in made ? undefined : made.path.split('?')[0]?.split('/')[place];
  const parts = plain.path.split('/');
  // Behind the id there may be a verb.
  const [start = '', end = '', more] = (parts[place] ?? '').split(/\{[^{}]+\}/);
  const own = more === undefined ? segment?.slice(start.length, segment.length - end.length) : '';
  const fallback = own ? `|${encodeURIComponent(own)}` : '';
  const id = `{{id.${above.name}.first${fallback}}}`;
  parts[place] = (parts[place] ?? '').replace(/\{[^{}]+\}/, () => id);
  return { ...plain, path: parts.join('/') };
}

function callCase(document: Api, operation: Operation, collections: readonly Resource[]): Case {
  const body = exampleBody(document, operation, collections);
  const isSafe = !isUnsafe(operation);
  const needsValues =
    body !== undefined || operation.parameters.some(({ required }) => required === true);
  const plain: Case = {
    ...plainCall(document, operation),
    purpose: { kind: 'call' },
    ...(needsValues && { isMadeUp: true }),
    priority: isSafe ? 1 : 2,
    writes: !isSafe,
  };
  if (!body || 'lacks' in body) return plain;
  const { mediaType, text, form } = body;
  return { ...plain, headers: { 'Content-Type': mediaType }, body: text, ...(form && { form }) };
}

/**
 * Finds the collections that a call may add to, as far as a document tells: the one at the beginning of
 * its path, or else each that is below no item.
 */
export function mayAddTo(document: Api, operation: Operation): Resource[] {
  if (!isUnsafe(operation) || operation.method === 'DELETE') return [];
  const above = collectionsOf(document).filter(({ path }) => beginsAs(operation.path, path));
  const depthOf = ({ path }: Resource) => path.split('/').length;
  const nearest = above.toSorted((one, other) => depthOf(other) - depthOf(one)).slice(0, 1);
  return nearest.length > 0 ? nearest : document.resources.filter(({ scope }) => !scope);
}

/** A collection whose items the run can make itself, and the template of the path that names one. */
export type Makeable = { resource: Resource; template: string };

/**
 * Finds the collections whose items are to be made, one below the other, for a path to name items of
 * the run: the outermost first, as far as the run can make them. `parent` is the path of an item that
 * is there.
 */
export function makeableIn(document: Api, path: string, parent = '', depth = 0): Makeable[] {
  if (depth > maxDepth) return [];
  for (const template of itemPathsOf(path).toReversed()) {
    if (isAtOrAbove(template, parent)) return [];
    const shape = shapeOf(template);
    for (const resource of collectionsOf(document)) {
      if (!resource.operations.create || !itemShapesOf(resource).includes(shape)) continue;
      const above = makeableIn(document, resource.path, parent, depth + 1);
      if (isMadeWhole(above, resource.path, parent)) return [...above, { resource, template }];
    }
  }
  return [];
}

/** How many items are made below each other. */
const maxDepth = 4;

/** Whether all items that a path names are made, or are above the one that is there. */
export function isMadeWhole(made: readonly Makeable[], path: string, parent = ''): boolean {
  const [whole = ''] = itemPathsOf(path).slice(-1);
  const last = made.at(-1)?.template ?? '';
  return shapeOf(whole) === shapeOf(last) || isAtOrAbove(whole, parent);
}

/** Whether a template is of the path of an item, or of what is above that. */
function isAtOrAbove(template: string, item: string): boolean {
  const [parts, given] = [template.split('/'), item.split('/')];
  return given.length >= parts.length && isBelow(template, given.slice(0, parts.length).join('/'));
}

/** Whether a nested collection can be tried: the run creates parents and items, and reads or lists these. */
export function isTriedNested(document: Api, resource: Resource): boolean {
  const { path, operations } = resource;
  const isOfForm = operations.create && (operations.read ?? operations.list);
  return isOfForm && !isNamedByPath(resource)
    ? isMadeWhole(makeableIn(document, path), path)
    : false;
}

/** Whether the path of a create names the item that it makes. */
export function isNamedByPath({ operations: { create } }: Resource): boolean {
  return create?.path.endsWith('}') === true;
}

/** Whether a path, or a template for it, is below a place or at it. */
export function isBelow(path: string, place: string): boolean {
  const parts = (path.split('?')[0] ?? '').split('/');
  return place.split('/').every((part, index) => {
    const own = parts[index] ?? '';
    return part === own || /^\{[^{}]+\}$/.test(own);
  });
}

/** Whether an operation is on an item of a collection, or below it. */
export function isOnItem({ path }: Operation, { path: collection }: Resource): boolean {
  return beginsAs(path, `${collection}/{}`);
}
