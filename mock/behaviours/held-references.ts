import { isObject, stringifyExact } from '../../common/json.ts';
import { fromToken, toToken } from '../../common/json-pointer.ts';
import { toExcerpt } from '../../common/look/visible.ts';
import { withoutSlash } from '../../common/path-template.ts';
import { valueIn } from '../../common/property-path.ts';
import type { Operation, Reference, Resource } from '../../openapi/index.ts';
import { heldSchemaOf } from '../../openapi/model/content.ts';
import { rowOf } from '../../openapi/model/kinds.ts';
import { shownIn } from '../../openapi/model/operation.ts';
import { idParameterOf } from '../../openapi/model/resource.ts';
import {
  type Answer,
  bodyOf,
  type ErrorProblem,
  type TextAnswer,
  toStatedErrorAnswer,
} from '../answers/answer.ts';
import { findSuccess, states } from '../documented/responses.ts';
import { createSet, haveAddresses, toLocatedStore } from '../items/addresses.ts';
import { childListsOf } from '../items/child-lists.ts';
import { holdersOf, toHoldingStore } from '../items/held-items.ts';
import { toParentStore } from '../items/parent-store.ts';
import { type Fields, fieldsOf, isId } from '../items/stored-item.ts';
import { toByteText, toIdText } from '../json/exact-json.ts';
import { createReadScopes, createToScopeMembers } from '../state/scopes.ts';
import type { ItemStore } from '../state/store.ts';
import type { Behaviour, Call, ItemOperation } from './behaviour.ts';

/** Adds the value of a reference in a body, and the JSON pointer to that value. */
type SentReference = Reference & { value: unknown; pointer: string };

/**
 * Returns the documented status for an unknown reference. Undefined if the operation documents no
 * client error: then any reference is accepted.
 */
function referenceStatusOf(operation: Operation): number | undefined {
  const stated = new Set(operation.responses.map(({ status }) => status.toUpperCase()));
  const exact = [422, 400, 404, 409].find((status) => stated.has(String(status)));
  const isDefaultError =
    stated.has('DEFAULT') && findSuccess(operation)?.status.toLowerCase() !== 'default';
  return exact ?? (stated.has('4XX') || isDefaultError ? 400 : undefined);
}

/**
 * Refuses bodies with references to items that are not there, where the document has an answer for
 * that. A change may leave a reference as it is, whatever became of the item that it names.
 */
export function withHeldReferences(
  behaviour: Behaviour,
  { resource, operation }: Pick<ItemOperation, 'resource' | 'operation'>,
): Behaviour {
  const status = referenceStatusOf(operation);
  if (status === undefined || !rowOf(operation.kind).stores) return behaviour;
  const { references = [] } = resource;
  if (references.length === 0) return behaviour;
  const parameter = idParameterOf(operation);
  const creates = states(operation, 201);
  return async (call) => {
    const missing = await findMissing(call, references);
    if (missing.length === 0) return behaviour(call);
    const id = parameter && call.params[parameter];
    const json = id === undefined ? undefined : await call.store.get(resource.name, id);
    const before: Fields = json === undefined ? {} : fieldsOf(json);
    const changed = missing.filter(({ property, value }) => before[property] !== value);
    // What is changed must be there before what it refers to.
    const isLost = id !== undefined && json === undefined && !creates;
    if (isLost || changed.length === 0) return behaviour(call);
    return toRefusal(changed, status, resource);
  };
}

/**
 * Has items, and those that they hold, show in their lists the items below them, and change these by a
 * body.
 */
export function withChildLists(
  behaviour: Behaviour,
  { document, resource, operation: { copies: isCopy } }: ItemOperation,
): Behaviour {
  const held = holdersOf(document).of(resource.name);
  const owners = [resource, ...held.map(({ target }) => target)].filter(
    (one) => childListsOf(document)(one).length > 0,
  );
  if (owners.length === 0) return behaviour;
  return (call) => {
    const sent = [call.body].flat().map((one) => (isObject(one) ? one : {}));
    const now = call.clock.now();
    const toShown = (store: ItemStore, one: Resource) => {
      const bodies = one === resource ? sent : [];
      return toParentStore(store, { document, resource: one, bodies, now, isCopy });
    };
    return behaviour({ ...call, store: owners.reduce(toShown, call.store) });
  };
}

/** Has items hold those of other collections as these are stored, whenever either of them changes. */
export function withHeldItems(
  behaviour: Behaviour,
  { document, resource, operation }: ItemOperation,
): Behaviour {
  const { method, part, copies: isCopy = false, body: described } = operation;
  // Elements that are added to a list, or taken from it, are found by their ids there.
  if (part !== undefined || ['GET', 'HEAD', 'DELETE'].includes(method)) return behaviour;
  const { of, holding } = holdersOf(document);
  if (of(resource.name).length + holding(resource.name).length === 0) return behaviour;
  return (call) => {
    const parts = [call.body].flat().map((one) => (isObject(one) ? one : {}));
    const isPatched = Array.isArray(call.body) && described?.jsonPatch !== undefined;
    const bodies = isPatched ? [fieldsSetBy(parts)] : parts;
    const isWhole = method === 'PUT';
    const store = toHoldingStore(call.store, { document, resource, bodies, isWhole, isCopy });
    return behaviour({ ...call, store });
  };
}

/** Returns the properties that the operations of a JSON Patch (RFC 6902) set as a whole. */
function fieldsSetBy(operations: readonly Fields[]): Fields {
  const entries = operations.flatMap(({ path, value }): [string, unknown][] =>
    value !== undefined && /^\/[^/]+$/.test(String(path))
      ? [[fromToken(String(path).slice(1)), value]]
      : [],
  );
  return Object.fromEntries(entries);
}

/** Has items show the addresses at which the mock has them, as its client calls it. */
export function withAddresses(
  behaviour: Behaviour,
  { document, resource, operation }: ItemOperation,
): Behaviour {
  const locate = createLocateBeside({ document, resource, operation });
  if (!locate && !haveAddresses(document, resource)) return behaviour;
  const segments = withoutSlash(operation.path).split('/').length - 1;
  return async (call) => {
    const { protocol, headers } = call.source;
    const [path = ''] = call.url.split('?');
    const before = withoutSlash(path).split('/').slice(0, -segments);
    const base = `${protocol}://${headers.host ?? 'localhost'}${before.join('/')}`;
    const store = toLocatedStore(call.store, { document, base });
    const answer = await behaviour({ ...call, store });
    return locate ? locate(answer, call, base) : answer;
  };
}

/** Creates a step that sets the address of an item beside it, in `links.self` beside `data`. */
function createLocateBeside({ document, resource, operation }: ItemOperation) {
  const { schemas } = document;
  const response = findSuccess(operation);
  const schema = response && heldSchemaOf(response);
  const wrapped = schema && schemas.findWrappedItem(schema, shownIn(operation));
  const { properties } = schemas.flatten(schema && schemas.objectAlternative(schema));
  const addresses = wrapped ? schemas.addressesBeside(schema, wrapped.pointer) : [];
  if (!wrapped || addresses.length === 0) return undefined;
  const sets = addresses.map((one) => createSet(document, resource, { ...one, properties }));
  const readScopes = createReadScopes(resource, operation);
  const toMembers = createToScopeMembers(document, resource);
  return (answer: Answer | TextAnswer, { params }: Call, base: string) => {
    const body = bodyOf(answer);
    const item = valueIn(body, wrapped.pointer);
    if (!isObject(body) || !isObject(item)) return answer;
    const fields = { ...toMembers(readScopes?.(params) ?? []), ...item };
    const own = sets.reduce<Fields>((one, set) => set(one, base, fields), body);
    return { ...answer, json: toByteText(stringifyExact(own)) };
  };
}

/** The references that a body sets to items that are not there: its own, or those of its items. */
async function findMissing(
  { body, store }: Call,
  references: readonly Reference[],
): Promise<SentReference[]> {
  const isList = Array.isArray(body);
  const sent = [body].flat().flatMap((fields: unknown, index) =>
    typeof fields !== 'object' || fields === null
      ? []
      : references.map((reference) => ({
          ...reference,
          value: (fields as Fields)[reference.property],
          pointer: `${isList ? `/${index}` : ''}/${toToken(reference.property)}`,
        })),
  );
  const missing: SentReference[] = [];
  for (const one of sent) {
    const names = isId(one.value) && one.value !== '';
    if (names && (await store.get(one.collection, toIdText(one.value))) === undefined)
      missing.push(one);
  }
  return missing;
}

function toRefusal(missing: readonly SentReference[], status: number, { name }: Resource): Answer {
  const problems = missing.map(({ property, collection, value, pointer }): ErrorProblem => {
    const id = toExcerpt(String(value), 80);
    const problem = `"${property}" must be the id of an item of ${collection}, but none has ${id}.`;
    return { in: 'body', pointer, problem };
  });
  const sentences = problems.map(({ problem }) => problem).join(' ');
  const message = `The body is not valid for an item of ${name}. ${sentences}`;
  return toStatedErrorAnswer('invalid_body', message, status, problems);
}
