import { isObject, stringifyExact } from '../../common/json.ts';
import { oncePer } from '../../common/once-per.ts';
import { shapeOf } from '../../common/path-template.ts';
import { valueAt } from '../../common/property-path.ts';
import type { Address, Api, FlatSchema, Resource } from '../../openapi/index.ts';
import { isOnCollection, type Kind } from '../../openapi/model/kinds.ts';
import { placementsOf } from '../../openapi/model/placements.ts';
import { type ByteText, toByteText } from '../json/exact-json.ts';
import { fits } from '../json/validator.ts';
import { memberOf } from '../state/scopes.ts';
import type { ItemStore } from '../state/store.ts';
import { type Holder, holdersOf } from './held-items.ts';
import { type Fields, fieldsOf } from './stored-item.ts';

/** Puts the addresses of an item, and of those that it holds, below a base URL. */
type Locate = (fields: Fields, base: string) => Fields;

/** Finds {@link Locate} of a collection by its name; undefined where its items have no addresses. */
const locatorsOf = oncePer((document: Api) => {
  const { of } = holdersOf(document);
  /** Whether items have addresses, or hold items that have some; they may hold each other. */
  const haveAny = ({ name, addresses }: Resource, seen = new Set<string>()): boolean => {
    if (addresses) return true;
    if (seen.has(name)) return false;
    seen.add(name);
    return of(name).some(({ target }) => haveAny(target, seen));
  };
  const locatorOf = oncePer((resource: Resource): Locate | undefined => {
    const { name, addresses = [] } = resource;
    if (!haveAny(resource)) return undefined;
    const own = addresses.map((one) => createSet(document, resource, one));
    const inner = of(name).map((one) => createLocateHeld(one, () => locatorOf(one.target)));
    const all = [...own, ...inner];
    return (fields, base) => all.reduce((one, next) => next(one, base), fields);
  });
  const byName = new Map(document.resources.map((one) => [one.name, one]));
  return (name: string): Locate | undefined => {
    const resource = byName.get(name);
    // What is linked is read where it is at home.
    const home = byName.get(resource?.linksTo ?? '');
    return (resource && locatorOf(resource)) ?? (home && locatorOf(home));
  };
});

function createLocateHeld({ property, shown }: Holder, locator: () => Locate | undefined): Locate {
  return (fields, base) => {
    const locate = locator();
    if (!locate || !Object.hasOwn(fields, property)) return fields;
    const toLocated = (held: unknown): unknown => {
      if (Array.isArray(held)) return held.map(toLocated);
      if (!isObject(held)) return held;
      const located = Object.entries(locate(held, base));
      const isShown = ([name]: [string, unknown]) => name in held || Object.hasOwn(shown, name);
      return Object.fromEntries(located.filter(isShown));
    };
    return { ...fields, [property]: toLocated(fields[property]) };
  };
}

/**
 * Creates a step that sets an address of an item in what has some properties, such as the item
 * itself, if their schemas allow it there.
 */
export function createSet(
  document: Api,
  resource: Resource,
  { properties, ...address }: Address & Partial<Pick<FlatSchema, 'properties'>>,
): (fields: Fields, base: string, item?: Fields) => Fields {
  const { path, follows, isPath, isRelation } = address;
  const addressOf = createAddressOf(resource, address.shape);
  const [top = '', ...inner] = path;
  const schema = (properties ?? resource.item.properties)[top] ?? {};
  return (fields, base, item = fields) => {
    const own = addressOf(item);
    if (own === undefined) return fields;
    const origin = isPath ? base.replace(/^\w+:\/\/[^/]*/, '') : base;
    const url = origin + own + follows;
    const value = setIn(fields[top], inner, (held) => (isRelation ? toRelated(held, url) : url));
    return fits(document, schema, value) ? { ...fields, [top]: value } : fields;
  };
}

type ToValue = (held: unknown) => unknown;

function setIn(held: unknown, [key, ...others]: readonly string[], toValue: ToValue): unknown {
  if (key === undefined) return toValue(held);
  const own: Fields = isObject(held) ? held : {};
  return { ...own, [key]: setIn(own[key], others, toValue) };
}

/** Puts the address of an item into the link of a list that is related to it as `self`. */
function toRelated(links: unknown, href: string): unknown {
  if (!Array.isArray(links)) return [{ rel: 'self', href }];
  return links.map((one) => (isObject(one) && one.rel === 'self' ? { ...one, href } : one));
}

/** Creates the path of an item, as an operation has it that reads or else changes the item. */
function createAddressOf(resource: Resource, shape?: string) {
  const ways = placementsOf(resource).flatMap(({ operations, scope, key }) => {
    const onItem = Object.entries(operations).filter(
      ([kind, { path }]) => !isOnCollection(kind as Kind) && shapeOf(path).endsWith('{}'),
    );
    const [found] = [operations.read, ...onItem.map(([, one]) => one)].filter(
      (one) => one !== undefined && (shape === undefined || shapeOf(one.path) === shape),
    );
    if (!found) return [];
    const members = scope.map((one) => [one.parameter, memberOf(one)] as const);
    const isById = key === undefined || key === resource.alias;
    return [{ path: found.path, members, key: isById ? resource.idProperty : key }];
  });
  return (fields: Fields): string | undefined => {
    for (const { path, members, key } of ways) {
      const values = [...members.map(([, member]) => member), key].map((one) =>
        valueAt(fields, one),
      );
      const isKnown = values.every((one) => ['string', 'number', 'bigint'].includes(typeof one));
      if (!isKnown) continue;
      let index = 0;
      return path.replace(/\{[^{}]+\}/g, () => encodeURIComponent(String(values[index++])));
    }
    return undefined;
  };
}

/** A store that shows items with their addresses below a base URL; itself if items have none. */
export function toLocatedStore(
  store: ItemStore,
  { document, base }: { document: Api; base: string },
): ItemStore {
  const locatorOf = locatorsOf(document);
  const show = (name: string, json: ByteText): ByteText => {
    const locate = locatorOf(name);
    return locate ? toByteText(stringifyExact(locate(fieldsOf(json), base))) : json;
  };
  return {
    ...store,
    async get(name, id) {
      const json = await store.get(name, id);
      return json && show(name, json);
    },
    async list(name, query) {
      return (await store.list(name, query)).map((json) => show(name, json));
    },
    async listSerial(name, query) {
      const found = await store.listSerial(name, query);
      return found.map(({ serial, json }) => ({ serial, json: show(name, json) }));
    },
    async addAll(name, items, ensure) {
      const { items: added, ...refused } = await store.addAll(name, items, ensure);
      if (!added) return refused as { taken: string };
      return { items: added.map((one) => ({ ...one, json: show(name, one.json) })) };
    },
    async change(name, id, toItem, ensure) {
      const item = await store.change(name, id, toItem, ensure);
      return item && { ...item, json: show(name, item.json) };
    },
    transact: (act) => store.transact((inner) => act(toLocatedStore(inner, { document, base }))),
  };
}

/** Whether items of a collection show addresses. */
export function haveAddresses(document: Api, { name }: Resource): boolean {
  return locatorsOf(document)(name) !== undefined;
}
