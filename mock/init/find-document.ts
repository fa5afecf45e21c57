import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { UsageError } from '../../common/cli/usage-error.ts';
import { print } from '../../common/look/print.ts';
import { toVisible } from '../../common/look/visible.ts';

/** How much of a file is read to tell whether it is a document, in bytes. */
const beginning = 65_536;

const isDocument = /(?:^|[{,]\s*)["']?(?:openapi|swagger)["']?\s*:\s*["']?[23]\b/m;
const withoutDocuments = /^(?:\.|node_modules$|dist$|build$|coverage$)/;

/**
 * Finds the document of a project, in a folder or the folders in it. Of several, asks a person at a
 * terminal. Throws {@link UsageError}.
 */
export async function findDocument(folder: string): Promise<string> {
  const own = readdirSync(folder, { withFileTypes: true });
  const inner = own.filter((one) => one.isDirectory() && !withoutDocuments.test(one.name));
  const listed = ['', ...inner.map(({ name }) => name)].flatMap((place) =>
    readdirSync(join(folder, place)).map((name) => join(place, name)),
  );
  const found = listed.filter(
    (name) => /\.(?:ya?ml|json)$/i.test(name) && isDocument.test(readBeginning(join(folder, name))),
  );
  const [only] = found;
  if (only === undefined)
    throw new UsageError(
      'There is no OpenAPI document in this folder or the folders in it. Name one: init openapi.yaml, or its URL.',
    );
  if (found.length === 1) return only;
  const chosen = process.stdin.isTTY && process.stdout.isTTY ? await choose(found) : undefined;
  if (chosen === undefined)
    throw new UsageError(`There are several documents: ${found.join(', ')}. Name one of them.`);
  return chosen;
}

function readBeginning(file: string): string {
  try {
    const opened = openSync(file, 'r');
    const bytes = Buffer.alloc(beginning);
    const length = readSync(opened, bytes, 0, beginning, 0);
    closeSync(opened);
    return bytes.toString('utf8', 0, length);
  } catch {
    return '';
  }
}

async function choose(found: readonly string[]): Promise<string | undefined> {
  const lines = found.map((name, index) => `  ${index + 1}  ${toVisible(name)}\n`).join('');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // Rejects with Ctrl-C and Ctrl-D, which choose none.
  const answer = await terminal.question(`${lines}Which document? `).catch(() => {
    print('\n');
    return '';
  });
  terminal.close();
  return found[Number(answer) - 1];
}
