import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeServer, type Deployment, listen } from './deployment.ts';
import { isJson, parseJson, toJson } from './exact.ts';

/**
 * A response on its way; `drop` cuts the connection, `keep` sends so many bytes of the content
 * only.
 */
type Reply = {
  status: number;
  headers: IncomingHttpHeaders;
  content: Buffer;
  delay?: number;
  drop?: boolean;
  keep?: number;
};

type Call = { method: string; path: string; status: number; number: number };

/** One operator: which responses it changes, and how. */
export type Rewrite = { where: (seen: Call) => boolean; change: (passing: Reply) => Reply };

type Where = { method?: string; path?: RegExp; status?: number; every?: number };

/**
 * Says which responses an operator changes; what is left out matches all. `every: n` counts the
 * proxy's requests.
 */
function matcher({ method, path, status, every }: Where): (seen: Call) => boolean {
  return (seen) =>
    (method === undefined || seen.method === method) &&
    (path === undefined || path.test(seen.path)) &&
    (status === undefined || seen.status === status) &&
    (every === undefined || seen.number % every === 0);
}

function operator(where: Where, change: (passing: Reply) => Reply): Rewrite {
  return { where: matcher(where), change };
}

/** The operators. Each takes where it applies first. */
export const rewrites = {
  status: (where: Where, status: number) => operator(where, (passing) => ({ ...passing, status })),
  dropHeader: (where: Where, name: string) =>
    operator(where, (passing) => ({
      ...passing,
      headers: { ...passing.headers, [name]: undefined },
    })),
  header: (where: Where, name: string, value: string) =>
    operator(where, (passing) => ({ ...passing, headers: { ...passing.headers, [name]: value } })),
  dropMember: (where: Where, name: string) => editing(where, ({ [name]: _, ...rest }) => rest),
  retypeMember: (where: Where, name: string) =>
    editing(where, (item) => ({
      ...item,
      [name]: typeof item[name] === 'string' ? 7 : String(item[name]),
    })),
  renameMember: (where: Where, from: string, to: string) =>
    editing(where, ({ [from]: value, ...rest }) => ({ ...rest, [to]: value })),
  addMember: (where: Where, name: string, value: unknown) =>
    editing(where, (item) => ({ ...item, [name]: value })),
  wrap: (where: Where, name: string) => json(where, (value) => ({ [name]: value })),
  json: (where: Where, change: (value: unknown) => unknown) => json(where, change),
  mediaType: (where: Where, type: string) => rewrites.header(where, 'content-type', type),
  content: (where: Where, text: string) =>
    operator(where, (passing) => ({ ...passing, content: Buffer.from(text) })),
  truncate: (where: Where, bytes: number) =>
    operator(where, (passing) => ({ ...passing, keep: bytes })),
  delay: (where: Where, milliseconds: number) =>
    operator(where, (passing) => ({ ...passing, delay: milliseconds })),
  drop: (where: Where) => operator(where, (passing) => ({ ...passing, drop: true })),
};

function json(where: Where, change: (value: unknown) => unknown): Rewrite {
  return operator(where, (passing) => {
    const text = String(passing.content);
    return isJson(text)
      ? { ...passing, content: Buffer.from(toJson(change(parseJson(text)))) }
      : passing;
  });
}

function editing(
  where: Where,
  change: (item: Record<string, unknown>) => Record<string, unknown>,
): Rewrite {
  return json(where, (value) =>
    Array.isArray(value) ? value.map(change) : change(value as Record<string, unknown>),
  );
}

/** Stands before the server at `target` (a URL that ends in `/v1`) and changes what it answers. */
export async function openRewritingProxy(
  target: string,
  list: readonly Rewrite[],
): Promise<Deployment> {
  const { origin, pathname } = new URL(target);
  const agent = new Agent({ keepAlive: true });
  let calls = 0;
  const server = createServer((incoming, response) => {
    calls += 1;
    const number = calls;
    const { method = 'GET', url: path = '/', headers } = incoming;
    const outgoing = request(origin + path, { method, headers, agent }, async (answer) => {
      const seen = { method, path, status: answer.statusCode ?? 0, number };
      const passing: Reply = {
        status: seen.status,
        headers: answer.headers,
        content: await readAll(answer),
      };
      const fitting = list.filter(({ where }) => where(seen));
      await send(
        fitting.reduce((changed, { change }) => change(changed), passing),
        response,
      );
    });
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  });
  const port = await listen(server);
  const close = async () => {
    agent.destroy();
    await closeServer(server);
  };
  return { url: `http://127.0.0.1:${port}${pathname}`, calls: () => calls, close };
}

async function send(
  { status, headers, content, delay, drop, keep }: Reply,
  response: ServerResponse,
): Promise<void> {
  if (delay) await sleep(delay);
  if (drop) return void response.destroy();
  const { connection: _, 'transfer-encoding': __, 'keep-alive': ___, ...others } = headers;
  const given = Object.fromEntries(
    Object.entries(others).filter(([, value]) => value !== undefined),
  );
  const empty = status === 204 || status === 304;
  response.writeHead(status, empty ? given : { ...given, 'content-length': content.length });
  if (empty) return void response.end();
  if (keep === undefined) return void response.end(content);
  response.write(content.subarray(0, keep), () => response.destroy());
}

async function readAll(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}
