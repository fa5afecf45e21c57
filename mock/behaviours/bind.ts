import { isObject } from '../../common/json.ts';
import { once } from '../../common/once-per.ts';
import { shapeOf } from '../../common/path-template.ts';
import { valueIn } from '../../common/property-path.ts';
import type { Api, Operation, Resource } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { type BoundKind, rowOf } from '../../openapi/model/kinds.ts';
import { listRulesOf } from '../../openapi/model/lists.ts';
import { createFindParent, itemPathsOf, placementsOf } from '../../openapi/model/placements.ts';
import { deletesAll, idParameterOf } from '../../openapi/model/resource.ts';
import { isDescribed } from '../../openapi/model/responses.ts';
import { bodyOf, sentStatus } from '../answers/answer.ts';
import { states } from '../documented/responses.ts';
import type { IndexedFilters } from '../items/find-items.ts';
import { toItemNumber } from '../items/stored-item.ts';
import { createActionBehaviour } from './action.ts';
import type { Around, Behaviour, Call } from './behaviour.ts';
import { createDeleteBehaviour, type ParentDeletion, withChildren } from './children.ts';
import { createCreateBehaviour } from './create.ts';
import { withExpanded } from './expanded.ts';
import { createFromDocumentBehaviour, type FromDocumentOptions } from './from-document.ts';
import {
  withAddresses,
  withChildLists,
  withHeldItems,
  withHeldReferences,
} from './held-references.ts';
import { withIncluded } from './included.ts';
import {
  createItemAnswers,
  type ItemOptions,
  withRefusals,
  withUniqueValues,
} from './item-answers.ts';
import { createPartBehaviour } from './item-parts.ts';
import { createLinkBehaviour, withHolder, withLinkedLists, withLinks } from './links.ts';
import { createListBehaviour, type ListOptions } from './list.ts';
import { createManyBehaviour, toOperationOfOne } from './many.ts';
import { createHeadBehaviour, createReadBehaviour } from './read.ts';
import { toReadCall, withReadCall } from './read-call.ts';
import { createReplaceBehaviour } from './replace.ts';
import { withIdTexts, withinScopes, withNamedItems } from './scoped.ts';
import {
  createMarkBehaviour,
  createSingletonBehaviour,
  createValueBehaviour,
} from './singleton.ts';
import { withSparseItems } from './sparse.ts';
import { createUpdateBehaviour } from './update.ts';
import { withUnwrappedBody } from './wrapped-items.ts';

/** Joins the options of all kinds of operations and of their middleware. */
type Binding = ItemOptions & ListOptions & Pick<BindOptions, 'onDeleteParent'>;

const byKind: Record<BoundKind, (binding: Binding) => Behaviour> = {
  list: createListBehaviour,
  create: createCreateBehaviour,
  createMany: createCreateBehaviour,
  read: createReadBehaviour,
  replace: createReplaceBehaviour,
  update: createUpdateBehaviour,
  delete: createDeleteBehaviour,
};

export type BindOptions = FromDocumentOptions & {
  indexed: IndexedFilters;
  onDeleteParent: ParentDeletion;
  /** Intercepts what the kind of an operation does. */
  intercept: (made: Behaviour, operation: Operation) => Behaviour;
};

/** Lists the middleware of operations on items: calls pass it in this order, answers in reverse. */
const around: readonly Around<Binding>[] = [
  withIdTexts,
  withNamedItems,
  withSparseItems,
  withExpanded,
  withIncluded,
  withLinks,
  withLinkedLists,
  withUnwrappedBody,
  withChildren,
  withUniqueValues,
  withChildLists,
  withHeldItems,
  withAddresses,
  withinScopes,
  withHeldReferences,
  withHolder,
];

function withAround(behaviour: Behaviour, binding: Binding): Behaviour {
  return around.reduceRight((inner, add) => add(inner, binding), behaviour);
}

/**
 * The behaviour of an operation, by its kind; lists find items by the `indexed` filters fast, and
 * by the others at all.
 */
export function bindBehaviour(options: BindOptions): Behaviour {
  const { document, operation, indexed, intercept } = options;
  const { kind, answersAs, readAs } = operation;
  if (answersAs)
    return createHeadBehaviour(bindBehaviour({ ...options, operation: answersAs }), operation);
  if (readAs) return bindReadAs(options, readAs);
  const resource = findResource(document, operation);
  if (!kind || !resource) return intercept(bindWithoutKind(options), operation);
  const binding = { ...options, resource, indexed: indexed.get(resource.name) };
  const isLink = operation.linksBy !== undefined;
  const { each } = isLink ? {} : rowOf(kind);
  if (each) {
    const steps = each.map((one) => bindOne(options, one));
    const readAll = deletesAll(operation) ? bindReadAll(options, resource) : undefined;
    const onMany = intercept(createManyBehaviour(binding, steps, readAll), operation);
    const ofItems = withUnwrappedBody(withRefusals(onMany, binding), binding);
    return withUnreadBody(ofItems, binding);
  }
  const create = isLink ? createLinkBehaviour : byKind[kind as BoundKind];
  const made = withRefusals(create(binding), binding);
  const whole = intercept(made, operation);
  const around = withAround(whole === made ? made : withRefusals(whole, binding), binding);
  return withUnreadBody(around, binding);
}

/**
 * Binds an operation as the one that it is read as. As no path says that an item is meant, one that
 * never was is answered from the document unless that describes 404, or a rule says how.
 */
function bindReadAs(options: BindOptions, readAs: Operation): Behaviour {
  const behaviour = withReadCall(bindBehaviour({ ...options, operation: readAs }), readAs);
  const name = readAs.resource ?? readAs.actsOn;
  const resource = options.document.resources.find((one) => one.name === name);
  const isSaid = states(readAs, 404) || states(readAs, 410) || readAs.rules?.errors?.not_found;
  if (!resource || isSaid) return behaviour;
  const stateless = once(() => bindStateless(options));
  const parameter = idParameterOf({ path: itemPathsOf(readAs.path).at(-1) ?? '' }) ?? '';
  return async (call) => {
    const answer = await behaviour(call);
    if (sentStatus(answer) !== 404) return answer;
    const id = toReadCall(call, readAs).params[parameter];
    const isCounted = id !== undefined && toItemNumber(id, resource.idSchema) !== undefined;
    const mayBeGone = isCounted || resource.givenId === 'always';
    return mayBeGone ? answer : { ...(await stateless()(call)), besides: resource.name };
  };
}

/**
 * Answers from the document if a body that would be stored is of a media type that is not read, or is
 * allowed to be no object.
 */
function withUnreadBody(
  behaviour: Behaviour,
  binding: ItemOptions & FromDocumentOptions,
): Behaviour {
  const { document, operation, resource } = binding;
  const { stores, adds, each } = rowOf(operation.kind);
  const isChange = operation.singleton === undefined ? stores : operation.method !== 'DELETE';
  // A create needs no body to make an item.
  if (!isChange || (adds && !operation.otherBody)) return behaviour;
  const wrapped = document.schemas.findWrappedBody(operation);
  const takesList = adds || each || operation.body?.jsonPatch || wrapped?.pointer[0] === '0';
  const stateless = once(() => bindStateless(binding));
  return async (call) => {
    const { body, received } = call;
    const isLeft =
      body === undefined && operation.otherBody !== undefined && received !== undefined;
    const isFields = body === undefined || isObject(body) || (takesList && Array.isArray(body));
    const isRead = !isLeft && isFields;
    return isRead ? behaviour(call) : { ...(await stateless()(call)), besides: resource.name };
  };
}

/** The behaviour of an operation on one of the items that an operation on many works on. */
function bindOne(options: BindOptions, kind: BoundKind): Behaviour {
  const { document } = options;
  const operation = toOperationOfOne(document.schemas, options.operation, kind);
  return bindBehaviour({ ...options, operation, intercept: (made) => made });
}

/** Creates a reader of what the list at the path of an operation shows: all, unless a page is asked for. */
function bindReadAll(options: BindOptions, resource: Resource) {
  const shape = shapeOf(options.operation.path);
  const at = placementsOf(resource).find(({ path }) => shapeOf(path) === shape);
  const list = at?.operations.list;
  if (!list) return async () => [];
  const { pageSize, ...rules } = listRulesOf(list);
  const ofPages = [pageSize?.name, ...rules.paging.map(({ parameter }) => parameter)];
  const readPage = once(() => bindBehaviour({ ...options, operation: list }));
  const listRules = { ...rules, paging: [] };
  const readWhole = once(() => bindBehaviour({ ...options, operation: { ...list, listRules } }));
  return async (call: Call): Promise<readonly unknown[]> => {
    const isOfPage = ofPages.some((name) => name !== undefined && call.query[name] !== undefined);
    const read = isOfPage ? readPage() : readWhole();
    const answer = await read({ ...call, method: 'GET', body: undefined });
    return [valueIn(bodyOf(answer), list.itemsAt ?? []) ?? []].flat();
  };
}

/** An action on an item and a single object have state, all else is answered from the document. */
function bindWithoutKind({ indexed: _, ...options }: BindOptions): Behaviour {
  const { document, operation } = options;
  const single = document.singletons.find(({ name }) => name === operation.singleton);
  const resource = single ?? document.resources.find(({ name }) => name === operation.actsOn);
  if (!resource) return bindStateless(options);
  const ofValue = single?.isValue ? createValueBehaviour : createSingletonBehaviour;
  const ofSingle = single?.isMark ? createMarkBehaviour : ofValue;
  const ofItem = operation.part === undefined ? createActionBehaviour : createPartBehaviour;
  const binding = { ...options, resource };
  const bound = withAround(withRefusals((single ? ofSingle : ofItem)(binding), binding), binding);
  const isOfFields = single && !single.isMark && !single.isValue;
  return isOfFields ? withUnreadBody(bound, binding) : bound;
}

/** Answers from the document, if the item exists that the operation is about. */
function bindStateless(options: FromDocumentOptions): Behaviour {
  const { document, operation } = options;
  const made = createFromDocumentBehaviour(options);
  const needed = findNeeded(document, operation);
  if (!needed) return made;
  const { resource, itemPath } = needed;
  const onItem = {
    ...options,
    resource,
    operation: { ...operation, path: itemPath, plainPath: itemPath },
  };
  const known = withinScopes(withKnownItem(made, onItem), onItem);
  return withIdTexts(withNamedItems(known, onItem), onItem);
}

/** The methods that paths of items have without being about one that exists. */
const usual = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * The collection of which an operation without a kind needs an item: its path names one, and a
 * documented error or its method, as in `COPY /books/{id}`, says so.
 */
function findNeeded(
  { resources }: Api,
  operation: Operation,
): { resource: Resource; itemPath: string } | undefined {
  const { method, path, hint } = operation;
  const isStated = isDescribed(operation, 404) || isDescribed(operation, 410);
  const itemPath = itemPathsOf(path).at(-1) ?? '';
  const needsItem = isStated || (itemPath === path && !usual.includes(method));
  const resource = needsItem ? createFindParent(resources)(itemPath) : undefined;
  return resource && hint?.kind !== 'none' ? { resource, itemPath } : undefined;
}

/** Refuses what is about an item that does not exist. */
function withKnownItem(behaviour: Behaviour, options: ItemOptions): Behaviour {
  const answers = createItemAnswers(options);
  const { name } = options.resource;
  return async (call) => {
    const json = await call.store.get(name, answers.idOf(call));
    return json === undefined ? answers.missing(call) : behaviour(call);
  };
}
