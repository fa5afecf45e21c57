import { define, isObject, isSame, toJson } from '../../common/json.ts';
import { oncePer } from '../../common/once-per.ts';
import { withAt } from '../../common/property-path.ts';
import { singular } from '../../common/words.ts';
import type { Api, FlatSchema, Operation, Resource, Schema } from '../../openapi/index.ts';
import { describes } from '../../openapi/model/describes.ts';
import {
  elementOf,
  foreignTo,
  keepUndescribed,
  kindsOf,
} from '../../openapi/values/plain-schema.ts';
import { isState, saysType, statesOf } from '../../openapi/values/text.ts';
import { parseExact } from '../json/exact-json.ts';
import { fits } from '../json/validator.ts';
import {
  addUnsentOf,
  createFilling,
  createNextId,
  type Filling,
  type FillingInput,
  findStatedDefault,
} from './fillings.ts';
import type { Fields } from './stored-item.ts';
import { timestampsOf, toTimestamp } from './timestamps.ts';

/** Decides what becomes of one property when an item is written. */
export type FieldPolicy = {
  /**
   * Whether a sent value is kept, or ignored as the service alone sets it, or never stored. What names
   * an object is kept, and else stays.
   */
  sent: 'kept' | 'named' | 'ignored' | 'dropped';
  /** Converts a sent value to what the schema describes; `before` is the earlier value. */
  convert(value: unknown, given: FillingInput, before: unknown): unknown;
  /** The value if none is sent; undefined where the property is left out. */
  unsent?: Filling | undefined;
};

/** The policies of the properties of an object, by their names. */
export type FieldPolicies = ReadonlyMap<string, FieldPolicy>;

/** Names the ways in which an item is written. */
export type ItemEvent = 'create' | 'replace' | 'patch';

/** Says which properties the calls of an operation set. */
export type SettingOperation = Pick<Operation, 'path' | 'body' | 'otherBody' | 'parameters'>;

/**
 * Decides what becomes of the properties of an item that an operation writes. A body sets what its
 * schema describes, if anything, and what its examples show; nothing that is `readOnly`. Query
 * parameters set the properties that they name. An operation without a body makes all properties. A
 * patch that omits a required property is a mistake, and nothing is added.
 */
export function policiesOfItem(
  document: Api,
  resource: Resource,
  operation: SettingOperation,
  event: ItemEvent,
): FieldPolicies {
  const { schemas } = document;
  const { idProperty, item } = resource;
  const body = schemas.describeSchema(schemas.bodySchemaOf(operation) ?? {});
  const isMade = !operation.body && !operation.otherBody;
  const isSet = createIsSet(document, operation, body);
  const times = timestampsOf(document)(resource).filter(({ isOfService }) => isOfService);
  const references = new Set(resource.references?.map(({ property }) => property));
  const added =
    addsOfElements(document)
      .get(resource.name)
      ?.map(({ part }) => part) ?? [];
  return toPolicies(document, { ...item, sentAs: body.properties }, (name, schema) => {
    if (name === idProperty) return { isFixed: false };
    const stated = (Object.hasOwn(body.properties, name) ? body.properties[name] : schema) ?? {};
    const time = times.find(({ property }) => property === name);
    const isFixed = time !== undefined || !isSet(name) || schemas.isMarked(stated, 'readOnly');
    if (time && (time.of === 'update' || event === 'create'))
      return { isFixed, unsent: { as: 'now', make: ({ now }) => toTimestamp(now, time.form) } };
    const takesDefault = !time && event !== 'patch';
    const byDefault =
      takesDefault && (findStatedDefault(document, stated) ?? findStatedDefault(document, schema));
    if (byDefault) return { isFixed, unsent: byDefault };
    const isSetAtOnce = isMade || (isFixed && isOfNew(document, name, schema));
    const isNeeded = item.required.includes(name) || (event === 'create' && isSetAtOnce);
    if (!isNeeded || (event === 'patch' && !isFixed)) return { isFixed };
    const isUnsent = (isMade || isFixed) && !references.has(name);
    // A list to which other calls add is empty at first.
    if (added.includes(name) && fits(document, schema, []))
      return { isFixed, unsent: { as: 'constant', make: () => [] } };
    return { isFixed, unsent: createFilling(document, [name, schema], { isUnsent }) };
  });
}

/** The operations that add elements to lists in items, by the names of the collections. */
const addsOfElements = oncePer(({ operations }: Api) =>
  Map.groupBy(
    operations.filter(({ method, part }) => method === 'POST' && part !== undefined),
    ({ actsOn }) => actsOn,
  ),
);

/** Creates a test whether a body or a query may set a property. */
function createIsSet(
  document: Api,
  { parameters, body: described, otherBody }: SettingOperation,
  body: FlatSchema & { schema: Schema },
): (name: string) => boolean {
  const { properties, required, schema } = body;
  const isOpen = Object.keys(properties).length === 0;
  const asked = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  // What an example of a body has, bodies may have, whatever their schema leaves out.
  const examples = [schema.example, ...Object.values(described?.examples ?? {})];
  const shown = examples.filter(isObject).flatMap(Object.keys);
  const others = [...(described?.variants ?? []), ...(otherBody?.contents ?? [])];
  const otherwise = others.flatMap((one) =>
    Object.keys(document.schemas.describeSchema(one.schema ?? {}).properties),
  );
  const names = new Set([...asked, ...shown, ...otherwise, ...required]);
  return (name) => isOpen || names.has(name) || describes(body, name);
}

/**
 * Whether a service sets an optional property of new items: a state, a secret that clients need, or what
 * is the same of all, such as the type of the object.
 */
function isOfNew(document: Api, name: string, node: Schema): boolean {
  const schema = document.schemas.resolve(node);
  const { enum: values, type } = schema;
  if (Array.isArray(values) && values.length === 1 && values[0] !== null) return true;
  if (saysType(schema)) return true;
  if (isState(name)) return values !== undefined || statesOf(name, schema).length > 0;
  return /(secret|token)$/i.test(name) && [type].flat().includes('string');
}

/**
 * The policies of the objects that a schema describes, which set all but what is `readOnly`, unless it
 * names the object.
 */
const policiesOfSchema = oncePer((document: Api) =>
  oncePer((node: Schema) => {
    const { schema, ...object } = document.schemas.describeSchema(node);
    const kinds = kindsOf([node], document.schemas.describeSchema);
    const policies = toPolicies(document, object, (name, own) => {
      const isFixed = document.schemas.isMarked(own, 'readOnly');
      const isNeeded = isFixed && object.required.includes(name);
      const isStored = isNeeded && !document.schemas.isMarked(own, 'writeOnly');
      const isNamed = isFixed && namesOfObjects.includes(name);
      if (!isStored) return { isFixed, isNamed, unsent: findStatedDefault(document, own) };
      return { isFixed, isNamed, unsent: createFilling(document, [name, own], { isUnsent: true }) };
    });
    return { policies, kinds, schema };
  }),
);

function toPolicies(
  document: Api,
  { properties, sentAs = {} }: FlatSchema & { sentAs?: FlatSchema['properties'] },
  decide: (
    name: string,
    schema: Schema,
  ) => { isFixed: boolean; isNamed?: boolean; unsent?: Filling | undefined },
): FieldPolicies {
  const entries = Object.entries(properties).map(([name, schema]): [string, FieldPolicy] => {
    const { isFixed, isNamed, unsent } = decide(name, schema);
    const isDropped = document.schemas.isMarked(schema, 'writeOnly');
    const isSet = isDropped ? 'dropped' : 'kept';
    const sent = isNamed ? 'named' : isFixed ? 'ignored' : isSet;
    return [name, { sent, convert: createConvert(document, [name, schema], sentAs[name]), unsent }];
  });
  return new Map(entries);
}

/** Returns the fields of an object as its policies have them; `keeps` says which others stay. */
export function applyPolicies(
  policies: FieldPolicies,
  given: FillingInput,
  { before, keeps }: { before?: unknown; keeps?: (name: string) => boolean } = {},
): Record<string, unknown> {
  const old: Fields = isObject(before) ? before : {};
  const applied: Record<string, unknown> = {};
  for (const name in given.fields) {
    const value = given.fields[name];
    const policy = policies.get(name);
    if (policy && isKept(policy)) define(applied, name, policy.convert(value, given, old[name]));
    else if (!policy && (!keeps || keeps(name))) define(applied, name, value);
  }
  for (const [name, policy] of policies) {
    const { sent, unsent } = policy;
    const stays = sent === 'ignored' || sent === 'named';
    if (isKept(policy) && (Object.hasOwn(applied, name) || (!unsent && !stays))) continue;
    // An object that was there before lacks what it lacks.
    const isLeft = unsent?.as === 'default' && !keeps && isObject(before);
    if (unsent?.as === 'now') define(applied, name, unsent.make(given));
    else if (stays && Object.hasOwn(old, name)) define(applied, name, old[name]);
    // An object by default gets the defaults of its parts, as a sent one does.
    else if (unsent?.as === 'default' && !isLeft)
      define(applied, name, policy.convert(unsent.make(given), given, undefined));
    else if (unsent && !isLeft) define(applied, name, unsent.make(given));
  }
  return applied;
}

function isKept({ sent }: FieldPolicy): boolean {
  return sent === 'kept' || sent === 'named';
}

/** Lists properties that identify an object of an item, where a body or a path gives one value. */
export const namesOfObjects = 'id gid guid uid uuid key code slug name login username'.split(' ');

/** Two objects of a list may have the same value, so that it names none of them. */
const idsOfObjects = [...namesOfObjects, 'value'];

/** Creates the conversion of a sent value to what the schema of a property describes. */
export function createConvert(
  document: Api,
  [name, schema]: readonly [name: string, schema: Schema],
  sent: Schema = schema,
): FieldPolicy['convert'] {
  const { schemas } = document;
  const { properties } = schemas.describeSchema(schema);
  const isNamed = [name, ...idsOfObjects].some((id) => Object.hasOwn(properties, id));
  const types = schemas.allTypesOf(schema);
  const takesTexts = types.length === 0 || types.includes('string');
  // A number is a text only where the body and the answer differ.
  const isText = takesTexts && !schemas.shareType(schema, sent);
  const isObjectAlone =
    types.includes('object') && types.every((one) => one === 'object' || one === 'null');
  // An object of a list is named by what is called as one of them, too.
  const converterOf = oncePer((one: Schema) => createConvert(document, [singular(name), one]));
  return (value, given, before) => {
    if (typeof value !== 'object') {
      const isOther = typeof value === 'string' ? !takesTexts : isText;
      const typed = isOther ? toTyped(document, schema, value) : value;
      const own = isNamed
        ? toNamedObject(document, [name, schema], { value, given, before })
        : typed;
      if (!isObjectAlone || isObject(own)) return own;
      return isObject(before) ? before : createFilling(document, [name, schema]).make(given);
    }
    if (value === null || !isObject(schema)) return value;
    if (!Array.isArray(value)) {
      const { policies, kinds } = policiesOfSchema(document)(schema);
      const fields = value as Fields;
      const known = isAlike(fields, before) ? before : undefined;
      const applied = applyPolicies(policies, { ...given, fields }, { before: known });
      if (kinds.length > 1) {
        for (const name of foreignTo(kinds, fields, before)) delete applied[name];
        keepUndescribed(kinds, fields, applied);
      }
      return applied;
    }
    const { schema: list } = policiesOfSchema(document)(schema);
    const old: unknown[] = Array.isArray(before) ? before : [];
    const alike = value.map(createFindAlike(old));
    const others = new Set(alike);
    const nextId = createNextId(document, [old, value]);
    return value.map((one, index) => {
      const isOther = others.has(old[index]);
      const known = alike[index] ?? (isOther ? undefined : old[index]);
      const element = elementOf(list, index);
      const convert = element && converterOf(element);
      const own = { ...given, seed: given.seed + index };
      const made = convert ? convert(one, own, known) : one;
      const sentAs = elementOf(policiesOfSchema(document)(sent).schema, index);
      if (!element || !sentAs || !isObject(one) || !isObject(made)) return made;
      const addUnsent = addUnsentOf(document)(element)(sentAs);
      return addUnsent(one, made, { own, nextId, known: isObject(known) ? known : undefined });
    });
  };
}

/** Whether what names two objects is the same; `byDefault` where nothing names both. */
function isAlike(one: unknown, other: unknown, byDefault = true): boolean {
  if (!isObject(one) || !isObject(other)) return byDefault;
  const both = namesOfObjects.find(
    (name) => Object.hasOwn(one, name) && Object.hasOwn(other, name),
  );
  return both === undefined ? byDefault : isSame(one[both], other[both]);
}

/** Creates a search for the object of a list with the same name as another one. */
function createFindAlike(list: readonly unknown[]): (one: unknown) => unknown {
  const keysOf = (one: unknown) =>
    isObject(one)
      ? namesOfObjects.filter((name) => Object.hasOwn(one, name)).map((name) => [name, one[name]])
      : [];
  const found = new Map(
    list.toReversed().flatMap((one) => keysOf(one).map((key) => [toJson(key), one] as const)),
  );
  return (one) =>
    keysOf(one)
      .map((key) => found.get(toJson(key)))
      .find((other) => isAlike(one, other, false));
}

/** Returns the conversion of values that no property holds, such as elements of lists. */
export const convertersOf = oncePer((document: Api) =>
  oncePer((schema: Schema) => createConvert(document, ['', schema])),
);

/** The object that a body gives the id of: the one that was there, or one that is made. */
function toNamedObject(
  document: Api,
  [name, schema]: readonly [string, Schema],
  { value, given, before }: { value: unknown; given: FillingInput; before: unknown },
): unknown {
  const { properties } = document.schemas.describeShown(schema);
  const ids = [name, ...idsOfObjects];
  const id = ids.find((one) => properties[one] && fits(document, properties[one], value));
  if (id === undefined || fits(document, schema, value)) return value;
  if (isObject(before) && before[id] === value) return before;
  const made = createFilling(document, [name, schema]).make({ ...given, fields: {} });
  return isObject(made) ? withAt(made, id, value) : value;
}

/**
 * A text as its schema has it, where that is JSON, a number as the text that it has, and one value as
 * the list of it: forms, and bodies that are described otherwise than answers, send such values.
 */
function toTyped(document: Api, schema: Schema, value: unknown): unknown {
  const isFit = (one: unknown) => fits(document, schema, one);
  if (isFit(value)) return value;
  try {
    const typed = typeof value === 'string' ? parseExact(value) : String(value);
    if (isFit(typed)) return typed;
  } catch {}
  return isFit([value]) ? [value] : value;
}
