import { didYouMean } from '../../../common/cli/nearest-name.ts';
import { parseJson, stringifyExact } from '../../../common/json.ts';
import { messageOf } from '../../../common/look/visible.ts';
import type { Api, Operation } from '../../../openapi/index.ts';
import type { Fetch } from '../../http/in-process.ts';

/** The way of the tools to one API of a twin: its admin and its calls. */
export type TwinClient = {
  /** The origin, with the sandbox if there is one: `http://127.0.0.1:4010/sandboxes/ci`. */
  root: string;
  fetch: Fetch;
  adminToken?: string | undefined;
  /** The keys whose text is known here, by name. */
  secrets: ReadonlyMap<string, string>;
  document: () => Promise<Api>;
  /** Whether only this machine can call the tools. */
  isLocal: boolean;
  /** The last report of `verify`. */
  memory: { report?: string };
};

/** Answers a call of a tool with text; its arguments fit the schema in `tools.json`. */
// biome-ignore lint/suspicious/noExplicitAny: the schema says more than a type could.
export type RunTool = (client: TwinClient, args: any, signal: AbortSignal) => Promise<string>;

/** Functions of tools, by the names in `tools.json`. */
export type Tools = Readonly<Record<string, RunTool>>;

/** Says in a sentence why a tool gives no answer. */
export class ToolError extends Error {}

/** Calls the admin, and returns what it answers. Throws {@link ToolError}. */
export async function callAdmin<T>(
  client: TwinClient,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const response = await send(client, `/__admin/${path}`, {
    method,
    headers: {
      ...(client.adminToken !== undefined && { Authorization: `Bearer ${client.adminToken}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    body: body === undefined ? null : stringifyExact(body),
  });
  const text = await response.text();
  const content = parseJson(text) as { message?: string } | undefined;
  if (response.ok) return content as T;
  throw new ToolError(
    content?.message ??
      `${client.root} is no twin: it answered /__admin/${path} with ${response.status}.`,
  );
}

/** Sends a request to the twin, as `fetch` does. Throws {@link ToolError} if no twin is there. */
export async function send(client: TwinClient, path: string, init: RequestInit): Promise<Response> {
  try {
    return await client.fetch(client.root + path, { ...init, redirect: 'manual' });
  } catch (error) {
    const { cause } = error as Error;
    const reason = messageOf(cause ?? error).replace(/\.$/, '');
    throw new ToolError(`${client.root} cannot be called: ${reason}.`);
  }
}

/** Finds an operation by its id, or by its method and path: `GET /pets/{petId}`. */
export function findOperation({ operations }: Api, name: string): Operation {
  const found = operations.find(
    ({ id, method, path }) => id === name || `${method} ${path}` === name,
  );
  if (found) return found;
  const advice = didYouMean(
    name,
    operations.map(({ id }) => id),
  );
  throw new ToolError(
    `The document has no operation "${name}".${advice} describe_api with "search" lists those it has.`,
  );
}
