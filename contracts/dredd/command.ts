import { styleText } from 'node:util';
import { builtInDocument } from '../../common/built-in-document.ts';
import { createCommand } from '../../common/cli/create-command.ts';
import { text, toggle, wholeNumber } from '../../common/cli/option-kinds.ts';
import { type OptionsOf, type OptionTable, toHelpLines } from '../../common/cli/read-options.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { say } from '../../common/look/print.ts';
import { toVisible } from '../../common/look/visible.ts';
import { compile } from '../../openapi/index.ts';
import { isSecured } from '../../openapi/model/security.ts';
import { isLoopback, parseBaseUrl } from '../base-url.ts';
import { replay } from './replay.ts';
import { createTerminal } from './terminal.ts';

const table = {
  key: text({ value: 'KEY', help: 'API key to call with; plan=KEY works too' }),
  allowWrites: toggle('create items on a target beyond loopback'),
  spec: text({
    value: 'FILE',
    help: 'OpenAPI or Swagger document, a file or its URL (default: the built-in one)',
  }),
  allowRefs: text({
    value: 'DIR',
    help: "another folder that the document's $refs may reach",
  }),
  timeout: wholeNumber({
    value: 'MS',
    help: 'maximum wait for a response',
    min: 1,
    default: 10_000,
    unit: 'milliseconds',
  }),
} satisfies OptionTable;

const toHelpText = (
  command: string,
) => `petstore-twin dredd: replays the examples of the OpenAPI document against a deployment, with Dredd

Usage: ${command} URL --key KEY [options]

URL is the base URL of the deployment, e.g. http://127.0.0.1:4010/v1.

Options:
${toHelpLines(table)}

passed     the response is the documented one
failed     it differs where the interface states something
different  it differs where the interface states nothing
skipped    it was not tried; the reason follows

Exit codes: 0 nothing failed, 1 something did, 2 could not run.
`;

/**
 * Runs the command and gives its exit code: 0 nothing failed, 1 something did, 2 it could not run.
 */
export const runCommand = createCommand({
  name: 'dredd',
  table,
  toHelpText,
  takesFiles: true,
  run: (options, { files }) => run(files, options),
});

async function run(
  [address, ...rest]: readonly string[],
  { key: given, allowWrites, spec, allowRefs, timeout }: OptionsOf<typeof table>,
): Promise<0 | 1 | 2> {
  const document = await compile(spec ?? builtInDocument, { allowRefs });
  if (address === undefined || rest.length > 0)
    throw new UsageError('Name one target, e.g. http://127.0.0.1:4010/v1. See --help.');
  const url = parseBaseUrl(address, document);
  const plans = Object.keys(document.plans).map(RegExp.escape).join('|');
  const key = given?.replace(new RegExp(`^(${plans})=`), '');
  if (!key && document.operations.some(isSecured))
    throw new UsageError('A key is needed. Give one with --key.');
  if (key && !/^[\x21-\x7e]+$/.test(key))
    throw new UsageError('The key must be visible ASCII characters without spaces.');

  const { stdout } = process;
  const title = toVisible(`${document.title} ${document.version}`);
  const terminal = createTerminal(stdout, {
    heading: `Dredd replays ${styleText('bold', title, { stream: stdout })} against ${url}`,
    operations: document.operations.map(({ id }) => id),
    secret: key,
  });
  const writes = allowWrites || isLoopback(url);
  terminal.onEnd(await replay(document, { url, key, writes, timeout }, terminal));
  if (terminal.counts.failed > 0) return 1;
  if (terminal.counts.passed > 0) return 0;
  say('dredd', 'Nothing passed or failed, so nothing is known about the target.');
  return 2;
}
