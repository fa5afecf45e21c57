import { setTimeout as wait } from 'node:timers/promises';
import { toIso } from '../../../common/instant.ts';
import { toJsonAnswer } from '../../answers/answer.ts';
import { parseExact } from '../../json/exact-json.ts';
import type { AdminHandlers } from '../admin/admin.ts';
import { refuse, refuseUnknown } from '../admin/refusal.ts';
import { adviceOn } from './announce.ts';
import { type Delivery, deliveriesOf, planTries } from './deliveries.ts';
import type { FindEndpoints } from './endpoints.ts';
import { type TriggeredCall, type TriggeredCallView, viewOf } from './triggers.ts';

/** A webhook as the admin shows it; times are ISO 8601, by the clock of the sandbox. */
export type WebhookDelivery = {
  id: string;
  event: string;
  state: Delivery['state'];
  /** Left out where the event has no endpoint. */
  url?: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  /** Parsed; left out where it has none. */
  // biome-ignore lint/suspicious/noExplicitAny: payloads have any shape.
  payload?: any;
  at: string;
  /** The status of the last try that was answered. */
  status?: number;
  tries: { at: string; status?: number; answer?: string; problem?: string }[];
  nextTry?: string;
};

/** The webhooks of a document, their endpoints, and the deliveries so far. */
export type WebhooksView = {
  webhooks: TriggeredCallView[];
  endpoints: { url: string; events?: readonly string[]; item?: string; isGone: boolean }[];
  /** How many tries are to fail on purpose. */
  failNext: number;
  /** The oldest one first. */
  deliveries: WebhookDelivery[];
};

export type WebhookHandlersOptions = {
  all: readonly TriggeredCall[];
  findEndpoints: FindEndpoints;
  showUrl: (url: string) => string;
};

/** List the webhooks of a sandbox, send one again, let some fail, and wait for one. */
export function createWebhookHandlers({
  all,
  findEndpoints,
  showUrl,
}: WebhookHandlersOptions): AdminHandlers {
  const webhooks = all.map(viewOf);
  const toView = ({
    url,
    item: _,
    origin: __,
    body,
    at,
    tries,
    nextTry,
    ...delivery
  }: Delivery): WebhookDelivery => {
    const status = tries.at(-1)?.status;
    return {
      ...delivery,
      ...(url !== undefined && { url: showUrl(url) }),
      ...(body !== '' && { payload: parseExact(body) }),
      at: toIso(at),
      ...(status !== undefined && { status }),
      tries: tries.map(({ isRefused: _r, isLate: _l, ...one }) => ({ ...one, at: toIso(one.at) })),
      ...(nextTry !== undefined && { nextTry: toIso(nextTry) }),
    };
  };
  return {
    async listWebhooks({ sandbox }) {
      const deliveries = deliveriesOf(sandbox);
      const endpoints = (await findEndpoints(sandbox)).map(
        ({ secret: _, origin: __, places: ___, url, ...one }) => ({
          ...{ url: showUrl(url), ...one, isGone: deliveries.isGone(url) },
        }),
      );
      const view: WebhooksView = {
        webhooks,
        endpoints,
        failNext: deliveries.failing,
        deliveries: deliveries.list.map(toView),
      };
      return toJsonAnswer(view);
    },
    async resendWebhook({ sandbox, params: { id = '' } }) {
      const deliveries = deliveriesOf(sandbox);
      const delivery = deliveries.find(id);
      if (!delivery)
        return refuseUnknown('delivery', id, 'GET /__admin/webhooks lists those that exist.');
      const { url } = delivery;
      if (url === undefined)
        return refuse(
          'invalid_body',
          `No endpoint was there for ${delivery.event}, so it has no URL.`,
        );
      deliveries.setGone(url, false);
      await planTries(sandbox, [delivery]);
      return toJsonAnswer(toView(delivery));
    },
    failWebhooks({ sandbox, body }) {
      const { count = 1 } = (body ?? {}) as { count?: number };
      deliveriesOf(sandbox).failing = count;
      return toJsonAnswer({ failNext: count });
    },
    async nextWebhook({ sandbox, body }) {
      const { event, timeout = 5000 } = body as { event: string; timeout?: number };
      const deliveries = deliveriesOf(sandbox);
      const found = await deliveries.next(event, wait(timeout, undefined, { ref: false }));
      if (found) return toJsonAnswer(toView(found));
      const names = [...new Set(deliveries.list.map((one) => one.event))].join(', ') || 'none';
      const advice =
        adviceOn(event, all) ?? 'GET /__admin/webhooks lists the webhooks and their triggers.';
      return refuse(
        'not_found',
        `No further webhook ${event} was sent within ${timeout} ms. Sent since the last reset: ${names}. ${advice}`,
      );
    },
  };
}
