import { setImmediate } from 'node:timers/promises';
import { stringifyExact } from '../../common/json.ts';
import { oncePer } from '../../common/once-per.ts';
import { valueAt, withAll, withAt } from '../../common/property-path.ts';
import type { Api, DescribeSchema, Item, Resource, Schema } from '../../openapi/index.ts';
import { placementsOf } from '../../openapi/model/placements.ts';
import { generateItems, generateNamed } from '../../openapi/values/generate.ts';
import { kindsOf, toPlainSchemas } from '../../openapi/values/plain-schema.ts';
import { parseExact, toIdText, toText } from '../json/exact-json.ts';
import { type CompileSchema, type Problem, toSentences } from '../json/validator.ts';
import type { MakeSeeds } from '../sandboxes/open-sandboxes.ts';
import { maxSeedBytes, toMegabytes } from '../state/budget.ts';
import { scopeValuesOf } from '../state/scopes.ts';
import {
  areMade,
  type Collections,
  type Contents,
  lateContents,
  OutOfRoomError,
  type StoredItem,
} from '../state/store.ts';
import { withoutChildren } from './child-lists.ts';
import { holdersOf, linkHeld } from './held-items.ts';
import { itemRulesOf } from './item-rules.ts';
import { rulesOfSeeds, withRules } from './member-rules.ts';
import { nextOf, numbersOf, otherIds } from './seed-numbers.ts';
import { itemsEach, parentNameOf, toSeedScopes, toViewScopes } from './seed-scopes.ts';
import { shownBelow, shownItemsOf } from './shown-items.ts';
import { type Fields, fieldsOf, keyInScopes, toItemId, toStoredItem } from './stored-item.ts';
import { timestampsOf, withSeedTimes } from './timestamps.ts';

/** The named items of resources, as JSON text by the name of the resource. */
export type NamedItems = Readonly<Record<string, string>>;

/** Leaves named items out where another document describes other items under the same name. */
export function createMakeSeeds(
  document: Api,
  namedItems: NamedItems,
  compileSchema: CompileSchema,
): MakeSeeds {
  const namedOf = (resource: Resource): Item[] => {
    // The items that a document shows go before those that are named for a service of another.
    const isShown = document.clauses.length === 0 && shownItemsOf(document, resource).length > 0;
    const text = isShown ? '[]' : (namedItems[resource.name] ?? '[]');
    const fits = text !== '[]' && !findMisfits(text, resource, compileSchema);
    return fits ? (parseExact(text) as Item[]) : [];
  };
  const sorted = parentsFirst(document.resources);
  return async ({ seed, items: max, maxBytes }) => {
    const most = maxBytes ?? maxSeedBytes();
    const made: Record<string, Contents> = {};
    let bytes = 0;
    const make = (resource: Resource, above: Contents | undefined): Contents => {
      const linked = made[resource.linksTo ?? '']?.items;
      const { scope, path } = resource;
      const below = scope ? shownBelow(document, resource, above) : [];
      const atLeast = 1 + below.findLastIndex((items) => items !== undefined);
      const places = scope && toSeedScopes(document, resource, { scope, path, atLeast }, above);
      // Nothing is below an item but what an example shows there.
      const isLeft = (_: unknown, index: number) => !below[Math.floor(index / itemsEach)];
      const scopes = places?.filter(isLeft).slice(0, max);
      const named = scopes || resource.freeIds ? [] : namedOf(resource).slice(0, max);
      const mayShow = !scopes && !linked && named.length === 0;
      const { toValid } = itemRulesOf(document)(resource);
      const shown = mayShow
        ? shownItemsOf(document, resource).slice(0, max)
        : below.flatMap((items = [], index) =>
            items.map((item) =>
              toValid(withAll(item, places?.[index * itemsEach] ?? {}), index + 1),
            ),
          );
      const taken = shown.map((item) => toIdText(valueAt(item, resource.idProperty)));
      const count = scopes?.length ?? max - named.length - shown.length;
      const probe = generate(document, resource, { count: Math.min(count, maxProbed), seed });
      bytes += (count * bytesOfMade(probe)) / Math.max(1, probe.length);
      if (bytes > most)
        throw new OutOfRoomError(
          `${count.toLocaleString('en')} items of ${resource.name}, with those of other collections, take ${toMegabytes(bytes)}, and may take ${toMegabytes(most)}. Begin with fewer items (--items, or "items" of x-twin), or give Node more with --max-old-space-size.`,
        );
      const free = count > probe.length ? generate(document, resource, { count, seed }) : probe;
      const views = [scopes ?? [], ...toViewScopes(document, resource, made)];
      const generated = free.map((item, index) =>
        views.reduce<Item>((one, all) => withAll(one, all[index % all.length] ?? {}), item),
      );
      if (linked) return { items: toLinks(document, { resource, items: linked, scopes }), next: 1 };
      const items = [
        ...named.map((item) => toStoredItem(resource, item)),
        ...shown.map((item) => withoutChildren(document, resource, toStoredItem(resource, item))),
        ...toItems(document, resource, { generated, first: named.length + 1, taken }),
      ];
      const next =
        named.length > 0 ? items.length + 1 : nextOf(resource, items.length - shown.length, taken);
      return { items, next };
    };
    for (const resource of sorted) {
      const above = made[parentNameOf(resource) ?? ''];
      made[resource.name] = lateContents(() => make(resource, above));
    }
    // Where room is short, and of many items, whether there is room for all is told at once.
    if (max > maxProbed || maxBytes !== undefined)
      for (const { name } of sorted) {
        // Those of hundreds of collections take seconds, and a twin may be serving meanwhile.
        if (made[name]?.next) await setImmediate();
      }
    const linked = document.resources.map(({ name }) => [name, made[name] as Contents] as const);
    return linkSeeds(document, Object.fromEntries(linked));
  };
}

/** Estimates the memory of items while they are made, in bytes: each a value, a text, and its place. */
function bytesOfMade(items: readonly Item[]): number {
  return items.reduce((sum, item) => sum + 256 + 2 * stringifyExact(item).length, 0);
}

function generate(
  document: Api,
  resource: Resource,
  settings: { count: number; seed: number },
): Item[] {
  const describe = document.schemas.describeShown;
  // Paths that name items by another property than the id need its value.
  const keys = placementsOf(resource).flatMap(({ key }) => key ?? []);
  const make = (one: Resource['item']): Item[] => {
    const item = keys.length > 0 ? { ...one, required: [...one.required, ...keys] } : one;
    try {
      return generateItems({ ...resource, item }, { ...settings, describe });
    } catch {
      // Not every schema can be met; who made the seeds says that there are none.
      return [];
    }
  };
  const answered = document.schemas.answeredItems(resource);
  const kinds = kindsOf(answered, describe);
  const each = kinds.length < 2 ? [] : kinds.map(make).filter((items) => items.length > 0);
  if (each.length === 0) return make(withConstants(resource.item, answered, describe));
  // What is of one kind may be of another one too, so that it fits no choice of exactly one.
  const { isValid } = itemRulesOf(document)(resource);
  const id = toItemId(1, resource.idSchema);
  const valid = each.filter(([first = {}]) => isValid(withAt(first, resource.idProperty, id)));
  const chosen = valid.length > 0 ? valid : each;
  return Array.from(
    { length: settings.count },
    (_, index) => chosen[index % chosen.length]?.[index] as Item,
  );
}

/** Puts the constants of the one kind that items are of into their schema, such as its name. */
function withConstants(
  item: Resource['item'],
  answered: readonly Schema[],
  describe: DescribeSchema,
): Resource['item'] {
  const ways = answered.map((one) => toPlainSchemas(one, describe));
  const [only] = ways.find(({ length }) => length === 1) ?? [];
  const constants = Object.entries(only?.properties ?? {}).filter(([, one]) => 'const' in one);
  return { ...item, properties: { ...item.properties, ...Object.fromEntries(constants) } };
}

/** The number of items that are validated before a collection counts as valid. */
const maxProbed = 200;

/** The items that generated fields become, from the `first` number on, valid in each answer. */
function toItems(
  document: Api,
  resource: Resource,
  {
    generated,
    first,
    taken,
  }: { generated: readonly Item[]; first: number; taken: readonly string[] },
): StoredItem[] {
  const { toValid } = itemRulesOf(document)(resource);
  const timestamps = timestampsOf(document)(resource);
  const distinct = createDistinct(document, resource);
  const shownIds = first === 1 ? otherIds(resource, generated.length, taken) : [];
  const numbers = numbersOf(resource, { first, count: generated.length, taken });
  const rules = rulesOfSeeds(resource);
  let mustMend = false;
  return generated.map((made, index) => {
    const n = first + index;
    const item = distinct ? distinct(made, n) : made;
    const id = shownIds[index] ?? toItemId(numbers[index] ?? n, resource.idSchema);
    const timed = timestamps.length > 0 ? withSeedTimes(timestamps, item, n) : item;
    const fields = withAt(timed, resource.idProperty, id);
    const valid = mustMend || index < maxProbed ? toValid(fields, n, true) : fields;
    mustMend ||= valid !== fields;
    const ruled = rules
      ? withRules(valid, rules, { resource, scope: { item: valid, now: 0 } })
      : valid;
    const own = toStoredItem(resource, document.exact.of?.(ruled) ?? ruled, id);
    return withoutChildren(document, resource, own);
  });
}

const schemaOfItems = oncePer(
  (item: Resource['item']): Schema => ({ type: 'array', items: { type: 'object', ...item } }),
);

/** Returns the problems of items as JSON text; undefined if all fit their resource. */
export function findMisfits(
  text: string,
  { item }: Resource,
  compileSchema: CompileSchema,
): Problem[] | undefined {
  return compileSchema(schemaOfItems(item), 'writeOnly')(parseExact(text), text.length);
}

/** Returns seeds that report, at the first use of a collection, if its items are missing or do not fit. */
export function withReports(
  document: Api,
  seeds: Collections,
  { count, report }: { count: number; report: (problem: string) => void },
): Collections {
  const entries = document.resources.map((resource) => {
    const { name } = resource;
    const contents = lateContents(() => {
      const made = seeds[name] ?? { items: [], next: 1 };
      const last = made.items.at(-1);
      const problems = last && itemRulesOf(document)(resource).findProblems(toText(last.json));
      if (problems)
        report(
          `The items generated for ${name} do not match their schema. ${toSentences(problems)}`,
        );
      if (!last && count > 0)
        report(`No items can be made for ${name} by its schema, so it begins without any.`);
      return made;
    });
    return [name, contents] as const;
  });
  return Object.fromEntries(entries);
}

/** The names of the collections whose seeds differ after a change. */
export function findChangedSeeds(before: Collections, after: Collections): string[] {
  const textOf = (contents?: Contents) => contents?.items.map(({ json }) => json).join();
  return Object.keys(after).filter(
    (name) => before[name] !== after[name] && textOf(before[name]) !== textOf(after[name]),
  );
}

/**
 * Creates a step that gives unique properties of generated items distinct values; undefined without
 * unique properties. An optional property is left out if no other value can be made.
 */
function createDistinct(
  document: Api,
  resource: Resource,
): ((item: Fields, n: number) => Fields) | undefined {
  const names = document.schemas.uniquePropertiesOf(resource);
  if (names.length === 0) return undefined;
  const { properties, required } = resource.item;
  const seen = new Set<string>();
  const isNew = (name: string, value: unknown) =>
    seen.size !== seen.add(`${name}:${stringifyExact(value ?? null)}`).size;
  return (item, n) => {
    const distinct: Record<string, unknown> = { ...item };
    for (const name of names) {
      if (!Object.hasOwn(item, name) || isNew(name, item[name])) continue;
      const describe = document.schemas.describeShown;
      const other = generateNamed(name, properties[name] ?? {}, { seed: n, describe });
      if (isNew(name, other)) distinct[name] = other;
      else if (!required.includes(name)) delete distinct[name];
    }
    return distinct;
  };
}

/** Resources in an order in which those that others are nested in come first. */
function parentsFirst(resources: readonly Resource[]): readonly Resource[] {
  const sorted = new Set<Resource>();
  const add = (resource: Resource, depth = 0): void => {
    for (const { parent } of resource.scope ?? []) {
      const above = resources.find(({ name }) => name === parent);
      if (above && above !== resource && !sorted.has(above) && depth < resources.length)
        add(above, depth + 1);
    }
    sorted.add(resource);
  };
  for (const resource of resources) add(resource);
  return [...sorted];
}

type LinkSeeds = {
  resource: Resource;
  items: readonly StoredItem[];
  scopes?: readonly Fields[] | undefined;
};

/** Returns items of another collection as those that belong to each parent, or to none. */
function toLinks(document: Api, { resource, items, scopes = items.map(() => ({})) }: LinkSeeds) {
  const { toValid } = itemRulesOf(document)(resource);
  const byKey = new Map<string, StoredItem>();
  for (const [index, members] of scopes.entries()) {
    const home = items[(resource.scope ? index % itemsEach : index) % items.length];
    if (!home) continue;
    const fields = withAll(toValid(fieldsOf(home.json), index + 1), members);
    const item = toStoredItem(resource, fields, valueAt(fields, resource.idProperty));
    const own = keyInScopes(item.id, scopeValuesOf(resource, fields));
    const key = byKey.has(item.id) ? own : item.id;
    if (!byKey.has(key)) byKey.set(key, { ...item, id: key });
  }
  return [...byKey.values()];
}

/** Items that refer to items of other collections that are there, and hold these. */
function linkSeeds(document: Api, seeds: Collections): Collections {
  const linked: Record<string, Collections[string]> = { ...seeds };
  const isMaking = new Set<string>();
  for (const resource of document.resources) {
    const { name } = resource;
    const contents = seeds[name];
    const isLinked = () => (resource.references ?? resource.held) !== undefined;
    if (!contents || (areMade(contents) && !isLinked())) continue;
    linked[name] = lateContents(() => {
      if (!isLinked()) return contents;
      isMaking.add(name);
      // Items that hold each other begin with one of them.
      const heldOf = (one: string) => (isMaking.has(one) ? seeds : linked)[one]?.items ?? [];
      const made = link(document, resource, { contents, seeds, heldOf });
      isMaking.delete(name);
      return made;
    });
  }
  return linked;
}

type Links = {
  contents: Contents;
  seeds: Collections;
  /** Returns the items of a collection that others hold. */
  heldOf: (collection: string) => readonly StoredItem[];
};

/** The items of a collection, whose references name items that are there, and who hold such. */
function link(document: Api, resource: Resource, { contents, seeds, heldOf }: Links): Contents {
  const references = (resource.references ?? []).map(({ property, collection }) => ({
    property,
    targets: seeds[collection]?.items ?? [],
    target: document.resources.find(({ name }) => name === collection),
  }));
  const holders = holdersOf(document).of(resource.name);
  const below = shownBelow(document, resource, seeds[parentNameOf(resource) ?? '']);
  const shown = [...(resource.scope ? below : [shownItemsOf(document, resource)])].flat().length;
  const items = contents.items.map((item, index) => {
    const fields: Record<string, unknown> = { ...fieldsOf(item.json) };
    const namesOne = (value: unknown, targets: readonly StoredItem[]) =>
      index < shown && targets.some(({ id }) => id === String(value));
    for (const { property, target, targets } of references)
      if (
        target &&
        targets.length > 0 &&
        Object.hasOwn(fields, property) &&
        fields[property] !== null &&
        !namesOne(fields[property], targets)
      )
        fields[property] = valueAt(
          fieldsOf((targets[index % targets.length] as StoredItem).json),
          target.idProperty,
        );
    const held = holders.reduce<Fields>(
      (one, holder) =>
        linkHeld(one, holder, { document, targets: heldOf(holder.collection), index }),
      fields,
    );
    return toStoredItem(resource, held);
  });
  return { items, next: contents.next };
}
