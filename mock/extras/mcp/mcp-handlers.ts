import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { UsageError } from '../../../common/cli/usage-error.ts';
import type { Api } from '../../../openapi/index.ts';
import type { Fetch } from '../../http/in-process.ts';
import { localsOf } from '../../http/locals.ts';
import type { ApiKey } from '../../limits/plans.ts';
import type { AdminHandlers } from '../admin/admin.ts';
import { refuse } from '../admin/refusal.ts';
import { createMcpServer, loadSdk } from './server.ts';
import type { TwinClient } from './twin-client.ts';

type McpOptions = {
  document: Api;
  keys: readonly ApiKey[];
  /** Whether the server listens on loopback alone. */
  loopback: boolean;
  adminToken?: string;
  fetch: Fetch;
  /** The API's own name, and the origin of its process, if that serves several. */
  siblings?: { api: string; origin: () => string };
};

/**
 * Answers agents over streamable HTTP, without sessions: each request has a server of its own. `load`
 * imports the SDK.
 */
export function createMcpHandlers(
  { document, keys, loopback, adminToken, fetch, siblings }: McpOptions,
  load = loadSdk,
): AdminHandlers {
  const memory: TwinClient['memory'] = {};
  const secrets = new Map(keys.map(({ name, key }) => [name, key]));
  return {
    async callMcp({ body, response }) {
      const request = response.req;
      const sdk = await load().catch((error) => {
        if (!(error instanceof UsageError)) throw error;
        return refuse('not_installed', error.message);
      });
      const http = await import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js');
      const origin = `${request.protocol}://${request.get('host')}`;
      const { sandboxName, prefix } = localsOf(response);
      const api = origin + prefix.replace(/\/sandboxes\/[^/]+$/, '');
      // In the process, a path alone names an API, also one that was called at a port of its own.
      const inside = siblings ? `${siblings.origin()}/${siblings.api}` : api;
      const server = createMcpServer(sdk, {
        root: sandboxName === undefined ? api : `${api}/sandboxes/${sandboxName}`,
        fetch: (url, init) => fetch(inside + String(url).slice(api.length), init),
        adminToken,
        secrets,
        document: async () => document,
        isLocal: loopback,
        memory,
      });
      const transport = new http.WebStandardStreamableHTTPServerTransport({
        enableJsonResponse: true,
      });
      response.once('close', () => server.close());
      await server.connect(transport as Transport);
      const version = request.get('mcp-protocol-version');
      const answer = await transport.handleRequest(
        new Request(`${origin}/__admin/mcp`, {
          method: 'POST',
          headers: {
            Accept: 'application/json, text/event-stream',
            'Content-Type': 'application/json',
            ...(version !== undefined && { 'Mcp-Protocol-Version': version }),
          },
        }),
        { parsedBody: body },
      );
      return { status: answer.status, text: await answer.text(), mediaType: 'application/json' };
    },
  };
}
