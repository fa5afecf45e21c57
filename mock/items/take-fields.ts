import { define, isObject, isSame, toJson } from '../../common/json.ts';
import { topOf, valueIn, withAt } from '../../common/property-path.ts';
import { singular, toPlainName } from '../../common/words.ts';
import type { Api, Resource, Schema } from '../../openapi/index.ts';
import { describes } from '../../openapi/model/describes.ts';
import {
  changesKind,
  foreignTo,
  keepUndescribed,
  kindsOf,
} from '../../openapi/values/plain-schema.ts';
import { fits } from '../json/validator.ts';
import { hiddenMembersOf } from '../state/scopes.ts';
import type { StoredItem } from '../state/store.ts';
import {
  applyPolicies,
  createConvert,
  type FieldPolicies,
  type ItemEvent,
  namesOfObjects,
  policiesOfItem,
  type SettingOperation,
} from './field-policies.ts';
import type { FillingInput } from './fillings.ts';
import { itemRulesOf } from './item-rules.ts';
import { type Fields, toItemNumber, toStoredOf } from './stored-item.ts';

/**
 * Holds the id of the item, the clock's time in Unix milliseconds, and the item before a change.
 * The seed of made values is the number of the id by default. A patch that omits a required
 * property is a mistake, and nothing is added.
 */
export type TakeOptions = {
  id: unknown;
  now: number;
  seed?: number;
  before?: unknown;
  isPatch?: boolean;
  /** Holds the body of a patch, of which the fields lack what is null. */
  patch?: unknown;
  /** Holds the values that an action sets. */
  sets?: Fields | undefined;
};

/**
 * Converts the fields of a body to the stored item. Fields that a body may not set stay as they
 * were; times of the service follow the clock. Stated defaults and properties that answers require
 * are added, and invalid values are made anew. A patch adds no defaults, and its invalid values
 * stay.
 */
export type TakeItem = (fields: Fields, options: TakeOptions) => StoredItem;

/**
 * Creates the conversion of an operation's body to a stored item: the policies of its properties say
 * what becomes of each, and what no answer may show is made anew.
 */
export function createTakeItem(
  document: Api,
  resource: Resource,
  operation: SettingOperation,
): TakeItem {
  const { schemas } = document;
  const { idProperty, idSchema, item, isOpen } = resource;
  const policiesAt: { [event in ItemEvent]?: FieldPolicies } = {};
  const rules = isOpen ? undefined : itemRulesOf(document)(resource);
  const hidden = new Set(hiddenMembersOf(resource));
  const keeps = (name: string) => isOpen || hidden.has(name) || describes(item, name);
  const toItem = toStoredOf(resource);
  const { of } = document.exact;
  const toStored = of ? (item: Fields, id: unknown) => toItem(of(item), id) : toItem;
  // Items that it holds are as they are stored, whatever the schema says of them.
  const names = (resource.held ?? []).map(({ property }) => property);
  const heldIn = (fields: Fields) =>
    Object.fromEntries(
      names.flatMap((name) => (isObject(fields[name]) ? [[name, fields[name]]] : [])),
    );
  const { properties: own } = item;
  const hasIdAtTop = topOf(idProperty) === idProperty;
  const kinds = kindsOf(schemas.answeredItems(resource), schemas.describeShown);
  const findNamed = createFindNamed(document, resource, operation);
  return (fields, { id, now, sets, before, isPatch = false, patch, seed: given }) => {
    const seed = given ?? toItemNumber(String(id), idSchema) ?? 1;
    const event = before === undefined ? 'create' : isPatch ? 'patch' : 'replace';
    const policies = (policiesAt[event] ??= policiesOfItem(document, resource, operation, event));
    const taken = applyPolicies(policies, { fields, seed, now }, { before, keeps });
    const whole = isObject(patch) ? { ...fields, ...patch } : fields;
    if (findNamed) Object.assign(taken, findNamed(whole, { before, given: { fields, seed, now } }));
    if (sets) Object.assign(taken, sets);
    if (kinds.length > 1) {
      for (const name of foreignTo(kinds, fields, before)) delete taken[name];
      keepUndescribed(kinds, fields, taken);
    }
    if (!rules || (isPatch && (kinds.length < 2 || !changesKind(kinds, fields, before))))
      return toStored(taken, id);
    const item = hasIdAtTop ? { ...taken, [idProperty]: id } : withAt(taken, idProperty, id);
    if (rules.isValid(item)) return toStored(item, id);
    const valid: Fields = { ...rules.toValid(item, seed), ...heldIn(item) };
    // What fits its own schema, though not that of each answer, may have been left out.
    const isLost = (name: string) =>
      name in taken && !(name in valid) && fits(document, own[name] ?? {}, taken[name]);
    for (const name of Object.keys(fields).filter(isLost)) define(valid, name, taken[name]);
    const keepsAll = Object.keys(fields).every(
      (name) =>
        policies.get(name)?.sent === 'ignored' ||
        !(name in taken) ||
        isSame(valid[name], taken[name]),
    );
    // Another kind needs what the client sets, and has not sent.
    const isLacking = (name: string) => !(name in item) && policies.get(name)?.sent === 'kept';
    const isWhole = keepsAll && !Object.keys(valid).some(isLacking);
    return toStored(isPatch && !isWhole ? item : valid, id);
  };
}

/**
 * Creates a search for the objects of an item that fields name by ids, such as the `category` of a
 * `categoryId` and the `tags` of `tagIds`, unless a collection has them. Undefined where none is.
 */
function createFindNamed(
  document: Api,
  { item, held = [] }: Resource,
  operation: SettingOperation,
): ((fields: Fields, of: { before: unknown; given: FillingInput }) => Fields) | undefined {
  const { schemas } = document;
  const { properties: own } = schemas.describeSchema(schemas.bodySchemaOf(operation) ?? {});
  const known = Object.keys({ ...own, ...item.properties });
  const pairs = Object.entries(item.properties).flatMap(([name, schema]) => {
    const outer = schemas.objectAlternative(schema) ?? {};
    const isList = isObject(outer.items);
    const inner = schemas.describeShown(isList ? (outer.items as Schema) : outer).properties;
    const isHeld = held.some(({ property }) => property === name);
    const ids = isHeld ? [] : namesOfObjects.filter((one) => Object.hasOwn(inner, one));
    const noun = toPlainName(isList ? singular(name) : name);
    const idIn = (source: string) =>
      ids.find((id) => toPlainName(source) === noun + id + (isList ? 's' : ''));
    const source = known.find(idIn);
    const id = source === undefined ? undefined : idIn(source);
    if (source === undefined || id === undefined) return [];
    const names = (value: unknown) =>
      isList
        ? Array.isArray(value) && value.every((one) => fits(document, inner[id] ?? {}, one))
        : fits(document, inner[id] ?? {}, value);
    const takes = (value: unknown) => (value === null ? schemas.isNullable(schema) : names(value));
    // The value is that of the property that it is called by, whatever else may name the object.
    return [{ name, source, id, takes, convert: createConvert(document, [id, schema]) }];
  });
  if (pairs.length === 0) return undefined;
  return (fields, { before, given }) => {
    const oldOf = (name: string) => valueIn(before, [name]);
    const isSent = (name: string) =>
      fields[name] !== undefined && !isSame(fields[name], oldOf(name));
    const found = pairs.flatMap(({ name, source, id, takes, convert }) => {
      const value = fields[source];
      if (!isSent(source) || isSent(name) || !takes(value)) return [];
      const old = oldOf(name);
      const keyOf = (one: unknown) => toJson(valueIn(one, [id]));
      const known = new Map([old].flat().map((one) => [keyOf(one), one]));
      const alike = Array.isArray(value) ? value.map((one) => known.get(toJson(one))) : old;
      return [[name, convert(value, given, alike)]];
    });
    return Object.fromEntries(found);
  };
}
