import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readArguments } from '../read-arguments.ts';
import type { CorpusDocument } from './find-documents.ts';

/**
 * Writes what is made of documents to a page of the docs, or shows it of those that are named
 * instead.
 */
export async function writePage({
  usage,
  page,
  findDocuments,
  make,
}: {
  usage: string;
  /** The page's file, from the project's folder. */
  page: string;
  /** The documents of the page. */
  findDocuments: () => readonly CorpusDocument[];
  make: (documents: readonly CorpusDocument[], isPage: boolean) => Promise<string>;
}): Promise<void> {
  const { files } = readArguments(usage, {}, process.argv.slice(2), true);
  if (files.length > 0)
    process.stdout.write(
      await make(
        files.map((file) => ({ file, name: file })),
        false,
      ),
    );
  else
    await writeFile(
      fileURLToPath(new URL(`../../${page}`, import.meta.url)),
      await make(findDocuments(), true),
    );
}
