import { parseArgs } from 'node:util';
import {
  builtInDocument,
  DocumentError,
  loadDocument,
} from '../../contracts/description/document.ts';
import { print, say } from '../../contracts/look/print.ts';
import { explain } from './explanation.ts';
import { toText } from './to-text.ts';

/** The arguments are wrong; the message says how. */
class ArgumentsError extends Error {}

const toHelpText = (
  command: string,
) => `petstore-twin explain: says what the mock makes of an OpenAPI document

Usage: ${command} [FILE] [options]

  FILE              OpenAPI or Swagger document, a file or its URL (default: the built-in one)
  --spec FILE       the same as FILE, as other commands take it
  --overlay FILE    OpenAPI Overlay that corrects the document; several, separated by commas
  --allow-refs DIR  folder that the document's $refs may lead to beside its own
  --strict-spec     refuse a document with a part that cannot be used, instead of leaving it out
  --json            the same as JSON, for programs
  --help, -h        show this help

It shows the collections that the mock stores, with what identifies their items and which parameters
have an effect, and for every other operation what answers it and why it keeps no state. Where that
is wrong, correct it with an overlay; see docs/other-documents.md.

Exit codes: 0 explained, 2 could not be read.
`;

/** Runs the command and gives its exit code: 0 where the document is explained, 2 where it cannot be. */
export async function runCommand(
  args: readonly string[],
  { command }: { command: string },
): Promise<0 | 2> {
  try {
    const { values, file } = readArguments(args);
    if (values.help) {
      print(toHelpText(command));
      return 0;
    }
    const document = await loadDocument(file ?? builtInDocument, {
      overlay: values.overlay,
      allowRefs: values['allow-refs'],
      isStrict: values['strict-spec'] ?? false,
    });
    const explanation = explain(document);
    if (values.json) process.stdout.write(`${JSON.stringify(explanation, null, 2)}\n`);
    else print(toText(explanation));
    return 0;
  } catch (error) {
    const isKnown = error instanceof ArgumentsError || error instanceof DocumentError;
    if (!isKnown) throw error;
    say('explain', error.message);
    return 2;
  }
}

const options = {
  spec: { type: 'string', multiple: true },
  overlay: { type: 'string' },
  'allow-refs': { type: 'string' },
  'strict-spec': { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

function readArguments(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [file, second] = [...(values.spec ?? []), ...positionals];
    if (second !== undefined)
      throw new ArgumentsError(
        `One document is explained at a time, but ${second} is a second one.`,
      );
    return { values, file };
  } catch (error) {
    if (error instanceof ArgumentsError) throw error;
    const [sentence = ''] = (error as Error).message.split(/\. (?=To )|\n/);
    throw new ArgumentsError(`${sentence.replace(/\.$/, '')}. See --help.`);
  }
}
