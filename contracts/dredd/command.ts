import { parseArgs, styleText } from 'node:util';
import { parseBaseUrl } from '../cli/base-url.ts';
import { explainConnection } from '../cli/explain-connection.ts';
import { isLoopback } from '../cli/is-loopback.ts';
import { toUsageError, UsageError } from '../cli/usage-error.ts';
import {
  type ApiDocument,
  builtInDocument,
  DocumentError,
  loadDocument,
} from '../description/document.ts';
import { print, say } from '../look/print.ts';
import { toVisible } from '../look/visible.ts';
import { ReplayError, replay } from './replay.ts';
import { createTerminal } from './terminal.ts';

const toHelpText = (
  command: string,
) => `petstore-twin dredd: replays the examples of the OpenAPI document against a deployment, with Dredd

Usage: ${command} URL --key KEY [options]

  URL               base URL of the deployment, e.g. http://127.0.0.1:4010/v1
  --key KEY         API key to call with; plan=KEY works too
  --allow-writes    create items on a target beyond loopback
  --spec FILE       OpenAPI or Swagger document, a file or its URL (default: the built-in one)
  --allow-refs DIR  folder that the document's $refs may lead to beside its own
  --timeout MS      maximum wait for a response (default 10000)
  --help, -h        show this help

passed     the response is the documented one
failed     it differs where the interface states something
different  it differs where the interface states nothing
skipped    it was not tried; the reason follows

Exit codes: 0 nothing failed, 1 something did, 2 could not run.
`;

/**
 * Runs the command and gives its exit code: 0 nothing failed, 1 something did, 2 it could not run.
 */
export async function runCommand(
  args: readonly string[],
  { command }: { command: string },
): Promise<0 | 1 | 2> {
  try {
    return await run(args, command);
  } catch (error) {
    const known = [UsageError, TargetError, DocumentError, ReplayError].some(
      (kind) => error instanceof kind,
    );
    if (!known) throw error;
    say('dredd', (error as Error).message);
    return 2;
  }
}

async function run(args: readonly string[], command: string): Promise<0 | 1 | 2> {
  const { values, positionals } = readArguments(args);
  if (values.help) {
    print(toHelpText(command));
    return 0;
  }
  const document = await loadDocument(values.spec ?? builtInDocument, {
    allowRefs: values['allow-refs'],
  });
  const key = values.key?.replace(
    new RegExp(`^(${Object.keys(document.plans).map(RegExp.escape).join('|')})=`),
    '',
  );
  const [address, ...rest] = positionals;
  if (address === undefined || rest.length > 0)
    throw new UsageError('Name one target, e.g. http://127.0.0.1:4010/v1. See --help.');
  const url = parseBaseUrl(address, document);
  if (!key && document.operations.some(({ secured }) => secured))
    throw new UsageError('A key is needed. Give one with --key.');
  if (key && !/^[\x21-\x7e]+$/.test(key))
    throw new UsageError('The key must be visible ASCII characters without spaces.');
  const timeout = Number(values.timeout ?? 10_000);
  if (!Number.isInteger(timeout) || timeout < 1)
    throw new UsageError('--timeout must be a whole number of milliseconds above 0.');
  await probe(document, { url, key, timeout });

  const { stdout } = process;
  const bold = styleText('bold', toVisible(`${document.title} ${document.version}`), {
    stream: stdout,
  });
  const terminal = createTerminal(stdout, {
    operations: document.operations.map(({ id }) => id),
    secret: key,
  });
  const writes = values['allow-writes'] === true || isLoopback(url);
  const progress = {
    ...terminal,
    onStart(total: number) {
      print(`Dredd replays ${bold} against ${url}\n\n`);
      terminal.onStart(total);
    },
  };
  terminal.onEnd(await replay(document, { url, key, writes, timeout }, progress));
  if (terminal.counts.failed > 0) return 1;
  if (terminal.counts.passed > 0) return 0;
  say('dredd', 'Nothing passed or failed, so nothing is known about the target.');
  return 2;
}

function readArguments(args: readonly string[]) {
  const options = {
    key: { type: 'string' },
    'allow-writes': { type: 'boolean' },
    spec: { type: 'string' },
    'allow-refs': { type: 'string' },
    timeout: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw toUsageError(error as Error, Object.keys(options));
  }
}

/** The replay could not begin; the message says what happened and what to do. */
class TargetError extends Error {}

/**
 * Makes one call, to learn whether the target is there and takes the key. Throws {@link
 * TargetError}.
 */
export async function probe(
  { operations }: ApiDocument,
  { url, key, timeout }: { url: string; key: string | undefined; timeout: number },
): Promise<void> {
  const operation = operations.find(
    ({ method, secured, parameters }) =>
      method === 'GET' && secured && !parameters.some(({ required }) => required),
  );
  const headers = operation && key !== undefined ? { Authorization: `Bearer ${key}` } : undefined;
  let response: Response;
  try {
    response = await fetch(url + (operation?.path ?? '/'), {
      ...(headers && { headers }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    });
    await response.body?.cancel();
  } catch (error) {
    throw new TargetError(`${url} cannot be reached: ${problemOf(error as Error, timeout)}.`);
  }
  if (!operation) return;
  if (response.status === 401 || response.status === 403)
    throw new TargetError(
      `${url} refuses the key: ${operation.id} answers ${response.status}. Give a working one with --key.`,
    );
  if (response.status === 429) {
    const seconds = /^\d+$/.exec(response.headers.get('retry-after') ?? '');
    const when = seconds ? `in ${seconds} s` : 'later';
    throw new TargetError(
      `The key has used up its quota: ${operation.id} answers 429. Try again ${when}.`,
    );
  }
}

function problemOf({ name, message, cause }: Error & { cause?: unknown }, timeout: number): string {
  if (name === 'TimeoutError')
    return `no answer within ${timeout} ms; try --timeout ${timeout * 4}`;
  const { code, message: reason } = (cause ?? {}) as NodeJS.ErrnoException;
  return explainConnection(code ?? reason ?? message);
}
