import { defined } from '../../common/defined.ts';
import { isObject } from '../../common/json.ts';
import { shapeOf } from '../../common/path-template.ts';
import { isSuccess } from '../../common/success.ts';
import { shownOf } from '../marks.ts';
import { heldSchemaOf } from '../model/content.ts';
import { typesOf } from '../model/id-form.ts';
import { asks, type Operation, shownIn, successOf } from '../model/operation.ts';
import { createFindParent } from '../model/placements.ts';
import { nameOf, type Resource } from '../model/resource.ts';
import { flatten, type RawDocument, resolve, type Schema } from '../schema.ts';
import { findWrappedItem } from './item-form.ts';
import { setsItem } from './operations-on.ts';
import { allTypesOf, saysNothing, scalarOf, shareType } from './schema-types.ts';
import { toScopes } from './scopes.ts';
import { bodyItemsOf, isSameItem, itemOf, itemsOf, sentSchemaOf } from './success.ts';
import { placeFields } from './taken-fields.ts';

/** The member in front of its properties that holds its id; no parameter has such a name. */
const idMember = '{}';

/**
 * The single objects that have a path of their own, such as `/me` or `/users/{userId}/profile`: a
 * GET shows them, a PUT, PATCH or POST changes them, and a DELETE ends them. Marks these operations. Of
 * a path with parameters there is one for each of their values.
 */
export function findSingletons(
  raw: RawDocument,
  operations: readonly Operation[],
  resources: readonly Resource[],
): Resource[] {
  const findParent = createFindParent(resources);
  const byShape = Map.groupBy(operations, ({ path }) => shapeOf(path));
  return [...byShape.values()].flatMap((all) => {
    const free = all.filter(
      ({ kind, actsOn, readAs, hint }) => !kind && !actsOn && !readAs && hint?.kind !== 'none',
    );
    const found = findMark(free) ?? findSingle(raw, free) ?? findValue(raw, free);
    const read = found?.operations.read;
    if (!found || !read) return [];
    const name = nameOf(read.path);
    for (const one of Object.values(found.operations)) {
      const itemsAt = findWrappedItem(raw, successOf(one), shownIn(one))?.pointer ?? [];
      Object.assign(one, { singleton: name, ...(itemsAt.length > 0 && { itemsAt }) });
    }
    const single = {
      ...found,
      ...{ name, path: read.path, idProperty: idMember, isSingle: true },
      idSchema: idSchemaOf(read.path),
    };
    const scope = toScopes(raw, single, read.path, findParent);
    return [{ ...single, ...(scope.length > 0 && { scope }) }];
  });
}

type Single = Pick<Resource, 'item' | 'operations' | 'isMark' | 'isOpen' | 'isValue'>;

/** One object that a GET shows and a PUT, PATCH or POST changes. */
function findSingle(raw: RawDocument, free: readonly Operation[]): Single | undefined {
  const read = free.find(({ method }) => method === 'GET');
  if (!read || shapeOf(read.path).endsWith('{}')) return undefined;
  const schema = singleOf(raw, read, free);
  const shown = successOf(read);
  const isOpen = isOpenObject(raw, shown);
  if (!schema && !isOpen) return undefined;
  const item = shownOf(raw, flatten(raw, schema));
  const known = { path: read.path, item, idProperty: '' };
  for (const one of free) if (one !== read) placeFields(raw, one, known);
  const changing = (method: string) =>
    free.find(
      (one) =>
        one.method === method &&
        (one.body || one.otherBody) &&
        !one.body?.jsonPatch &&
        bodyItemsOf(raw, one) === undefined &&
        setsItem(raw, one, item) &&
        (!isOpen || takesOpen(raw, one, shown)),
    );
  const [replace, update, posted] = ['PUT', 'PATCH', 'POST'].map(changing);
  const create = posted && isShown(raw, posted, schema) ? posted : undefined;
  if (!replace && !update && !create) return undefined;
  const remove = free.find(({ method }) => method === 'DELETE');
  return {
    item,
    operations: defined({ read, create, replace, update, delete: remove }),
    ...(isOpen && { isOpen }),
  };
}

/** The object that a GET shows; a list in it does not count if a change answers with the same. */
function singleOf(
  raw: RawDocument,
  read: Operation,
  all: readonly Operation[],
): Schema | undefined {
  const shown = itemOf(raw, read);
  const isChanged = (one: Operation) =>
    /^(PUT|PATCH)$/.test(one.method) && isShown(raw, one, shown);
  return itemsOf(raw, read) === undefined || all.some(isChanged) ? shown : undefined;
}

/** Whether an operation answers with what the GET at its path shows. */
function isShown(raw: RawDocument, operation: Operation, schema: Schema | undefined): boolean {
  const shown = itemOf(raw, operation);
  if (!schema || !shown || asks(operation) || !isSameItem(raw, shown, schema)) return false;
  const { properties } = flatten(raw, schema);
  // Where an answer names its operation, it is no object of its path.
  return Object.entries(flatten(raw, shown).properties).every(([name, property]) => {
    const [own, other] = [property, properties[name] ?? {}].map((one) => resolve(raw, one).enum);
    return !Array.isArray(own) || !Array.isArray(other) || own.some((one) => other.includes(one));
  });
}

/** The keywords that apply to all members of an object alike. */
const ofAllMembers =
  /^(additionalProperties|patternProperties|propertyNames|minProperties|maxProperties)$/;

/** Whether a schema describes objects, and names none of their members. */
function isOpenObject(raw: RawDocument, schema: Schema | undefined): boolean {
  const others = Object.entries(resolve(raw, schema ?? {})).filter(
    ([keyword]) => !ofAllMembers.test(keyword),
  );
  const rest: Schema = Object.fromEntries(others);
  return typesOf(rest).includes('object') && saysNothing(raw, rest);
}

/** Whether an operation takes an open object whose members have a type of those that are shown. */
function takesOpen(raw: RawDocument, operation: Operation, shown: Schema | undefined): boolean {
  const sent = sentSchemaOf(operation);
  const [taken, given] = [sent, shown].map((one) => {
    const { additionalProperties: others } = resolve(raw, one ?? {});
    return isObject(others) ? others : undefined;
  });
  return isOpenObject(raw, sent) && shareType(raw, taken, given);
}

/**
 * Finds a mark, which is there or not and has no content: a PUT of `/user/starred/{repo}` sets it,
 * a DELETE ends it, and a GET answers 204 or 404.
 */
function findMark(free: readonly Operation[]): Single | undefined {
  const by = (method: string) => free.find((one) => one.method === method);
  const [read, replace, remove] = [by('GET'), by('PUT') ?? by('POST'), by('DELETE')];
  if (!read?.responses.some(({ status }) => status === '404') || !replace || !remove)
    return undefined;
  if (read.responses.some((one) => isSuccess(one) && heldSchemaOf(one))) return undefined;
  const item = { properties: { marked: { type: 'boolean' } }, required: [] };
  return { item, operations: { read, replace, delete: remove }, isMark: true };
}

/** A flag, text or number, or a list of these, that a GET shows and a PUT replaces. */
function findValue(raw: RawDocument, free: readonly Operation[]): Single | undefined {
  const by = (method: string) => free.find((one) => one.method === method);
  const [read, replace] = [by('GET'), by('PUT')];
  const [shown, sent] = [read && successOf(read), replace?.body?.schema];
  if (!shown || !sent || !isValue(raw, shown) || !isValue(raw, sent)) return undefined;
  if (!shareType(raw, shown, sent)) return undefined;
  const item = { properties: { value: shown }, required: [] };
  const operations = defined({ read, replace, delete: by('DELETE') });
  return { item, operations, isValue: true };
}

function isValue(raw: RawDocument, schema: Schema): boolean {
  const types = allTypesOf(raw, scalarOf(raw, schema).items ?? schema);
  return types.length > 0 && types.every((type) => type !== 'object' && type !== 'array');
}

/** The schema of ids: a slash, and behind it the value of each parameter in the path. */
function idSchemaOf(path: string): Schema {
  const { length } = path.match(/\{/g) ?? [];
  if (length === 0) return { type: 'string', const: '/' };
  return { type: 'string', pattern: `^${'/[^/]+'.repeat(length)}$` };
}
