import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

export type PlainCall = {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | undefined;
};

/** Sends to an origin what `fetch` would not, such as a Host of its own. */
export async function sendAs(
  origin: string,
  { path = '/', method = 'GET', headers = {}, body }: PlainCall,
) {
  // A path may be a whole URL.
  const { hostname: host, port } = new URL(origin);
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const options = { host, port, path, method, headers: { ...type, ...headers }, agent: false };
  const [response] = (await once(request(options).end(body), 'response')) as [IncomingMessage];
  const { statusCode: status = 0, headers: received } = response;
  const content = await text(response);
  const isJson = /[/+]json\b/.test(received['content-type'] ?? '') && content !== '';
  return {
    status,
    headers: received,
    text: content,
    json: isJson ? JSON.parse(content) : undefined,
  };
}
