import { builtInDocument } from '../../common/built-in-document.ts';
import { createCommand } from '../../common/cli/create-command.ts';
import { list, text, toggle } from '../../common/cli/option-kinds.ts';
import { type OptionTable, toHelpLines } from '../../common/cli/read-options.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { print } from '../../common/look/print.ts';
import { type Api, compile } from '../../openapi/index.ts';
import { explain } from './explanation.ts';
import { toText } from './to-text.ts';

/** Every option of the command, in the order of the help. */
const table = {
  spec: list({
    value: 'FILE',
    help: 'the same as FILE, as other commands take it',
  }),
  overlay: text({
    value: 'FILE',
    help: 'OpenAPI Overlay that corrects the document; several, separated by commas',
  }),
  allowRefs: text({
    value: 'DIR',
    help: "folder that the document's $refs may lead to beside its own",
  }),
  behaviours: text({
    value: 'FILE',
    help: 'behaviours of your own, as the mock takes them (see docs/behaviours.md)',
  }),
  strictSpec: {
    ...toggle('refuse a document with a part that cannot be used, instead of leaving it out'),
  },
  json: toggle('the same as JSON, for programs'),
} satisfies OptionTable;

const toHelpText = (
  command: string,
) => `petstore-twin explain: says what the mock makes of an OpenAPI document

Usage: ${command} [FILE] [options]

FILE is an OpenAPI or Swagger document, a file or its URL (default: the built-in one).

Options:
${toHelpLines(table)}

It shows the collections that the mock stores, with what identifies their items and which parameters
have an effect, and for every other operation what answers it and why it keeps no state. Where that
is wrong, correct it with an overlay; see docs/other-documents.md.

Exit codes: 0 explained, 2 could not be read.
`;

/** Runs the command and gives its exit code: 0 where the document is explained, 2 where it cannot be. */
export const runCommand = createCommand({
  name: 'explain',
  table,
  toHelpText,
  takesFiles: true,
  async run({ spec, overlay, allowRefs, behaviours, strictSpec: isStrict, json }, { files }) {
    const [file = builtInDocument, second] = [...spec, ...files];
    if (second !== undefined)
      throw new UsageError(`One document is explained at a time, but ${second} is a second one.`);
    const document = await compile(file, { overlay, allowRefs, isStrict });
    const explanation = explain(document, await readOwn(document, behaviours));
    if (json) process.stdout.write(`${JSON.stringify(explanation, null, 2)}\n`);
    else print(toText(explanation));
    return 0;
  },
});

async function readOwn(document: Api, file: string | undefined) {
  if (file === undefined) return undefined;
  const { readBehaviours } = await import('../extras/late-behaviours.ts');
  return readBehaviours({ document, file, files: new Set(), given: undefined, before: undefined });
}
