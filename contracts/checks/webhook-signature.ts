import { createHmac } from 'node:crypto';
import { type Check, called, shown } from '../clauses/check.ts';
import type { ReceivedRequest } from '../transcript/webhooks.ts';

/** How far the time of a signature may be from when it arrives, in seconds. */
const tolerance = 300;

/** A webhook is signed with the secret that is given for it. */
export const webhookSignature: Check = {
  id: 'webhook-signature',
  clause: {
    basis: 'standard',
    source: 'Standard Webhooks',
    text: 'A webhook is signed: webhook-signature has the HMAC-SHA256 of webhook-id, webhook-timestamp and the body.',
  },
  unheld: 'no webhook arrived whose secret is known; --webhook-secret gives it',
  needs: 'a webhook or callback',
  /** A document that describes the header says that it is there. */
  findStated({ schemas }) {
    const signed = schemas
      .webhooksOf()
      .find(({ sends }) =>
        sends.parameters.some(
          (one) => one.in === 'header' && one.name.toLowerCase() === 'webhook-signature',
        ),
      );
    return signed?.pointer;
  },
  follows: ['webhook-body'],
  part: 'headers',
  judge({ webhooks, document }, judge) {
    if (webhooks?.secret !== undefined && document.hint.webhooks)
      return judge.inconclusive('x-twin says that webhooks are signed in a way of their own');
    for (const { exchange, received } of webhooks?.arrivals ?? []) {
      if (webhooks?.secret === undefined) return;
      const problem = findProblem(received, webhooks.secret);
      judge.hold(problem === undefined, exchange, () => ({
        message: `${called(exchange)} is not signed with the secret: ${problem}`,
        group: `signature of ${called(exchange)}`,
        expected: 'webhook-id, webhook-timestamp and a webhook-signature that is right',
        actual: shown(exchange.request.headers),
      }));
    }
  },
};

function findProblem({ headers, body, at }: ReceivedRequest, secret: string): string | undefined {
  const headerOf = (name: string) => headers.find(([own]) => own.toLowerCase() === name)?.[1];
  const [id, time, signatures] = ['id', 'timestamp', 'signature'].map((part) =>
    headerOf(`webhook-${part}`),
  );
  if (!id || !time || !signatures) return 'it lacks a header';
  const late = at / 1000 - Number(time);
  if (!(Math.abs(late) <= tolerance)) return `its time is ${time}`;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const digest = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64');
  return signatures.split(' ').includes(`v1,${digest}`) ? undefined : 'the signature is another';
}
