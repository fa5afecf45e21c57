import { ensureWebhookSecret } from '../../contracts/cli/webhook-secret.ts';
import type { Operation } from '../../contracts/description/document.ts';
import { isSameEvent, triggeredCallsOf } from '../../contracts/description/triggers.ts';
import type { Behaviour } from '../behaviours/behaviour.ts';
import type { ExtraParts, RoutesOptions } from '../extra.ts';
import { createRedact, secretNamesOf } from '../redact.ts';
import { adviceOn, createAnnounce } from './webhooks/announce.ts';
import { type About, createDeliver, deliveriesOf, taskName } from './webhooks/deliveries.ts';
import { createFindEndpoints } from './webhooks/endpoints.ts';
import {
  createFindSubjects,
  findReader,
  isSuccess,
  toExpressionSource,
} from './webhooks/happenings.ts';
import { createMakePayload, type Subject } from './webhooks/payload.ts';
import { evaluate } from './webhooks/runtime-expression.ts';
import { createSend } from './webhooks/send.ts';
import { signatureOf } from './webhooks/sign.ts';
import { createWebhookHandlers } from './webhooks/webhook-handlers.ts';

export { makeSecret } from './webhooks/sign.ts';

/** What a document with webhooks or callbacks changes: they are sent after what triggers them. */
export function toWebhookParts(
  { served, settings, host: { log } }: RoutesOptions,
  secret: string,
): ExtraParts {
  const { document, compileSchema } = served;
  // Signatures of an API's own take any text.
  if (!document.hint.webhooks) ensureWebhookSecret(secret);
  const all = triggeredCallsOf(document);
  const makePayload = createMakePayload(document, compileSchema);
  const findEndpoints = createFindEndpoints(document, {
    urls: settings.webhookUrl,
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

  /** What is sent after an operation, its own callbacks aside: those go where the request says. */
  const wrap = (operation: Operation, made: Behaviour, toReader: () => Behaviour | undefined) => {
    const callbacks = all.filter(({ callback }) => callback?.of === operation);
    const events = all.flatMap((call) =>
      call.triggers
        .filter(({ operations }) => operations.includes(operation))
        .map(({ event }) => ({ name: event, call })),
    );
    if (events.length + callbacks.length === 0) return made;
    const find = createFindSubjects(document, operation, toReader());
    const collection = operation.resource ?? operation.actsOn;
    const aboutOf = (subject?: Subject): About => ({ collection, id: String(subject?.id) });
    const wrapped: Behaviour = async (call) => {
      const { sandbox } = call;
      const before = await find.before(call);
      const answer = await made(call);
      if (!sandbox || !isSuccess(answer)) return answer;
      try {
        const subjects = await find.after(call, answer, before);
        const source = toExpressionSource(call, answer);
        const given = callbacks.flatMap((one) => {
          const url = evaluate(one.callback?.url ?? '', source);
          return url ? [{ call: one, url, about: aboutOf(subjects[0]) }] : [];
        });
        for (const one of given) deliveriesOf(sandbox).subscribe(one);
        for (const event of events)
          for (const subject of subjects) {
            const isOwn = callbacks.includes(event.call);
            const urls = given.filter((one) => one.call === event.call).map(({ url }) => url);
            const about = aboutOf(subject);
            await announce(sandbox, event, { ...subject, about, ...(isOwn && { urls }) });
          }
      } catch (error) {
        log.error(`The webhooks after ${operation.id} were not sent: ${(error as Error).message}`);
      }
      return answer;
    };
    return wrapped;
  };

  return {
    async emit(sandbox, name, payload) {
      const isNamed = (one: string) => isSameEvent(one, name);
      const named = all.find((one) => isNamed(one.name));
      const call = named ?? all.find(({ told }) => told.some(isNamed));
      if (!call) advise(name, 'emit');
      await announce(sandbox, { name, call }, { item: payload, isPayload: true });
    },
    changeCalls: (calls) => ({
      ...calls,
      behaviourOf: (operation, options) =>
        wrap(operation, calls.behaviourOf(operation, options), () => {
          const reader = findReader(document, operation);
          return reader && calls.behaviourOf(reader, options);
        }),
    }),
    tasks: {
      [taskName]: createDeliver({
        send: createSend({ hosts: settings.webhookHosts }),
        async sign(sandbox, { id, url, body }) {
          const endpoints = await findEndpoints(sandbox);
          const own = endpoints.find((one) => one.url === url)?.secret ?? secret;
          return signatureOf({ id, body, at: Date.now(), secret: own }, document.hint.webhooks);
        },
        showUrl,
        log,
      }),
    },
    groups: {
      webhooks: async () => createWebhookHandlers({ all, findEndpoints, showUrl }),
    },
  };
}
