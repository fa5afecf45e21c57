import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

/** A document of the corpus: its file, and how the table names it. */
export type CorpusDocument = { file: string; name: string };

const packages = ['@readme/oas-examples', '@scalar/galaxy'];

/** Below the packages, what is no OpenAPI or Swagger document. */
const others = /^(test|node_modules|dist\/asyncapi)\//;

/**
 * The documents of the packages that are installed for this, in an order that stays; one that is
 * there in JSON and in YAML once.
 */
export function findDocuments(): CorpusDocument[] {
  return packages.flatMap((name) => {
    const folder = folderOf(name);
    return filesBelow(folder)
      .map((file) => ({ file, path: relative(folder, file) }))
      .filter(({ file, path }) => !others.test(path) && isDocument(file) && !isInJson(file))
      .map(({ file, path }) => ({ file, name: `${name}/${path}` }))
      .toSorted((left, right) => (left.name < right.name ? -1 : 1));
  });
}

function folderOf(name: string): string {
  const require = createRequire(import.meta.url);
  const [place] = require.resolve.paths(name) ?? [];
  const found = (require.resolve.paths(name) ?? [])
    .map((path) => join(path, name))
    .find((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory());
  if (found !== undefined) return found;
  throw new Error(`${name} is not installed beside ${dirname(place ?? '.')}: run npm install.`);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function isDocument(file: string): boolean {
  if (!/\.(json|ya?ml)$/.test(file)) return false;
  return /^\s*["']?(openapi|swagger)["']?\s*:\s*["']?\d/m.test(readFileSync(file, 'utf8'));
}

function isInJson(file: string): boolean {
  const inJson = file.replace(/\.ya?ml$/, '.json');
  const others = [inJson, inJson.replace('/yaml/', '/json/')];
  return inJson !== file && others.some((other) => existsSync(other));
}
