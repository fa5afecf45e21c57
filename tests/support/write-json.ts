import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Writes a JSON file that ends with the test, and gives its path. */
export function writeJson(content: unknown): Promise<string> {
  return writeText(JSON.stringify(content));
}

/** Writes a file that ends with the test, and gives its path. */
export async function writeText(text: string, name = 'file.json'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'twin-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, name);
  await writeFile(file, text);
  return file;
}
