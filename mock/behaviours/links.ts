import { isObject } from '../../common/json.ts';
import { lastWordOf } from '../../common/path-template.ts';
import { valueAt, withAt } from '../../common/property-path.ts';
import type { Api, Resource } from '../../openapi/index.ts';
import { placementAt } from '../../openapi/model/placements.ts';
import { idParameterOf } from '../../openapi/model/resource.ts';
import { sentStatus } from '../answers/answer.ts';
import { states } from '../documented/responses.ts';
import { itemRulesOf } from '../items/item-rules.ts';
import { toMatchingStore } from '../items/matching-store.ts';
import {
  type Fields,
  fieldsOf,
  findInScopes,
  toItemNumber,
  toStoredItem,
} from '../items/stored-item.ts';
import { type ByteText, parseInteger, toIdText } from '../json/exact-json.ts';
import { createReadScopes, memberOf, scopeValuesOf, withoutHidden } from '../state/scopes.ts';
import type { ItemStore } from '../state/store.ts';
import type { Behaviour, Call, ItemOperation } from './behaviour.ts';
import { createToAnswerOfMany } from './create.ts';
import { createItemAnswers, type ItemOptions } from './item-answers.ts';

/**
 * Adds items of another collection to those that belong to the item in the path, by the id in the
 * path or the ids in the body. What belongs there stays, unless a PUT or PATCH lists all that does.
 * An unknown id in the path is 404 if that is documented, or if it cannot be an id; any other one
 * is linked, too, with what answers require.
 */
export function createLinkBehaviour(options: ItemOptions): Behaviour {
  const { document, resource, operation } = options;
  const { name, linksTo = '', idProperty, idSchema } = resource;
  const { linksBy: member = '' } = operation;
  const answers = createItemAnswers(options);
  const toAnswerOfMany = createToAnswerOfMany(options);
  const isText = idSchema.type === 'string';
  const isOfAll = /^(PUT|PATCH)$/.test(operation.method);
  const { toValid } = itemRulesOf(document)(resource);
  // What the document allows is not refused.
  const isRefused = member === '' && states(operation, 404);
  const isNoId = (id: string) => !isText && parseInteger(id) === undefined;
  const makeUnknown = (id: string) =>
    toValid(withAt({}, idProperty, isText ? id : (parseInteger(id) ?? id)), 1);
  return async (call) => {
    const given = member === '' ? answers.idOf(call) : (call.body as Fields | undefined)?.[member];
    const ids = [given ?? []]
      .flat()
      .map((one: unknown) => toIdText(isObject(one) ? valueAt(one, idProperty) : one));
    const link = async (store: ItemStore): Promise<ByteText[] | undefined> => {
      const items: ByteText[] = [];
      for (const id of ids) {
        const found = await store.get(linksTo, id);
        if (found === undefined && (isRefused || isNoId(id))) return undefined;
        const fields = found ? toValid(fieldsOf(withoutHidden(found)), 1) : makeUnknown(id);
        const item = toStoredItem(resource, fields, valueAt(fields, idProperty));
        const number = toItemNumber(id, idSchema);
        const own = await store.get(name, id);
        if (own === undefined) await store.addAll(name, [{ given: { item, number } }]);
        items.push(own ?? item.json);
      }
      const isWhole = isOfAll && Array.isArray(given);
      const all = isWhole ? await store.list(name) : [];
      const left = new Set(all.map((json) => toIdText(valueAt(fieldsOf(json), idProperty))));
      for (const one of left.difference(new Set(ids))) await store.remove(name, one);
      return items;
    };
    const items = await call.store.transact(link);
    if (!items) return answers.missing(call);
    const [first] = items;
    if (first === undefined || Array.isArray(given)) return toAnswerOfMany(call, items);
    return answers.done(call, first, true);
  };
}

/** Has what links or unlinks answer with the item to which others are linked, if that is described. */
export function withHolder(behaviour: Behaviour, options: ItemOptions): Behaviour {
  const { document, resource, operation } = options;
  const { schemas, resources } = document;
  const { parent } = placementAt(resource, operation.path)?.scope?.at(-1) ?? {};
  const holder = resources.find(({ name }) => name === parent);
  const shown = schemas.itemOf(operation)?.$ref;
  const shows = (one: Resource) =>
    schemas.answeredItems(one).some(({ $ref }) => shown !== undefined && $ref === shown);
  const isLink = operation.linksBy !== undefined || operation.kind === 'delete';
  if (!resource.linksTo || !isLink || !holder || !shows(holder) || shows(resource))
    return behaviour;
  const answers = createItemAnswers({ ...options, resource: holder });
  const readScopes = createReadScopes(resource, operation);
  return async (call) => {
    const answer = await behaviour(call);
    const id = readScopes?.(call.params).at(-1)?.text ?? '';
    const json = sentStatus(answer) < 400 && (await call.store.get(holder.name, id));
    return json ? answers.done(call, withoutHidden(json), true) : answer;
  };
}

/** Has other collections, to which items of a collection belong, show them after a change of these. */
export function withLinks(
  behaviour: Behaviour,
  { document, resource, operation }: ItemOperation,
): Behaviour {
  const links = document.resources.filter(({ linksTo }) => linksTo === resource.name);
  const parameter = idParameterOf(operation);
  const changes = !['GET', 'HEAD'].includes(operation.method) && parameter !== undefined;
  if (links.length === 0 || !changes) return behaviour;
  return async (call) => {
    const answer = await behaviour(call);
    const id = call.params[parameter] ?? '';
    if (sentStatus(answer) < 400)
      for (const link of links) await refresh(call.store, { document, resource, link, id });
    return answer;
  };
}

/**
 * Has a list below an item show those to which the item was added, `/users/{id}/teams` the teams of
 * which `PUT /teams/{team}/members/{user}` made that user a member, or those that hold the item:
 * `/projects/{id}/tasks` the tasks with that project.
 */
export function withLinkedLists(
  behaviour: Behaviour,
  { document, resource, operation }: ItemOperation,
): Behaviour {
  const { scope = [] } = placementAt(resource, operation.path) ?? {};
  const { parent, isOpen } = scope.at(-1) ?? {};
  // Others, such as `/users/{id}/owned-teams`, list what is related in another way.
  const isNamed = lastWordOf(operation.path) === lastWordOf(resource.path);
  if (operation.kind !== 'list' || !isNamed || !isOpen || parent === undefined) return behaviour;
  const links = document.resources.flatMap((one) => {
    const [above, ...others] = one.scope ?? [];
    const isReverse = one.linksTo === parent && above?.parent === resource.name;
    return isReverse && others.length === 0 ? [{ ...one, member: memberOf(above) }] : [];
  });
  const [link, ...others] = links;
  const [held, ...more] = (resource.held ?? []).filter(({ collection }) => collection === parent);
  const target = document.resources.find(({ name }) => name === parent);
  const [, parameter = ''] = /.*\{([^{}]+)\}/.exec(operation.path) ?? [];
  const isLinked = link && others.length === 0;
  if (!isLinked && (!held || !target || more.length > 0)) return behaviour;
  /** Returns a test for the items that belong to the one above. */
  const toTest = async ({ store, params }: Call): Promise<(fields: Fields) => boolean> => {
    const isAbove = (one: unknown, { idProperty }: Pick<Resource, 'idProperty'>) =>
      isObject(one) && toIdText(valueAt(one, idProperty)) === params[parameter];
    if (!isLinked)
      return (fields) =>
        [fields[held?.property ?? '']].flat().some((one) => isAbove(one, target as Resource));
    const all = await store.list(link.name);
    const own = all.map(fieldsOf).filter((one) => isAbove(one, link));
    const ids = new Set(own.map((one) => toIdText(valueAt(one, link.member))));
    return (fields) => ids.has(toIdText(valueAt(fields, resource.idProperty)));
  };
  return async (call) => {
    const isOwn = await toTest(call);
    const store = toMatchingStore(call.store, (json) => isOwn(fieldsOf(json)));
    return behaviour({ ...call, store });
  };
}

type Link = { document: Api; resource: Resource; link: Resource; id: string };

async function refresh(store: ItemStore, { resource, link, id }: Link): Promise<void> {
  const { name, idProperty } = link;
  const changed = await store.get(resource.name, id);
  for (const json of await store.list(name)) {
    const fields = fieldsOf(json);
    if (toIdText(valueAt(fields, idProperty)) !== id) continue;
    const values = scopeValuesOf(link, fields);
    const { key = id } = (await findInScopes(store, link, { id, values })) ?? {};
    if (changed === undefined) await store.remove(name, key);
    else
      await store.change(name, key, () => {
        const whole = { ...fields, ...fieldsOf(withoutHidden(changed)) };
        return { ...toStoredItem(link, whole), id: key };
      });
  }
}
