import {
  type Candidate,
  isCollection,
  toCandidate,
} from '../../contracts/description/collections/candidate.ts';
import { type FoundItem, findItem } from '../../contracts/description/collections/find-item.ts';
import { operationsOn, setsItem } from '../../contracts/description/collections/operations-on.ts';
import { findPlaces, type Place, shapeOf } from '../../contracts/description/collections/places.ts';
import { placementsOf } from '../../contracts/description/collections/scopes.ts';
import { itemsOf } from '../../contracts/description/collections/success.ts';
import { describedAt } from '../../contracts/description/described-at.ts';
import type { ApiDocument, Operation, Resource } from '../../contracts/description/document.ts';
import type { Kind } from '../../contracts/description/kinds.ts';
import { type Cause, expectedKind, namesOf, pointerTo, whyNoKind } from './why-no-kind.ts';

/** Why an operation keeps no state, where the document says so, and what would give it state. */
export type Statelessness = { because: string; pointer: string; remedy?: string };

/** Makes what finds why operations of a document keep no state, by the steps that find collections. */
export function createWhyStateless(document: ApiDocument): (operation: Operation) => Statelessness {
  const placeOf = new Map<Operation, Place>();
  for (const place of findPlaces(
    document.operations,
    (one) => itemsOf(document.raw, one) !== undefined,
  ))
    for (const operation of [...place.onCollection, ...place.onItem]) placeOf.set(operation, place);
  return (operation) => {
    if (operation.hint?.kind === 'none')
      return { because: 'x-twin says so', pointer: pointerTo(document, operation, 'x-twin') };
    const { because, part, remedy } = causeOf(document, operation, placeOf.get(operation));
    return { because, pointer: pointerTo(document, operation, part), remedy };
  };
}

function causeOf(document: ApiDocument, operation: Operation, place: Place | undefined): Cause {
  const { raw, resources } = document;
  const { hint, method, path } = operation;
  if (hint?.kind)
    return {
      because: `x-twin calls it a ${hint.kind}, but nothing shows objects with ${hint.id ?? 'an id'}`,
      part: 'x-twin',
      remedy: 'name the property that identifies items with id',
    };
  if (!place)
    return {
      because: `nothing in front of the last parameter of ${path} names a collection`,
      part: 'operation',
      remedy: 'set x-twin: { kind, collection }',
    };
  const isOnItem = place.onItem.includes(operation);
  const kind = expectedKind(method, isOnItem);
  const own = whyNoKind(raw, operation, kind);
  if (own) return own;
  const isAt = (one: { path: string }) => shapeOf(one.path) === shapeOf(place.path);
  const resource = resources.find((one) => placementsOf(one).some(isAt));
  const known = { operation, kind: kind as Kind, place };
  return resource ? whyLeftOut(document, resource, known) : whyNoCollection(document, known);
}

type Known = { operation: Operation; kind: Kind; place: Place };

/** Why an operation at the place of a collection is none of its operations. */
function whyLeftOut({ raw }: ApiDocument, resource: Resource, { operation, kind }: Known): Cause {
  const { name, path, idProperty, item, operations } = resource;
  const hint = `set x-twin: { kind: ${kind}, collection: ${path} }`;
  const other = operations[kind];
  if (other)
    return {
      because: `${other.method} ${other.path} is the ${kind} of ${name} already`,
      part: 'operation',
      remedy: `${hint}, and x-twin: { kind: none } on the other`,
    };
  if (kind !== 'read' && kind !== 'list' && !setsItem(raw, operation, item))
    return {
      because: `its body sets no property that items of ${name} have`,
      part: 'body',
      remedy: `describe properties of the items in it, or ${hint}`,
    };
  return {
    because: `what its success describes has no ${idProperty}, by which items of ${name} are identified`,
    part: 'success',
    remedy: `describe ${idProperty} there, or ${hint}`,
  };
}

/** Why the place of an operation is no collection. */
function whyNoCollection(document: ApiDocument, known: Known): Cause {
  const { raw } = document;
  const { operation, place } = known;
  const found = operationsOn(raw, place);
  const item = findItem(raw, place, found);
  const candidate = toCandidate(raw, place);
  if (candidate) return whyNotOwn(known, candidate, document);
  if (item.schemas.length === 0)
    return {
      because: `no operation at ${place.path} describes objects that it answers with`,
      part: 'operation',
      remedy: `describe objects with an id in the success of a list or read at ${place.path}`,
    };
  if (item.idProperty === undefined) return whyNoId(document, known, item);
  const isInItem = item.shown.some(
    (one) => describedAt(raw, one, item.idProperty as string) !== undefined,
  );
  if (!isInItem)
    return {
      because: `no object at ${place.path} has the property ${item.idProperty}, which x-twin names`,
      part: 'x-twin',
      remedy: 'name one that they have',
    };
  return {
    because: `ids that fit the schema of ${item.idProperty} cannot be counted up`,
    part: operation.responses.length > 0 ? 'success' : 'operation',
    remedy: `give ${item.idProperty} an example or a simple pattern in its schema`,
  };
}

function whyNoId(
  { resources }: ApiDocument,
  { operation, kind, place }: Known,
  { parameter, noun, shown }: FoundItem,
): Cause {
  const above = shapeOf(place.path).replace(/\/\{\}\/[^/]+$/, '');
  const whole = resources.find(({ path }) => shapeOf(path) === above);
  const ofItem = whole && operation.method !== 'GET';
  const names = namesOf([...new Set(shown.flatMap(({ properties }) => Object.keys(properties)))]);
  return {
    because: parameter
      ? `the objects at ${place.path} have no property that {${parameter.name}} surely is; they have ${names}`
      : `the objects at ${place.path} have no property that identifies them, such as id or ${noun}Id; they have ${names}`,
    part: 'success',
    remedy: ofItem
      ? `set x-twin: { kind: update, collection: ${whole.path} } if it changes an item of ${whole.name}`
      : `set x-twin: { kind: ${kind}, id: PROPERTY }`,
  };
}

/** Why what looks like a collection is none of its own. */
function whyNotOwn(
  { operation, kind, place }: Known,
  { resource }: Candidate,
  { resources }: ApiDocument,
): Cause {
  if (!isCollection(resource)) {
    const isCreate = resource.operations.create !== undefined;
    return {
      because: isCreate
        ? `nothing reads or lists what ${resource.operations.create?.method} ${place.path} stores, which documents no 201`
        : `nothing lists, creates or changes what is read at ${place.path}`,
      part: 'operation',
      remedy: isCreate
        ? 'document 201, or describe a read or a list of the same objects'
        : 'describe a list, a create or a change of the same objects',
    };
  }
  const above = resources.find(
    (one) => shapeOf(one.path) === shapeOf(place.path.slice(0, place.path.lastIndexOf('/'))),
  );
  const whole = above?.path ?? 'PATH';
  return {
    because: `it shows the items of ${above?.name ?? 'another collection'}, but nothing tells which of them`,
    part: operation.parameters.length > 0 ? 'parameters' : 'operation',
    remedy: `name a parameter like a property of the items, or set x-twin: { kind: ${kind}, collection: ${whole} }`,
  };
}
