import type { Api } from '../openapi/index.ts';

/** The paths of pages below the root of the reference, by what they show. */
export type PagePaths = {
  operations: ReadonlyMap<string, string>;
  schemas: ReadonlyMap<string, string>;
};

/**
 * Gives each operation and schema of a document a page of its own. A document is not trusted,
 * so a name of a file holds letters, digits, `-` and `_` alone, and no two differ by case only.
 */
export function toPagePaths({ operations, asOpenApi }: Api): PagePaths {
  const schemas = asOpenApi().components?.schemas ?? {};
  return {
    operations: toPaths(
      'operations',
      operations.map(({ id }) => id),
    ),
    schemas: toPaths('schemas', Object.keys(schemas)),
  };
}

function toPaths(folder: string, names: readonly string[]): Map<string, string> {
  const taken = new Set<string>();
  return new Map(names.map((name) => [name, `${folder}/${toFree(toFileName(name), taken)}.html`]));
}

function toFileName(name: string): string {
  const plain = name
    .replace(/[^\w-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80);
  return plain === '' ? '-' : plain;
}

function toFree(name: string, taken: Set<string>): string {
  let free = name;
  for (let count = 2; taken.has(free.toLowerCase()); count++) free = `${name}-${count}`;
  taken.add(free.toLowerCase());
  return free;
}
