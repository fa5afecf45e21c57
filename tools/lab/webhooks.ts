import { byId, family, type Row } from './row.ts';
import { type Deliver, sign } from './webhook-shop.ts';

type Order = { id: string; quantity: number };

const otherSecret = 'whsec_b3RoZXJvdGhlcm90aGVyb3RoZXI=';

/** Shops that are each broken in the webhooks that they send; the check that finds it has its name. */
export const brokenWebhooks = [
  ...rowsOf('webhook-body', [
    ['order-without-id', inOrder(({ quantity }) => ({ quantity }))],
    ['quantity-text', inOrder((order) => ({ ...order, quantity: String(order.quantity) }))],
    ['order-id-alone', inOrder(({ id }) => id)],
    ['order-in-list', inOrder((order) => [order])],
    ['without-order', inOrder(() => undefined)],
    ['of-another-type', (body) => sign(body.replace('order.created', 'order.made'))],
    ['cut', (body) => sign(body.slice(0, -3))],
  ]),
  ...rowsOf('webhook-signature', [
    ['missing', header('signature', () => undefined)],
    ['without-timestamp', header('timestamp', () => undefined)],
    ['without-version', header('signature', (value) => value.replace('v1,', ''))],
    ['of-another-id', header('id', () => 'msg_2')],
    ['time-in-milliseconds', header('timestamp', (value) => `${value}000`)],
    ['changed-afterwards', (body) => ({ ...sign(body), body: `${body}\n` })],
    ['with-another-secret', (body) => sign(body, { secret: otherSecret })],
    ['ten-minutes-old', (body) => sign(body, { at: secondsAgo(600) })],
  ]),
];

/** Shops whose webhooks are right. */
export const fairWebhooks = rowsOf('fair-webhook', [
  ['true', (body) => sign(body)],
  ['never', () => undefined],
  ['indented', (body) => sign(JSON.stringify(JSON.parse(body), null, 2))],
  ['further-members', inOrder((order) => ({ ...order, sentBy: 'shop' }))],
  ['two-minutes-old', (body) => sign(body, { at: secondsAgo(120) })],
  ['with-two-signatures', header('signature', (value) => `v1,b2xkZXI= ${value}`)],
]);

function rowsOf(name: string, entries: readonly [id: string, webhook: Deliver][]): Row[] {
  return family(
    name,
    '#/webhooks/order.created/post',
    byId(entries, ([id, webhook]) => ({
      id: `${name}-${id}`,
      about: `${name} ${id}`.replaceAll('-', ' '),
      webhook,
      only: [name],
    })),
  );
}

function inOrder(change: (order: Order) => unknown): Deliver {
  return (body) => {
    const event: { data: Order } = JSON.parse(body);
    return sign(JSON.stringify({ ...event, data: change(event.data) }));
  };
}

/** Changes a header of the signature; drops it where nothing is given. */
function header(name: string, change: (value: string) => string | undefined): Deliver {
  return (body) => {
    const { headers } = sign(body);
    const changed = change(headers[`webhook-${name}`] ?? '');
    const { [`webhook-${name}`]: _, ...others } = headers;
    return { body, headers: { ...others, ...(changed && { [`webhook-${name}`]: changed }) } };
  };
}

function secondsAgo(seconds: number): Date {
  return new Date(Date.now() - 1000 * seconds);
}
