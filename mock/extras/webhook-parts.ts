import { ensureWebhookSecret } from '../../common/cli/webhook-secret.ts';
import type { ExtraParts, RoutesOptions } from '../extra.ts';
import { createRedact, secretNamesOf } from '../redact.ts';
import { createSendAfter } from './webhooks/after-operations.ts';
import { adviceOn, createAnnounce } from './webhooks/announce.ts';
import { createDeliver, taskName } from './webhooks/deliveries.ts';
import { createFindEndpoints } from './webhooks/endpoints.ts';
import { createMakePayload } from './webhooks/payload.ts';
import { createSend } from './webhooks/send.ts';
import { signatureOf } from './webhooks/sign.ts';
import { isSameEvent, triggeredCallsOf } from './webhooks/triggers.ts';
import { createWebhookHandlers } from './webhooks/webhook-handlers.ts';

export { makeSecret } from './webhooks/sign.ts';

/**
 * Returns the parts for a document with webhooks or callbacks, which are sent after their triggers.
 */
export function toWebhookParts(
  { served, settings, host: { log, siblings } }: RoutesOptions,
  secret: string,
): ExtraParts {
  const { document, compileSchema } = served;
  // Signatures of an API's own take any text.
  if (!document.hint.webhooks) ensureWebhookSecret(secret);
  const all = triggeredCallsOf(document);
  const makePayload = createMakePayload(document, compileSchema);
  const findEndpoints = createFindEndpoints(document, {
    urls: settings.webhookUrl,
    origin: siblings?.origin,
    madeUp: served.data ? {} : served.initialState.seeds,
  });
  const announce = createAnnounce({ makePayload, findEndpoints, log });
  const redact = createRedact([secret]);
  redact.hide([], secretNamesOf(document));
  const showUrl = (url: string) => redact.url(url);
  const advise = (name: string, what: string) => {
    const advice = adviceOn(name, all);
    if (advice) log.warn(`${what}: ${advice}`);
  };
  for (const { event } of settings.webhookUrl) if (event) advise(event, '--webhook-url');

  const sendAfter = createSendAfter({ document, all, announce, log });
  return {
    async emit(sandbox, name, payload, trace) {
      const isNamed = (one: string) => isSameEvent(one, name);
      const exact = all.find((one) => one.name === name);
      const named = exact ?? all.find((one) => isNamed(one.name));
      const call = named ?? all.find(({ told }) => told.some(isNamed));
      if (!call) advise(name, 'emit');
      const event = { name, call };
      await announce(sandbox, [{ event, item: payload, isPayload: true }], trace);
    },
    steps: [
      {
        phase: 'around behaviour',
        order: 10,
        of: (operation, { bind }) => sendAfter(operation, bind),
      },
    ],
    tasks: {
      [taskName]: createDeliver({
        send: createSend({ hosts: settings.webhookHosts }),
        async sign(sandbox, { id, item, body }) {
          const known = item === undefined ? [] : await findEndpoints(sandbox);
          const endpoint = known.find((one) => one.item === item);
          if (item && !endpoint) return undefined;
          const own = endpoint?.secret ?? secret;
          return signatureOf({ id, body, at: Date.now(), secret: own }, document.hint.webhooks);
        },
        showUrl,
        origins: settings.adminOrigins,
        log,
      }),
    },
    groups: {
      webhooks: async () => createWebhookHandlers({ all, findEndpoints, showUrl }),
    },
  };
}
