import { isObject, isSame } from '../../common/json.ts';
import { topOf, withAt } from '../../common/property-path.ts';
import type { Api, FlatSchema, Operation, Resource, Schema } from '../../openapi/index.ts';
import { describes } from '../../openapi/model/describes.ts';
import { kindsOf, mostAlike } from '../../openapi/values/plain-schema.ts';
import { isState, statesOf } from '../../openapi/values/text.ts';
import { parseExact } from '../json/exact-json.ts';
import { oncePer } from '../json/once-per.ts';
import { fits } from '../json/validator.ts';
import { hiddenMembersOf } from '../state/scopes.ts';
import type { StoredItem } from '../state/store.ts';
import { itemRulesOf } from './item-rules.ts';
import { createStatedDefaults, makeValue } from './made-values.ts';
import { type Fields, toItemNumber, toStoredOf } from './stored-item.ts';
import { timestampsOf, toTimestamp } from './timestamps.ts';

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
 * Creates the conversion of an operation's body to a stored item. A body sets what its schema
 * describes, if anything, and what its examples show; nothing that is `readOnly`. Query parameters
 * set the properties that they name. An operation without a body makes all described properties.
 */
export function createTakeItem(
  document: Api,
  resource: Resource,
  operation: Pick<Operation, 'path' | 'body' | 'otherBody' | 'parameters'>,
): TakeItem {
  const { schemas } = document;
  const { idProperty, idSchema, item, isOpen: isOpenItem } = resource;
  const body = document.schemas.describeSchema(schemas.bodySchemaOf(operation) ?? {});
  const { properties } = body;
  const isOpen = Object.keys(properties).length === 0;
  const isMade = !operation.body && !operation.otherBody;
  const asked = operation.parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  // What an example of a body has, bodies may have, whatever their schema leaves out.
  const examples = [body.schema.example, ...Object.values(operation.body?.examples ?? {})];
  const shown = examples.filter(isObject).flatMap(Object.keys);
  const { body: { variants = [] } = {}, otherBody: { contents = [] } = {} } = operation;
  const otherwise = [...variants, ...contents].flatMap(({ schema = {} }) =>
    Object.keys(schemas.describeSchema(schema).properties),
  );
  const settable = new Set([
    ...[...asked, ...shown, ...otherwise],
    ...[...Object.keys(properties), ...body.required],
  ]);
  const names = Object.keys(item.properties).filter((name) => name !== idProperty);
  const ofService = timestampsOf(document)(resource).filter(({ isOfService }) => isOfService);
  const fixed = names.filter((name) => {
    const isReadOnly = schemas.isMarked(properties[name] ?? item.properties[name], 'readOnly');
    const isSettable = (isOpen || settable.has(name) || describes(body, name)) && !isReadOnly;
    return !isSettable || ofService.some(({ property }) => property === name);
  });
  const defaults = createStatedDefaults(
    document,
    names
      .filter((name) => !ofService.some(({ property }) => property === name))
      .map(
        (name) =>
          [
            name,
            (Object.hasOwn(properties, name) ? properties : item.properties)[name] as Schema,
          ] as const,
      ),
  );
  const references = new Set(resource.references?.map(({ property }) => property));
  const unsent = new Set(isMade ? names : fixed).difference(references);
  const shape = { ...shapeOf(document, item, fixed), unsent, idProperty };
  const filled = names.filter(
    (name) => isMade || (shape.fixed.has(name) && isSetAtOnce(document, item, name)),
  );
  const required = [...new Set([...item.required, ...filled])];
  const shapeOfNew = { ...shape, item: { ...item, required } };
  const rules = isOpenItem ? undefined : itemRulesOf(document)(resource);
  const kept = new Set([...hiddenMembersOf(resource), ...Object.keys(item.properties)]);
  const toItem = toStoredOf(resource);
  const { of } = document.exact;
  const toStored = of ? (item: Fields, id: unknown) => toItem(of(item), id) : toItem;
  const hasIdAtTop = topOf(idProperty) === idProperty;
  const kinds = kindsOf(schemas.answeredItems(resource), schemas.describeShown);
  /** Whether a change turns an item into one of another kind. */
  const changesKind = (fields: Fields, before: unknown) =>
    before !== undefined && mostAlike(before, kinds)[0] !== mostAlike(fields, kinds)[0];
  /** Finds the properties that only other kinds of items have, unless the body sent them. */
  const foreignTo = (fields: Fields, before: unknown): readonly string[] => {
    const [own, ...rest] = mostAlike(fields, kinds);
    const old = changesKind(fields, before) && isObject(before) ? before : {};
    const isSent = (name: string) =>
      Object.hasOwn(fields, name) && !(name in old && isSame(fields[name], old[name]));
    const isOther = (name: string) => !isSent(name) && !Object.hasOwn(own?.properties ?? {}, name);
    return rest.flatMap((one) => Object.keys(one.properties).filter(isOther));
  };
  return (fields, { id, now, sets, ...others }) => {
    const { before, isPatch, seed = toItemNumber(String(id), idSchema) ?? 1 } = others;
    const times: Record<string, unknown> = {};
    for (const { property, of, form } of ofService)
      if (of === 'update' || !before) times[property] = toTimestamp(now, form);
    const stated = isPatch ? undefined : defaults?.();
    const own = before ? shape : shapeOfNew;
    const given = takeObject(document, own, fields, { ...others, seed });
    const taken: Record<string, unknown> = { ...stated, ...given, ...times, ...sets };
    if (kinds.length > 1) for (const name of foreignTo(fields, before)) delete taken[name];
    if (!rules || (isPatch && (kinds.length < 2 || !changesKind(fields, before))))
      return toStored(taken, id);
    // What is not described is not stored, so it must not be what makes an item valid.
    for (const name in taken) if (!kept.has(name) && !describes(item, name)) delete taken[name];
    const whole = hasIdAtTop
      ? { [idProperty]: id, ...taken, [idProperty]: id }
      : withAt(taken, idProperty, id);
    if (rules.isValid(whole)) return toStored(whole, id);
    const valid = rules.toValid(whole, seed);
    const keepsAll = Object.keys(fields).every(
      (name) => fixed.includes(name) || !(name in taken) || isSame(valid[name], taken[name]),
    );
    return toStored(isPatch && !keepsAll ? whole : valid, id);
  };
}

/**
 * Whether a service sets an optional property of new items: a state, or a secret that clients need.
 */
function isSetAtOnce(document: Api, { properties }: FlatSchema, name: string): boolean {
  const schema = document.schemas.resolve(properties[name] ?? {});
  const { enum: values, type } = schema;
  if (isState(name)) return values !== undefined || statesOf(name, schema).length > 0;
  return /(secret|token)$/i.test(name) && [type].flat().includes('string');
}

type InnerOptions = Pick<TakeOptions, 'before' | 'isPatch'> & { seed: number };

/**
 * Groups the properties of an object: bodies may not set `fixed` ones; `unkept` ones are
 * `writeOnly`.
 */
type Shape = {
  item: FlatSchema;
  fixed: ReadonlySet<string>;
  /** The names of what no client sends, and no other item: counts of these begin with 0. */
  unsent: ReadonlySet<string>;
  unkept: ReadonlySet<string>;
  /** Names the properties that hold an object whose id may stand for it. */
  objects: ReadonlySet<string>;
  /** Names the properties that take any text. */
  texts: ReadonlySet<string>;
  idProperty?: string;
};

function shapeOf(document: Api, item: FlatSchema, namesOfFixed: readonly string[]): Shape {
  const names = Object.keys(item.properties);
  const unkept = names.filter((name) =>
    document.schemas.isMarked(item.properties[name], 'writeOnly'),
  );
  const schemaOf = (name: string) => item.properties[name] ?? {};
  const objects = names.filter((name) => isNamedObject(document, schemaOf(name)));
  const texts = names.filter((name) => takesTexts(document, schemaOf(name)));
  const fixed = new Set(namesOfFixed);
  return {
    item,
    fixed,
    unsent: fixed,
    unkept: new Set(unkept),
    objects: new Set(objects),
    texts: new Set(texts),
  };
}

/** Lists properties that identify an object of an item, where a body or a path gives one value. */
export const namesOfObjects = 'id uuid key code slug name login username'.split(' ');

/** Two objects of a list may have the same value, so that it names none of them. */
const idsOfObjects = [...namesOfObjects, 'value'];

function isNamedObject(document: Api, schema: Schema): boolean {
  const { properties } = document.schemas.describeSchema(schema);
  return idsOfObjects.some((id) => Object.hasOwn(properties, id));
}

/** The object that a body gives the id of: the one that was there, or one that is made. */
function toObject(
  document: Api,
  [name, schema]: readonly [string, Schema],
  value: unknown,
  { before, seed }: InnerOptions,
): unknown {
  const { properties } = document.schemas.describeShown(schema);
  const id = idsOfObjects.find((one) => properties[one] && fits(document, properties[one], value));
  if (id === undefined || fits(document, schema, value)) return value;
  if (isObject(before) && before[id] === value) return before;
  const made = makeValue(document, [name, schema], { seed, fields: {} });
  return isObject(made) ? withAt(made, id, value) : value;
}

function takeObject(
  document: Api,
  { item: { properties, required }, fixed, unsent, unkept, objects, texts, idProperty }: Shape,
  fields: Fields,
  options: InnerOptions,
): Fields {
  const taken = new Map<string, unknown>();
  const { before } = options;
  const old: Fields = before !== undefined && isObject(before) ? before : {};
  for (const name in fields) {
    if (fixed.has(name) || unkept.has(name)) continue;
    const value = fields[name];
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const isId = typeof value !== 'object' && objects.has(name);
    const isAsIs = !isId && (typeof value === 'string' ? texts.has(name) : isScalar(value));
    if (!schema || isAsIs) {
      taken.set(name, value);
      continue;
    }
    const own = { ...options, before: old[name] };
    const inner = isId
      ? toObject(document, [name, schema], value, own)
      : takeInner(document, schema, value, own);
    taken.set(name, inner);
  }
  for (const name of fixed) if (Object.hasOwn(old, name)) taken.set(name, old[name]);
  for (const name of required) {
    const schema = properties[name];
    const isMistake = options.isPatch === true && !fixed.has(name);
    if (schema && name !== idProperty && !taken.has(name) && !isMistake)
      taken.set(
        name,
        makeValue(document, [name, schema], { ...options, fields, isUnsent: unsent.has(name) }),
      );
  }
  return Object.fromEntries(taken);
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

/** Whether a schema allows texts, which then need no conversion. */
function takesTexts(document: Api, schema: Schema): boolean {
  const types = document.schemas.allTypesOf(schema);
  return types.length === 0 || types.includes('string');
}

/** Returns a value as its schema has it; `readOnly` members keep their previous values. */
export function takeInner(
  document: Api,
  schema: Schema,
  value: unknown,
  options: InnerOptions,
): unknown {
  if (!isObject(schema) || value === null) return value;
  if (typeof value !== 'object') return toTyped(document, schema, value);
  const shape = shapesOf(document)(schema);
  if (Array.isArray(value)) {
    const items = shape.schema.items as Schema;
    const old: unknown[] = Array.isArray(options.before) ? options.before : [];
    const isNamed = isObject(items) && isNamedObject(document, items);
    return value.map((one, index) => {
      const own = { ...options, seed: options.seed + index, before: old[index] };
      return isNamed && typeof one !== 'object'
        ? toObject(document, ['', items], one, own)
        : takeInner(document, items, one, own);
    });
  }
  return isObject(value) ? takeObject(document, shape, value, options) : value;
}

/** A text as its schema has it, where that is JSON: forms, and bodies that say less of it, send texts. */
function toTyped(document: Api, schema: Schema, value: unknown): unknown {
  if (typeof value !== 'string' || takesTexts(document, schema)) return value;
  if (fits(document, schema, value)) return value;
  try {
    const typed = parseExact(value).value;
    return fits(document, schema, typed) ? typed : value;
  } catch {
    return value;
  }
}

/** The shape of what a schema describes, which may set all but what is `readOnly`. */
const shapesOf = oncePer((document: Api) =>
  oncePer((node: Schema): Shape & { schema: Schema } => {
    const { schema, ...item } = document.schemas.describeSchema(node);
    const isFixed = (name: string) => document.schemas.isMarked(item.properties[name], 'readOnly');
    const shape = shapeOf(document, item, Object.keys(item.properties).filter(isFixed));
    const required = item.required.filter((name) => isFixed(name) && !shape.unkept.has(name));
    return { ...shape, schema, item: { ...item, required } };
  }),
);
