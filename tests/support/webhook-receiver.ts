import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** Describes what a receiver got. */
export type Delivery = {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
};

/**
 * A receiver of webhooks on loopback that ends with the test; it answers 204 unless told otherwise.
 */
export async function startReceiver(
  answer: (response: ServerResponse, received: Delivery) => void = (response) =>
    void response.writeHead(204).end(),
): Promise<{ url: string; received: Delivery[] }> {
  const received: Delivery[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, body: await text(request) };
    received.push(one);
    answer(response, one);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}
