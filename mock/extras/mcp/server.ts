import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { readVersion } from '../../../common/cli/read-version.ts';
import { UsageError } from '../../../common/cli/usage-error.ts';
import { stringifyExact } from '../../../common/json.ts';
import type { Schema } from '../../../openapi/index.ts';
import { toDocumentYaml } from '../../../reference/document-files.ts';
import { compilerOf, toSentences } from '../../json/validator.ts';
import { changeTools } from './change-tools.ts';
import { describeOperation } from './describe-operation.ts';
import { readTools } from './read-tools.ts';
import { suiteTools } from './suite-tools.ts';
import tools from './tools.json' with { type: 'json' };
import { findOperation, ToolError, type Tools, type TwinClient } from './twin-client.ts';

const runs: Tools = { ...readTools, ...changeTools, ...suiteTools };

const instructions =
  'A mock of an API, with the reason for each of its responses. Begin with describe_api. Clients call the URL that it shows; why explains their failed calls. Tests set up their case with data, set_response, break_it and time, and end with data {"action":"reset"}.';

const importSdk = async () => ({
  ...(await import('@modelcontextprotocol/sdk/server/mcp.js')),
  types: await import('@modelcontextprotocol/sdk/types.js'),
});

type Sdk = Awaited<ReturnType<typeof importSdk>>;

/** Imports the optional package. Throws {@link UsageError} if it is not installed. */
export async function loadSdk(load = importSdk): Promise<Sdk> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(
      'MCP needs the package @modelcontextprotocol/sdk. Install it with: npm install --save-dev @modelcontextprotocol/sdk',
    );
  }
}

/** Creates a server for one client of MCP. */
export function createMcpServer({ McpServer, types }: Sdk, client: TwinClient): McpServer {
  const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {} };
  const info = { name: 'petstore-twin', version: readVersion() };
  const mcp = new McpServer(info, { capabilities, instructions });
  const { server } = mcp;
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(types.CallToolRequestSchema, async ({ params }, { signal }) =>
    callTool(client, params, signal),
  );
  server.setRequestHandler(types.ListResourcesRequestSchema, () => ({
    resources: [
      { uri: 'twin://document', name: 'document', title: 'The document', mimeType: 'text/yaml' },
      { uri: 'twin://report', name: 'report', title: 'The last report of verify' },
    ],
  }));
  server.setRequestHandler(types.ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [
      {
        uriTemplate: 'twin://operations/{operation}',
        name: 'operation',
        title: 'The reference of an operation',
      },
    ],
  }));
  server.setRequestHandler(types.ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const text = await readResource(client, uri);
    const mimeType = uri === 'twin://document' ? 'text/yaml' : 'text/plain';
    return { contents: [{ uri, mimeType, text }] };
  });
  server.setRequestHandler(types.CompleteRequestSchema, async ({ params: { argument } }) => {
    const { operations } = await client.document();
    const values = operations.map(({ id }) => id).filter((id) => id.startsWith(argument.value));
    return { completion: { values: values.slice(0, 100), total: values.length } };
  });
  server.setRequestHandler(types.ListPromptsRequestSchema, () => ({
    prompts: Object.entries(prompts).map(([name, { title, argument }]) => ({
      name,
      title,
      arguments: [argument],
    })),
  }));
  server.setRequestHandler(types.GetPromptRequestSchema, ({ params }) => {
    const prompt = prompts[params.name];
    if (!prompt) throw new ToolError(`There is no prompt "${params.name}".`);
    const text = prompt.write(params.arguments?.[prompt.argument.name]);
    return { messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
  return mcp;
}

type AskedTool = { name: string; arguments?: Record<string, unknown> | undefined };

async function callTool(
  client: TwinClient,
  { name, arguments: args = {} }: AskedTool,
  signal: AbortSignal,
) {
  const answer = (text: string, isError = false) => ({
    content: [{ type: 'text' as const, text }],
    ...(isError && { isError }),
  });
  const [tool, run] = [tools.find((one) => one.name === name), runs[name]];
  if (!tool || !run)
    return answer(
      `There is no tool "${name}", only ${tools.map((one) => one.name).join(', ')}.`,
      true,
    );
  try {
    const validate = compilerOf(await client.document())(tool.inputSchema as Schema);
    const problems = validate(args, stringifyExact(args).length);
    return problems ? answer(toSentences(problems), true) : answer(await run(client, args, signal));
  } catch (error) {
    if (error instanceof ToolError || error instanceof UsageError)
      return answer(error.message, true);
    throw error;
  }
}

async function readResource(client: TwinClient, uri: string): Promise<string> {
  const document = await client.document();
  if (uri === 'twin://document') return toDocumentYaml(document.exact.asOpenApi());
  if (uri === 'twin://report') return client.memory.report ?? 'Nothing was verified yet.';
  const id = /^twin:\/\/operations\/(.+)$/.exec(uri)?.[1];
  if (id === undefined) throw new ToolError(`There is no resource ${uri}.`);
  return describeOperation(client, findOperation(document, decodeURIComponent(id)));
}

type Prompt = {
  title: string;
  argument: { name: string; description: string };
  write: (given: string | undefined) => string;
};

const prompts: Readonly<Record<string, Prompt>> = {
  write_test: {
    title: 'Write a test for this call',
    argument: { name: 'operation', description: 'The id of the operation.' },
    write: (operation = 'the operation that my code calls') =>
      `Write a test of my client for ${operation}. Look at describe_api, also with this operation, and try its example with call_operation. Set up each case through the mock: what is stored with data, refusals with set_response or break_it, expiry and limits with time. Test a success, an error that the document describes, and a 429 or 503 that the client survives. Let the test call the URL of describe_api, and reset with data {"action":"reset"} or POST /__admin/reset. Run it, and look up what fails with why.`,
  },
  why_4xx: {
    title: 'Find out why my client got a 4xx',
    argument: { name: 'call', description: 'The call or its status, if known.' },
    write: (call = 'a call of my client') =>
      `Find out why ${call} was refused. List failed calls with why, look at the whole exchange with its "id", and compare it with describe_api of its operation. Try the corrected call with call_operation. Then correct my client, and say in two sentences what was wrong.`,
  },
};
