import { Writable } from 'node:stream';
import type { Environment } from '../../common/cli/create-command.ts';
import { showPage } from '../../common/cli/help-pages.ts';
import { text } from '../../common/cli/option-kinds.ts';
import { describeFlags, readOptions, toHelpLines } from '../../common/cli/read-options.ts';
import { readVersion } from '../../common/cli/read-version.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { print, say } from '../../common/look/print.ts';
import { type Api, compile } from '../../openapi/index.ts';
import { createMcpServer, loadSdk } from '../extras/mcp/server.ts';
import { send, ToolError, type TwinClient } from '../extras/mcp/twin-client.ts';
import { reachable } from '../listener.ts';
import { createLog } from '../log.ts';
import { flags, parseConfig } from '../settings/config.ts';
import type { Config } from '../settings/settings.ts';
import { openTwin } from '../twin.ts';

/** The options that reach a mock which runs already. */
const urlTable = {
  url: text({ value: 'URL', help: 'speak for the mock that runs there, or for a sandbox of it' }),
  adminToken: text({ value: 'TOKEN', help: 'the token of its admin' }),
};

const toHelpText = (
  command: string,
) => `petstore-twin mcp: lets agents ask and control a mock (MCP over standard input and output)

Usage: ${command} [--spec FILE] [options of the mock]
       ${command} --url URL [--admin-token TOKEN]

Without --url it starts a mock on a free port, unless --port is given. docs/mcp.md shows how to set it up.

Options:
${toHelpLines(urlTable)}

Options of the mock that it starts:
${describeFlags(flags)}
`;

/** A twin that is reached, and how to let go of it. */
type TwinConnection = { client: TwinClient; close: () => Promise<void> };

/**
 * Serves MCP on standard input and output until the input ends. Gives the exit code: 0, or 2 if it
 * cannot run.
 */
export async function serveMcp(
  args: readonly string[],
  { env, command }: { env: Environment; command: string },
): Promise<number> {
  try {
    const open = readArguments(args, env);
    if (typeof open === 'function') await serveUntilEnd(open);
    else print(open === 'help' ? toHelpText(command) : `${readVersion()}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    say('mcp', error.message);
    showPage('mcp', error);
    return 2;
  }
}

function readArguments(
  args: readonly string[],
  env: Environment,
): 'help' | 'version' | (() => Promise<TwinConnection>) {
  if (!args.some((one) => one === '--url' || one.startsWith('--url='))) {
    const { config, apis, print: asked } = parseConfig(args, env, { port: '0' });
    if (apis)
      throw new UsageError(
        'mcp starts a mock of one API. Start one of several with petstore-twin mock, whose /NAME/__admin/mcp speaks for each.',
      );
    return config ? () => start(config) : asked;
  }
  const options = readOptions(args, urlTable);
  if (options === 'help') return options;
  const { url = '', adminToken = env.TWIN_ADMIN_TOKEN } = options.values;
  return async () => ({ client: reach(url, adminToken), close: async () => {} });
}

async function serveUntilEnd(open: () => Promise<TwinConnection>): Promise<void> {
  const sdk = await loadSdk();
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  // Only messages belong to standard output, and code of behaviours may print, too.
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  process.stderr.on('error', () => {});
  const { client, close } = await open();
  const server = createMcpServer(sdk, client);
  const ended = new Promise((resolve) => {
    for (const event of ['end', 'close'] as const) process.stdin.once(event, resolve);
    // A client that is gone reads no answer.
    process.stdout.on('error', resolve);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });
  const out = new Writable({ write: (chunk, _, done) => void write(chunk, () => done()) });
  await server.connect(new StdioServerTransport(process.stdin, out));
  say('mcp', `speaks for ${client.root}`);
  await ended;
  await server.close();
  await close();
}

/** Starts a twin in this process. Throws {@link UsageError}. */
async function start(config: Config): Promise<TwinConnection> {
  const twin = await openTwin(config, { log: createLog(config.logLevel) });
  const client: TwinClient = {
    root: reachable(twin.origin),
    fetch: twin.fetch,
    adminToken: config.adminToken,
    secrets: new Map(twin.keys.map(({ name, key }) => [name, key])),
    document: async () => twin.document,
    isLocal: true,
    memory: {},
  };
  return { client, close: twin.close };
}

/** Reaches a twin that runs elsewhere, by its origin or the base URL of its API. */
function reach(url: string, adminToken: string | undefined): TwinClient {
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new UsageError(`--url must be a URL such as http://127.0.0.1:4010, but is "${url}".`);
  const { origin, pathname } = new URL(url);
  // A process of several APIs has each below its name.
  const places = [/^(?:\/sandboxes\/[^/]+)?/, /^\/[^/]+(?:\/sandboxes\/[^/]+)?/];
  const roots = places.map((place) => origin + (place.exec(pathname)?.[0] ?? ''));
  const [root = origin] = roots;
  let read: { text: string; document: Api } | undefined;
  const client: TwinClient = {
    root,
    fetch,
    adminToken,
    secrets: new Map(),
    async document() {
      const ask = (at: string) => send({ ...client, root: at }, '/__docs/openapi.json', {});
      let response = await ask(client.root);
      for (const at of roots) {
        if (response.ok) break;
        response = await ask(at);
        if (response.ok) client.root = at;
      }
      if (!response.ok)
        throw new ToolError(
          `${root} shows no document: start a mock there, or correct --url. One of several APIs is below its name, as in ${root}/NAME.`,
        );
      const text = await response.text();
      // It may be another one, of a mock that follows its files.
      if (read?.text !== text) read = { text, document: compile(JSON.parse(text)) };
      return read.document;
    },
    isLocal: true,
    memory: {},
  };
  return client;
}
