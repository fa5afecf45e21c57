import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, delimiter, join } from 'node:path';
import { createCommand } from '../../common/cli/create-command.ts';
import { text } from '../../common/cli/option-kinds.ts';
import { ensureWritable } from '../../common/cli/output-file.ts';
import { type OptionsOf, type OptionTable, toHelpLines } from '../../common/cli/read-options.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { print } from '../../common/look/print.ts';
import { toVisible } from '../../common/look/visible.ts';
import { runOptions } from '../command/options.ts';
import { reportWarnings } from '../command/report-warnings.ts';
import { readDocument } from '../document/read-document.ts';

/** The parts of openapi-typescript 7 that are used. */
type Generator = {
  default: (document: never, options: { silent: boolean }) => Promise<unknown[]>;
  astToString: (tree: never) => string;
};

const table = {
  spec: runOptions.spec,
  overlay: runOptions.overlay,
  allowRefs: runOptions.allowRefs,
  strictSpec: runOptions.strictSpec,
  out: text({ value: 'FILE', help: 'file to write, such as api.d.ts (default: standard output)' }),
} satisfies OptionTable;

const toHelpText = (
  command: string,
) => `petstore-twin types: writes the TypeScript types of an OpenAPI document

Usage: ${command} [--spec FILE] [--out FILE] [options]

Options:
${toHelpLines(table)}

The types are those of openapi-typescript 7, of the document as the mock serves it: also of Swagger
2.0, and with overlays. It must be installed; where it is missing, the command says how.

Exit codes: 0 written, 2 could not be written.
`;

/**
 * The command, which gives 0 where the types are written and 2 where they cannot be. `load` imports
 * openapi-typescript.
 */
export const createTypesCommand = (load: () => Promise<Generator> = loadInstalled) =>
  createCommand({
    name: 'types',
    table,
    toHelpText,
    example: '--spec FILE',
    run: async (options) => {
      await writeTypes(options, load);
      return 0;
    },
  });

async function writeTypes(
  { out, ...given }: OptionsOf<typeof table>,
  load: () => Promise<Generator>,
): Promise<void> {
  if (out !== undefined) await ensureWritable('--out', out);
  const document = await readDocument(given);
  reportWarnings('types', document);
  const { default: generate, astToString } = await load();
  const tree = await generate(document.asOpenApi() as never, { silent: true }).catch(
    (error: Error) => {
      throw new UsageError(`${document.file} has no types in openapi-typescript: ${error.message}`);
    },
  );
  const about = toVisible(`${document.title} ${document.version}`);
  const types = `// Types of ${about}, written by "petstore-twin types".\n\n${astToString(tree as never)}`;
  if (out === undefined) {
    process.stdout.write(types);
    return;
  }
  await writeFile(out, types);
  print(`${toVisible(`Wrote the types of ${about} to ${out}.`)}\n`);
}

/** Loads it from beside this package, or from where `npx --package` has put it. */
async function loadInstalled(): Promise<Generator> {
  const found = await import('openapi-typescript' as string).catch(() => undefined);
  if (found) return found;
  const folders = (process.env.PATH ?? '').split(delimiter);
  for (const folder of folders.filter((one) => basename(one) === '.bin'))
    try {
      return createRequire(join(folder, 'any.js'))('openapi-typescript');
    } catch {
      // The next one may have it.
    }
  throw new UsageError(
    'Types need the package openapi-typescript, with TypeScript 5. Run "npm install --save-dev openapi-typescript", or in a project with a later TypeScript "npx --package openapi-typescript petstore-twin types ...".',
  );
}
