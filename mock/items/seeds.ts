import type { ApiDocument, Resource, Schema } from '../../contracts/description/document.ts';
import { describeShown } from '../../contracts/description/marks.ts';
import { generateItems, type Item } from '../../fixtures/generate.ts';
import { toText } from '../json/byte-text.ts';
import { parseExact } from '../json/exact-json.ts';
import { oncePer } from '../json/once-per.ts';
import type { CompileSchema, Problem } from '../json/validator.ts';
import type { Collections, Contents } from '../state/store.ts';
import { toItemId } from './item-ids.ts';
import { linkSeeds, parentsFirst, toSeedScopes } from './nested-seeds.ts';
import { toStoredItem } from './stored-item.ts';

/**
 * Makes the initial items of each collection of a document: its named items first, then generated
 * ones.
 */
export type MakeSeeds = (settings: { seed: number; pets: number }) => Promise<Collections>;

/** The named items of resources, as JSON text by the name of the resource. */
export type NamedItems = Readonly<Record<string, string>>;

/** Leaves named items out where another document describes other items under the same name. */
export function createMakeSeeds(
  document: ApiDocument,
  namedItems: NamedItems,
  compileSchema: CompileSchema,
): MakeSeeds {
  const toContents = (resource: Resource, settings: { seed: number; pets: number }): Contents => {
    const text = namedItems[resource.name] ?? '[]';
    const fits = text !== '[]' && !findMisfits(text, resource, compileSchema);
    const named = (fits ? (parseExact(text).value as Item[]) : []).slice(0, settings.pets);
    const count = settings.pets - named.length;
    const generated = generate(document, resource, { count, seed: settings.seed });
    const items = [
      ...named.map((item) => toStoredItem(resource, item)),
      ...generated.map((item, index) =>
        toStoredItem(resource, item, toItemId(named.length + index + 1, resource.idSchema)),
      ),
    ];
    return { items, next: items.length + 1 };
  };
  const toNested: MakeNested = (resource, { seed, pets }, made) => {
    const scopes = toSeedScopes(document, resource, made).slice(0, pets);
    const generated = generate(document, resource, { count: scopes.length, seed });
    const items = generated.map((item, index) =>
      toStoredItem(resource, { ...item, ...scopes[index] }, toItemId(index + 1, resource.idSchema)),
    );
    return { items, next: items.length + 1 };
  };
  return async (settings) => {
    const made: Record<string, Contents> = {};
    for (const resource of parentsFirst(document.resources))
      made[resource.name] = resource.scope
        ? toNested(resource, settings, made)
        : toContents(resource, settings);
    const linked = document.resources.map(({ name }) => [name, made[name] as Contents] as const);
    return linkSeeds(document, Object.fromEntries(linked));
  };
}

type MakeNested = (
  resource: Resource,
  settings: { seed: number; pets: number },
  made: Collections,
) => Contents;

function generate(
  document: ApiDocument,
  resource: Resource,
  settings: { count: number; seed: number },
): Item[] {
  try {
    return generateItems(resource, {
      ...settings,
      describe: (schema) => describeShown(document, schema),
    });
  } catch {
    // Not every schema can be met; who made the seeds says that there are none.
    return [];
  }
}

const schemaOfItems = oncePer(
  (item: Resource['item']): Schema => ({ type: 'array', items: { type: 'object', ...item } }),
);

/** Where a JSON text of items does not fit their resource, or undefined where it does. */
export function findMisfits(
  text: string,
  { item }: Resource,
  compileSchema: CompileSchema,
): Problem[] | undefined {
  return compileSchema(schemaOfItems(item), 'writeOnly')(parseExact(text).doubles, text.length);
}

/**
 * The collections whose generated items do not match the document, with what is wrong with the last.
 * Of collections with the same items, those of one are held against their schema: a validator of
 * many schemas takes seconds to compile.
 */
export function findMisfitSeeds(
  { resources }: ApiDocument,
  seeds: Collections,
  compileSchema: CompileSchema,
): { name: string; problems: Problem[] }[] {
  const numberOf = createNumberOf();
  const alike = Map.groupBy(resources, ({ item: { properties, required } }) =>
    JSON.stringify([
      Object.entries(properties).map(([name, one]) => [name, numberOf(one)]),
      required,
    ]),
  );
  return [...alike.values()].flatMap((group) => {
    const made = group.find(({ name }) => (seeds[name]?.items.length ?? 0) > 0);
    const last = made && seeds[made.name]?.items.at(-1);
    const problems = last && findMisfits(`[${toText(last.json)}]`, made, compileSchema);
    return problems ? group.map(({ name }) => ({ name, problems })) : [];
  });
}

/** Numbers schemas, the same object with the same number. */
function createNumberOf(): (schema: Schema) => number {
  const numbers = new Map<Schema, number>();
  return (schema) => {
    const number = numbers.get(schema) ?? numbers.size;
    numbers.set(schema, number);
    return number;
  };
}

/** The names of the collections whose seeds differ after a change. */
export function findChangedSeeds(before: Collections, after: Collections): string[] {
  const textOf = (contents?: Contents) => contents?.items.map(({ json }) => json).join();
  return Object.keys(after).filter(
    (name) => before[name] !== after[name] && textOf(before[name]) !== textOf(after[name]),
  );
}
