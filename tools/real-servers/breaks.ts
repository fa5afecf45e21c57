import { Agent, createServer, type IncomingHttpHeaders, request } from 'node:http';
import { closeServer, type Deployment, listen } from '../lab/deployment.ts';
import type { Shape } from './real-server.ts';

type Sent = { method: string; path: string; body: unknown };
type Answer = { status: number; headers: IncomingHttpHeaders; content: Buffer; body: unknown };
type Row = Record<string, unknown>;

/** What has passed: the paths of items that clients made with what they sent, and last items. */
type Seen = {
  made: Map<string, Row>;
  created?: Answer;
  foreign: Map<string, unknown>;
  calls: number;
};

/**
 * A behaviour that is broken. `forward` gives the method that the server gets instead, and
 * `change` what the client gets; undefined leaves the call as it is.
 */
type Break = {
  /** Whether it answers with a status of 500. */
  fails?: boolean;
  forward?: (sent: Sent, shape: Shape) => string | undefined;
  change: (
    answer: Answer,
    context: { sent: Sent; seen: Seen; shape: Shape },
  ) => Partial<Answer> | undefined;
};

/** The breaks by name; each is a mistake that a deployment of any interface can make. */
export const breaks: Record<string, Break> = {
  'an update is not stored': {
    forward: ({ method }, { updated }) =>
      updated && /^(PATCH|PUT)$/.test(method) ? 'GET' : undefined,
    change: (answer, { sent, shape }) =>
      shape.updated && /^(PATCH|PUT)$/.test(sent.method) && isSuccess(answer)
        ? { status: shape.updated, ...(shape.updated === 204 && { body: undefined }) }
        : undefined,
  },
  'a deletion is not done': {
    forward: ({ method }) => (method === 'DELETE' ? 'GET' : undefined),
    change: (answer, { sent, shape }) =>
      sent.method === 'DELETE' && isSuccess(answer)
        ? { status: shape.deleted, body: undefined }
        : undefined,
  },
  'a text is not stored': {
    change: (answer, { sent, seen }) => {
      const texts = seen.made.get(sent.path);
      return sent.method === 'GET' && texts && isSuccess(answer)
        ? { body: withoutText(answer.body, texts) }
        : undefined;
    },
  },
  'created items are not listed': {
    change: (answer, { sent, seen, shape }) =>
      isList(sent, shape) && isSuccess(answer)
        ? { body: filterLists(answer.body, (row) => !isMade(row, seen, shape)) }
        : undefined,
  },
  'a created item cannot be read': {
    change: (answer, { sent, seen }) =>
      sent.method === 'GET' && seen.made.has(sent.path) && isSuccess(answer)
        ? { status: 404, body: { message: 'not found' } }
        : undefined,
  },
  'a read gives another item': {
    change: (answer, { sent, seen }) => {
      const parent = sent.path.replace(/\/[^/]*$/, '');
      const other = seen.foreign.get(parent) ?? seen.foreign.get(`${parent}s`);
      return sent.method === 'GET' && seen.made.has(sent.path) && isSuccess(answer) && other
        ? { body: isWrapped(answer.body) ? { data: other } : other }
        : undefined;
    },
  },
  'a required member is missing': {
    change: (answer, { sent, shape }) =>
      sent.method === 'GET' && isSuccess(answer) && shape.required
        ? { body: withoutMember(answer.body, shape.required) }
        : undefined,
  },
  'every seventh read fails': {
    fails: true,
    change: (_, { sent, seen }) =>
      sent.method === 'GET' && seen.calls % 7 === 0
        ? { status: 500, body: { message: 'internal error' } }
        : undefined,
  },
  'a create is answered 202 without content': {
    change: (answer, { sent, shape }) =>
      isCreate(sent, shape) && isSuccess(answer) && answer.body !== undefined
        ? { status: 202, body: undefined }
        : undefined,
  },
  'an invalid body is accepted': {
    change: ({ status }, { sent, seen, shape }) =>
      shape.refuses && isCreate(sent, shape) && (status === 400 || status === 422) && seen.created
        ? { ...seen.created }
        : undefined,
  },
};

/** Stands before a server and breaks one behaviour; `applied` counts the answers that it changed. */
export async function openBroken(
  origin: string,
  broken: Break,
  shape: Shape,
): Promise<Deployment & { applied: () => number }> {
  const agent = new Agent({ keepAlive: true });
  const seen: Seen = { made: new Map(), foreign: new Map(), calls: 0 };
  let applied = 0;
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const content = Buffer.concat(chunks);
    const { method = 'GET', url = '/' } = incoming;
    const sent = { method, path: url.split('?')[0] ?? '/', body: parse(content) };
    const instead = broken.forward?.(sent, shape);
    const { 'content-length': _, 'content-type': __, ...others } = incoming.headers;
    const headers = { ...(instead ? others : incoming.headers), 'accept-encoding': 'identity' };
    const options = { method: instead ?? method, headers, agent };
    const outgoing = request(origin + url, options, async (message) => {
      const parts: Buffer[] = [];
      for await (const part of message) parts.push(part);
      const bytes = Buffer.concat(parts);
      const status = message.statusCode ?? 0;
      const answer = { status, headers: message.headers, content: bytes, body: parse(bytes) };
      seen.calls += 1;
      const change = broken.change(answer, { sent, seen, shape });
      remember(answer, sent, seen, shape);
      const changed = change !== undefined && (instead !== undefined || isChange(answer, change));
      if (changed) applied += 1;
      const given = changed ? { ...answer, ...change } : answer;
      const {
        connection: _,
        'transfer-encoding': __,
        'content-length': ___,
        ...kept
      } = given.headers;
      if (!changed || given.body === undefined) {
        response.writeHead(given.status, kept);
        return void response.end(changed ? undefined : bytes);
      }
      response.writeHead(given.status, { ...kept, 'content-type': 'application/json' });
      response.end(JSON.stringify(given.body));
    });
    outgoing.on('error', () => response.destroy());
    outgoing.end(instead ? undefined : content);
  });
  const port = await listen(server);
  const close = async () => {
    agent.destroy();
    await closeServer(server);
  };
  const url = `http://127.0.0.1:${port}`;
  return { url, calls: () => seen.calls, applied: () => applied, close };
}

/** Learns what clients made, and which items of others are listed. */
function remember(answer: Answer, sent: Sent, seen: Seen, shape: Shape): void {
  if (!isSuccess(answer) || typeof answer.body !== 'object' || answer.body === null) return;
  if (isList(sent, shape)) {
    const rows = listsOf(answer.body).flat();
    const foreign = rows.find((row) => isRow(row) && !isMade(row, seen, shape));
    const path = sent.path.replace(shape.listsByPost ?? /\/$/, '').replace(/\/$/, '');
    if (foreign) seen.foreign.set(path, foreign);
  }
  const id = shape.idOf(answer.body);
  if (!isCreate(sent, shape) || id === undefined) return;
  seen.created = answer;
  const base = sent.path.replace(/\/$/, '');
  for (const path of [base, base.replace(/s$/, '')])
    seen.made.set(`${path}/${id}`, isRow(sent.body) ? sent.body : {});
}

function isMade(row: unknown, seen: Seen, shape: Shape): boolean {
  const id = isRow(row) ? (shape.idOf(row) ?? row.id) : undefined;
  return id !== undefined && [...seen.made.keys()].some((path) => path.endsWith(`/${id}`));
}

function isList({ method, path }: Sent, { listsByPost }: Shape): boolean {
  return method === 'GET' || (method === 'POST' && (listsByPost?.test(path) ?? false));
}

function isCreate({ method, path }: Sent, { listsByPost }: Shape): boolean {
  return method === 'POST' && !listsByPost?.test(path);
}

function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

function isChange(answer: Answer, change: Partial<Answer>): boolean {
  const sameBody =
    !('body' in change) || JSON.stringify(change.body) === JSON.stringify(answer.body);
  return !sameBody || (change.status ?? answer.status) !== answer.status || 'content' in change;
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isWrapped(body: unknown): body is { data: unknown } {
  return isRow(body) && Object.keys(body).length === 1 && 'data' in body;
}

/** The arrays of an answer: itself, or members of it. */
function listsOf(body: unknown): unknown[][] {
  return (isRow(body) ? Object.values(body) : [body]).filter((value) => Array.isArray(value));
}

function filterLists(body: unknown, keep: (row: unknown) => boolean): unknown {
  if (Array.isArray(body)) return body.filter(keep);
  if (!isRow(body)) return body;
  const entries = Object.entries(body).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.filter(keep) : value,
  ]);
  return Object.fromEntries(entries);
}

function withoutMember(body: unknown, name: string): unknown {
  if (Array.isArray(body)) return body.map((row) => withoutMember(row, name));
  if (!isRow(body)) return body;
  if (isRow(body.data) || Array.isArray(body.data))
    return { ...body, data: withoutMember(body.data, name) };
  const { [name]: _, ...rest } = body;
  return rest;
}

/** An item whose first text that the client sent is empty. */
function withoutText(body: unknown, sent: Row): unknown {
  if (isWrapped(body)) return { data: withoutText(body.data, sent) };
  if (!isRow(body)) return body;
  const name = Object.keys(sent).find(
    (key) => typeof sent[key] === 'string' && sent[key] !== '' && body[key] === sent[key],
  );
  return name === undefined ? body : { ...body, [name]: '' };
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(String(bytes));
  } catch {
    return undefined;
  }
}
