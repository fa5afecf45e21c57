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
    help: 'same as FILE',
  }),
  overlay: text({
    value: 'FILE',
    help: 'OpenAPI Overlay that corrects the document; several, separated by commas',
  }),
  allowRefs: text({
    value: 'DIR',
    help: "another folder that the document's $refs may reach",
  }),
  behaviours: text({
    value: 'FILE',
    help: 'behaviours of your own (see docs/behaviours.md)',
  }),
  strictSpec: {
    ...toggle('refuse a document with an invalid part instead of ignoring that part'),
  },
  json: toggle('print the explanation as JSON'),
} satisfies OptionTable;

const toHelpText = (
  command: string,
) => `petstore-twin explain: shows how the mock interprets an OpenAPI document

Usage: ${command} [FILE] [options]

FILE is an OpenAPI or Swagger document, a file or its URL (default: the built-in one).

Options:
${toHelpLines(table)}

It shows the collections that the mock stores, the ids of their items and the parameters with an effect. For every
other operation it shows the source of the response and why the operation is stateless. An overlay corrects mistakes;
see docs/other-documents.md.

Exit codes: 0 explained, 2 the document could not be read.
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
  const { readBehaviours } = await import('../extras/behaviours/read-behaviours.ts');
  return readBehaviours({ document, file, files: new Set(), given: undefined, before: undefined });
}
