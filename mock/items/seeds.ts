import {
  type ApiDocument,
  DocumentError,
  describeSchema,
  type Resource,
} from '../../contracts/description/document.ts';
import { generateItems, type Item } from '../../fixtures/generate.ts';
import { toText } from '../json/byte-text.ts';
import { parseExact } from '../json/exact-json.ts';
import type { CompileSchema, Problem } from '../json/validator.ts';
import type { Collections, Contents } from '../state/store.ts';
import { idOf, toStoredItem } from './stored-item.ts';

/**
 * Makes what each collection of a document begins with: its named items first, then generated ones.
 */
export type MakeSeeds = (settings: {
  seed: number;
  pets: number;
}) => Promise<Record<string, Contents>>;

/** The named items of resources, as JSON text by the name of the resource. */
export type NamedItems = Readonly<Record<string, string>>;

export function createMakeSeeds(
  document: ApiDocument,
  namedItems: NamedItems,
  compileSchema: CompileSchema,
): MakeSeeds {
  return async ({ seed, pets }) => {
    const seeds: Record<string, Contents> = {};
    for (const resource of document.resources) {
      const named = parseFittingItems(
        namedItems[resource.name] ?? '[]',
        resource,
        compileSchema,
      ).slice(0, pets);
      const generated = generate(document, resource, { count: pets - named.length, seed });
      const items = [
        ...named,
        ...generated.map((item, index) => ({
          ...item,
          [resource.idProperty]: idOf(named.length + index + 1, resource.idSchema),
        })),
      ].map((item) => toStoredItem(resource, item));
      seeds[resource.name] = { items, next: items.length + 1 };
    }
    return seeds;
  };
}

function generate(
  document: ApiDocument,
  resource: Resource,
  settings: { count: number; seed: number },
): Item[] {
  try {
    return generateItems(resource, {
      ...settings,
      describe: (schema) => describeSchema(document, schema),
    });
  } catch (error) {
    throw new DocumentError(
      `No items can be made for ${resource.path} by its schema: ${(error as Error).message}`,
    );
  }
}

/**
 * The named items of a resource; none where another document describes other items under the same
 * name.
 */
function parseFittingItems(text: string, resource: Resource, compileSchema: CompileSchema): Item[] {
  return misfitsOf(text, resource, compileSchema) ? [] : (parseExact(text).value as Item[]);
}

/** Says where the text of named items does not fit their resource, or undefined where it does. */
export function misfitsOf(
  text: string,
  { item }: Resource,
  compileSchema: CompileSchema,
): Problem[] | undefined {
  return compileSchema({ type: 'array', items: { type: 'object', ...item } })(
    parseExact(text).doubles,
    text.length,
  );
}

/**
 * The collections whose made items do not fit the document, with what is wrong with the last of
 * them.
 */
export function misfitSeeds(
  { resources }: ApiDocument,
  seeds: Collections,
  compileSchema: CompileSchema,
): { name: string; problems: Problem[] }[] {
  return resources.flatMap((resource) => {
    const last = seeds[resource.name]?.items.at(-1);
    const problems = last && misfitsOf(`[${toText(last.json)}]`, resource, compileSchema);
    return problems ? [{ name: resource.name, problems }] : [];
  });
}

/** The names of the collections whose seeds differ. */
export function differingSeeds(one: Collections, other: Collections): string[] {
  const textOf = (contents?: Contents) => contents?.items.map(({ json }) => json).join();
  return Object.keys(other).filter((name) => textOf(one[name]) !== textOf(other[name]));
}
