import { type ApiDocument, describeSchema, type Resource } from '../contracts/document.ts';
import { generateItems, type Item, readNamedItems } from '../fixtures/generate.ts';
import { idOf, toStoredItem } from './behaviours/stored-item.ts';
import { parseExact } from './http/exact-json.ts';
import type { CompileSchema } from './http/validator.ts';
import type { Contents } from './state/store.ts';

/** Makes what each collection of a document begins with: its named items first, then generated ones. */
export type MakeSeeds = (settings: { seed: number; pets: number }) => Promise<Record<string, Contents>>;

export function createMakeSeeds(document: ApiDocument, compileSchema: CompileSchema): MakeSeeds {
  return async ({ seed, pets }) => {
    const seeds: Record<string, Contents> = {};
    for (const resource of document.resources) {
      const named = (await readFittingItems(resource, compileSchema)).slice(0, pets);
      const generated = generateItems(resource, {
        count: pets - named.length,
        seed,
        describe: (schema) => describeSchema(document, schema),
      });
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

/** The named items of a resource; none where another document describes other items under the same name. */
async function readFittingItems(resource: Resource, compileSchema: CompileSchema): Promise<Item[]> {
  const { value, doubles } = parseExact(await readNamedItems(resource.name));
  const problems = compileSchema({ type: 'array', items: { type: 'object', ...resource.item } })(doubles);
  return problems ? [] : (value as Item[]);
}
