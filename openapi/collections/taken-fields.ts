import { oncePer } from '../../common/once-per.ts';
import { lastWordOf } from '../../common/path-template.ts';
import { singular, toNoun, toPlainName } from '../../common/words.ts';
import type { Operation } from '../model/operation.ts';
import type { Resource } from '../model/resource.ts';
import { type FlatSchema, flatten, type RawDocument, type Schema } from '../schema.ts';
import { allTypesOf, objectAlternative, shareType } from './schema-types.ts';
import { findWrappedBody, sentSchemaOf } from './success.ts';

/** The names and properties of items. */
export type Items = Pick<Resource, 'path' | 'item' | 'idProperty'>;

/** An object that a body has, or may be, and the properties of items that its members set. */
type Part = { at: readonly string[]; schema: Schema; names: ReadonlyMap<string, string> };

/** The depth to which bodies are searched for the properties of items. */
const maxDepth = 3;

/**
 * Finds where the body of an operation has the properties of items, and what they are called there:
 * in an object or a list below other members, in another case, or with the noun of the collection.
 */
export function placeFields(raw: RawDocument, operation: Operation, known: Items): void {
  const sent = sentSchemaOf(operation);
  if (!sent || operation.body?.jsonPatch) return;
  const wrapped = findWrappedBody(raw, operation);
  const whole = wrapped?.schema ?? objectAlternative(raw, sent)?.items ?? sent;
  const own = toTaken(raw, wrapped?.pointer ?? [], whole, known);
  const found = own.names.size > 0 ? own : findBelow(raw, own, known);
  if (!found) return;
  if (found !== own) operation.takenAt = found.at;
  const isRenamed = [...found.names].some(([name, target]) => name !== target);
  if (isRenamed) operation.takenAs = toTakenAs(raw, found);
}

function toTaken(raw: RawDocument, at: readonly string[], schema: Schema, known: Items): Part {
  return { at, schema, names: namesFor(raw, flatten(raw, schema), known) };
}

/** Finds the object below others of which most members set properties of items. */
function findBelow(raw: RawDocument, { at, schema }: Part, known: Items): Part | undefined {
  let level: Part[] = [{ at, schema, names: new Map() }];
  for (let depth = 0; depth < maxDepth; depth++) {
    level = level.flatMap((one) =>
      Object.entries(flatten(raw, objectAlternative(raw, one.schema)).properties)
        .filter(([name]) => !Object.hasOwn(known.item.properties, name))
        .flatMap(([name, inner]) => {
          const held = objectAlternative(raw, inner);
          if (!held) return [];
          const isList = held.items !== undefined;
          const place = [...one.at, name, ...(isList ? ['0'] : [])];
          return [toTaken(raw, place, isList ? (held.items as Schema) : inner, known)];
        }),
    );
    const sizeOf = (one: Part) => Object.keys(flatten(raw, one.schema).properties).length;
    const [best] = level
      .filter(({ names, ...one }) => names.size > sizeOf({ names, ...one }) / 2)
      .toSorted((one, other) => other.names.size - one.names.size);
    if (best) return best;
  }
  return undefined;
}

/**
 * Returns the properties of items that members of a body set, `attributes.title` where items have it
 * in an object: those of the same names or, if there is none, of names that are alike.
 */
function namesFor(raw: RawDocument, body: FlatSchema, known: Items): Map<string, string> {
  const { item } = known;
  const direct = alikeNames(raw, body, known);
  if (direct.size > 0) return direct;
  const held = Object.entries(item.properties).flatMap(([outer, schema]) => {
    const inner = flatten(raw, objectAlternative(raw, schema));
    // One name alone is too little to go by.
    if (Object.keys(inner.properties).length < 2) return [];
    const names = alikeNames(raw, body, { ...known, item: inner });
    return new Map([...names].map(([name, target]) => [name, `${outer}.${target}`]));
  });
  const [best = direct] = held.toSorted((one, other) => other.size - one.size);
  return best.size > 1 ? best : direct;
}

const wordedNamesOf = oncePer((properties: FlatSchema['properties']) =>
  Object.keys(properties).map((name) => {
    return { name, plain: toPlainName(name), ofOne: toNoun(name) };
  }),
);

const scalars: readonly unknown[] = ['string', 'integer', 'number', 'null'];

function alikeNames(raw: RawDocument, body: FlatSchema, known: Items): Map<string, string> {
  const { path, item, idProperty } = known;
  const noun = toNoun(lastWordOf(path));
  // What stands before the id of items may stand before their other ids: `acme_id`, `acme_pet_id`.
  const front = toPlainName(idProperty).replace(/id$/, '');
  const free = wordedNamesOf(item.properties).filter(
    ({ name }) => !Object.hasOwn(body.properties, name),
  );
  const isOfIds = (schema: Schema | undefined) => {
    const types = allTypesOf(raw, schema);
    return types.length > 0 && types.every((one) => scalars.includes(one));
  };
  const found = new Map<string, string>();
  const taken = new Set<string>();
  for (const [name, schema] of Object.entries(body.properties)) {
    const plain = toPlainName(name);
    const names = new Set([noun + plain, front + plain]);
    const isAlike = ({ name: target, plain: other, ofOne }: (typeof free)[number]) => {
      const isSame = plain === other && target !== idProperty;
      const isNamed = plain === noun + other || names.has(other);
      const isListed = plain === ofOne && holdsNamed(raw, target, item);
      return isSame || isListed || (isNamed && target !== idProperty && name !== 'id');
    };
    const mayBe = (one: (typeof free)[number]) => {
      const property = item.properties[one.name];
      // A text stands for a number of the same name, and a number for a text.
      const isForm = () => one.plain === plain && [schema, property].every(isOfIds);
      return shareType(raw, schema, property) || isForm();
    };
    const target = Object.hasOwn(item.properties, name)
      ? name
      : free.find((one) => isAlike(one) && mayBe(one))?.name;
    if (target === undefined || taken.has(target)) continue;
    found.set(name, target);
    taken.add(target);
  }
  return found;
}

/** Whether a property lists objects that are named by a property called as one of them. */
function holdsNamed(raw: RawDocument, name: string, { properties }: FlatSchema): boolean {
  const items = objectAlternative(raw, properties[name])?.items;
  return Object.hasOwn(flatten(raw, objectAlternative(raw, items)).properties, singular(name));
}

/** The schema of an object with the names that items have for its members. */
function toTakenAs(raw: RawDocument, { schema, names }: Part): Operation['takenAs'] {
  const { properties, required } = flatten(raw, schema);
  const named: Record<string, Schema> = {};
  for (const [name, property] of Object.entries(properties)) {
    const [outer = name, inner] = (names.get(name) ?? name).split('.');
    if (inner === undefined || names.get(name) === name) named[names.get(name) ?? name] = property;
    else {
      const before = (named[outer]?.properties ?? {}) as FlatSchema['properties'];
      named[outer] = { type: 'object', properties: { ...before, [inner]: property } };
    }
  }
  const needed = required.map((name) => names.get(name) ?? name);
  return {
    schema: {
      type: 'object',
      properties: named,
      required: needed.filter((name) => Object.hasOwn(named, name)),
    },
    names: Object.fromEntries([...names].filter(([name, target]) => name !== target)),
  };
}
