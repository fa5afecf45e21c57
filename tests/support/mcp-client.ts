import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { onTestFinished } from 'vitest';
import { projectFile } from './twin.ts';

/** An agent: what a client of MCP can do, and what a tool answers as text. */
export type Agent = { client: Client; ask: Ask; refused: Ask };

type Ask = (tool: string, args?: Record<string, unknown>) => Promise<string>;

/** Connects to the MCP of a twin over HTTP, until the test ends. */
export function connectHttp(root: string, headers: Record<string, string> = {}): Promise<Agent> {
  const url = new URL(`${root}/__admin/mcp`);
  return connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }) as Transport);
}

/** Runs `petstore-twin mcp` until the test ends; `onError` is told what it says to people. */
export function connectStdio(
  args: readonly string[],
  onError: (text: string) => void = () => {},
): Promise<Agent> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [projectFile('package/bin.ts'), 'mcp', ...args],
    stderr: 'pipe',
  });
  transport.stderr?.on('data', (chunk) => onError(String(chunk)));
  return connect(transport);
}

async function connect(transport: Transport): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call = (isRefused: boolean): Ask => {
    return async (name, args = {}) => {
      const { content, isError = false } = await client.callTool({ name, arguments: args });
      const [{ text }] = content as [{ text: string }];
      if (isError !== isRefused) throw new Error(`${name} answered: ${text}`);
      return text;
    };
  };
  return { client, ask: call(false), refused: call(true) };
}
