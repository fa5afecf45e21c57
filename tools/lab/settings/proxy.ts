import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { closeServer, type Deployment, listen } from '../deployment.ts';

const hopByHop = [
  'connection',
  'keep-alive',
  'transfer-encoding',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
];
const smallestCompressed = 64;

/**
 * Opens a reverse proxy with a common configuration. It buffers whole answers, keeps connections
 * alive, and names itself in Server and Via. It sets Date and compresses unless the client refuses
 * gzip. Without an answer it sends a 502 page.
 */
export async function openProxy(behind: Deployment): Promise<Deployment> {
  const { origin, pathname } = new URL(behind.url);
  const agent = new Agent({ keepAlive: true });
  const server = createServer(async (incoming, response) => {
    const body = await buffer(incoming);
    const answer = await ask(origin, incoming, body, agent).catch(() => undefined);
    if (answer) sendOn(answer, incoming, response);
    else sendBadGateway(response);
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}${pathname}`,
    calls: behind.calls,
    async close() {
      agent.destroy();
      await closeServer(server);
      await behind.close();
    },
  };
}

type Whole = { status: number; headers: IncomingHttpHeaders; content: Buffer };

/** Asks the server; asks again where it had closed a connection that was kept alive. */
function ask(
  origin: string,
  incoming: IncomingMessage,
  body: Buffer,
  agent: Agent,
): Promise<Whole> {
  const { method = 'GET', url = '/', headers } = incoming;
  return new Promise((resolve, reject) => {
    const forwarded = {
      ...withoutHops(headers),
      via: '1.1 edge',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
    };
    const outgoing = request(origin + url, { method, headers: forwarded, agent }, (answer) => {
      buffer(answer).then(
        (content) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, content }),
        reject,
      );
    });
    outgoing.on('error', (error) => {
      if (outgoing.reusedSocket) ask(origin, incoming, body, agent).then(resolve, reject);
      else reject(error);
    });
    outgoing.end(body);
  });
}

function sendOn(
  { status, headers, content }: Whole,
  { method, headers: asked }: IncomingMessage,
  response: ServerResponse,
): void {
  const { date: _, via, ...others } = withoutHops(headers);
  const hasContent = method !== 'HEAD' && status !== 204 && status !== 304 && content.length > 0;
  const compresses =
    hasContent &&
    content.length >= smallestCompressed &&
    headers['content-encoding'] === undefined &&
    /gzip|\*/.test(String(asked['accept-encoding'] ?? '*'));
  const sent = compresses ? gzipSync(content) : content;
  response.writeHead(status, {
    ...others,
    ...(hasContent && { 'content-length': sent.length }),
    ...(compresses && { 'content-encoding': 'gzip', vary: 'accept-encoding' }),
    server: 'edge',
    via: [via, '1.1 edge'].filter(Boolean).join(', '),
    date: new Date().toUTCString(),
  });
  response.end(hasContent ? sent : undefined);
}

function sendBadGateway(response: ServerResponse): void {
  response
    .writeHead(502, { 'content-type': 'text/html', server: 'edge' })
    .end('<h1>502 Bad Gateway</h1>');
}

function withoutHops(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.includes(name)));
}
