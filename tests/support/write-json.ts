import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';

/** Writes a JSON file that ends with the test, and gives its path. */
export function writeJson(content: unknown): Promise<string> {
  return writeText(JSON.stringify(content));
}

/** Writes a file that ends with the test, and gives its path. */
export async function writeText(text: string, name = 'file.json'): Promise<string> {
  const folder = makeFolder();
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}
