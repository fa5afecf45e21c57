import { Agent, createServer, request } from 'node:http';
import { closeServer, type Deployment, listen } from '../lab/deployment.ts';
import {
  type Answer,
  type Break,
  isCreate,
  isList,
  isMade,
  isRow,
  isSuccess,
  listPath,
  listsOf,
  type SeenTraffic,
  type SentCall,
} from './breaks.ts';
import type { Shape } from './real-server.ts';

/** Stands before a server and breaks one behaviour; `applied` counts the answers that it changed. */
export async function openBroken(
  origin: string,
  broken: Break,
  shape: Shape,
): Promise<Deployment & { applied: () => number }> {
  const agent = new Agent({ keepAlive: true });
  const seen: SeenTraffic = { made: new Map(), foreign: new Map(), calls: 0 };
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
function remember(answer: Answer, sent: SentCall, seen: SeenTraffic, shape: Shape): void {
  if (!isSuccess(answer) || typeof answer.body !== 'object' || answer.body === null) return;
  if (isList(sent, shape)) {
    const rows = listsOf(answer.body).flat();
    const foreign = rows.find((row) => isRow(row) && !isMade(row, sent.path, { seen, shape }));
    if (foreign) seen.foreign.set(listPath(sent.path, shape), foreign);
  }
  const id = shape.idOf(answer.body);
  if (!isCreate(sent, shape) || id === undefined) return;
  seen.created = answer;
  const base = sent.path.replace(/\/$/, '');
  for (const path of [base, base.replace(/s$/, '')])
    seen.made.set(`${path}/${id}`, isRow(sent.body) ? sent.body : {});
}

function isChange(answer: Answer, change: Partial<Answer>): boolean {
  const sameBody =
    !('body' in change) || JSON.stringify(change.body) === JSON.stringify(answer.body);
  return !sameBody || (change.status ?? answer.status) !== answer.status || 'content' in change;
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(String(bytes));
  } catch {
    return undefined;
  }
}
