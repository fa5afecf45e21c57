import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { createTwin } from '../../package/twin.ts';
import { findFreePort } from '../../tests/support/free-port.ts';
import { projectFile } from '../../tests/support/twin.ts';
import { closeServer, type Deployment, listen } from './deployment.ts';
import { openRewritingProxy } from './rewriting-proxy.ts';

/** A body, and headers that sign it as Standard Webhooks says. */
type SignedBody = { body: string; headers: Record<string, string> };

/** How a shop sends a webhook with a body; undefined where it does not. */
export type Deliver = (body: string) => SignedBody | undefined;

const sharedSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** Starts a twin of a shop, with what changes its webhooks on their way to the suite. */
export async function openWebhookShop(deliver: Deliver): Promise<Deployment> {
  const port = String(await findFreePort());
  const relay = createServer(async (request, response) => {
    const sent = deliver(await text(request));
    if (sent) await fetch(`http://127.0.0.1:${port}`, { method: 'POST', ...sent });
    response.writeHead(204).end();
  });
  const spec = projectFile('tests/support/hooked-shop.yaml');
  const webhookUrl = [`http://127.0.0.1:${await listen(relay)}`];
  const twin = await createTwin({ spec, webhookUrl, webhookSecret: sharedSecret });
  const counted = await openRewritingProxy(twin.url, []);
  const close = async () => {
    await counted.close();
    await twin.close();
    await closeServer(relay);
  };
  const overlay = projectFile('tools/lab/signed-webhooks.yaml');
  const flags = ['--spec', spec, '--overlay', overlay, '--allow-writes', '--webhooks', port];
  return { ...counted, close, flags: [...flags, '--webhook-secret', sharedSecret] };
}

/** Signs a body, now and with the secret that the suite is given unless told otherwise. */
export function sign(
  body: string,
  { at = new Date(), secret = sharedSecret }: { at?: Date; secret?: string } = {},
): SignedBody {
  const headers = {
    'Content-Type': 'application/json',
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
  };
  return { body, headers };
}
