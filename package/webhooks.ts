import type { WebhookDelivery, WebhooksView } from '../mock/extras/webhooks/webhook-handlers.ts';
import { type CallAdmin, segment } from './admin-client.ts';

/** The webhooks and callbacks that the twin sends. */
export interface Webhooks {
  /** Lists the described webhooks, their addresses, and the deliveries since the last reset. */
  list(): Promise<WebhooksView>;
  /**
   * Waits for the next delivery of an event, at most 5000 milliseconds unless given: the oldest one
   * that was tried and that no call before got. Rejects with a TwinError where none comes.
   */
  next(event: string, options?: { timeout?: number }): Promise<WebhookDelivery>;
  /** Sends a webhook again, with the same id. */
  resend(id: string): Promise<WebhookDelivery>;
  /** Lets the next tries fail on purpose, 1 unless given. */
  failNext(count?: number): Promise<void>;
}

/** Controls the webhooks of the sandbox that `call` calls. */
export function createWebhooks(call: CallAdmin): Webhooks {
  return {
    list: () => call('GET', 'webhooks'),
    next: (event, options) => call('POST', 'webhooks/next', { event, ...options }),
    resend: (id) => call('POST', `webhooks/${segment(id)}/resend`),
    failNext: async (count = 1) => void (await call('POST', 'webhooks/fail', { count })),
  };
}
