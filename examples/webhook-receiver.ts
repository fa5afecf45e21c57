import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

/** A server that hands on the payload of each webhook that is signed with the secret. */
export function createReceiver(secret: string, handle: (payload: unknown) => void) {
  const webhook = new Webhook(secret);
  return createServer(async (request, response) => {
    const body = await text(request);
    try {
      handle(webhook.verify(body, request.headers as Record<string, string>));
      response.writeHead(204).end();
    } catch (error) {
      response.writeHead(400).end(String(error));
    }
  });
}

if (import.meta.main)
  createReceiver(process.env.WEBHOOK_SECRET ?? '', console.log).listen(3000, '127.0.0.1');
