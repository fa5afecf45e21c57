import { randomUUID } from 'node:crypto';
import type { Operation } from '../../contracts/description/document.ts';
import {
  isSameEvent,
  type TriggeredCall,
  triggeredCallsOf,
} from '../../contracts/description/triggers.ts';
import { stringifyExact } from '../../contracts/json-text.ts';
import type { Answer, TextAnswer } from '../answers/answer.ts';
import type { Behaviour, Call } from '../behaviours/behaviour.ts';
import type { Emit, ExtraParts, RoutesOptions } from '../extra.ts';
import { createRedact, secretNamesOf } from '../redact.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import { createDeliver, startDelivery, taskName } from './webhooks/deliver.ts';
import { type About, type Delivery, deliveriesOf } from './webhooks/deliveries.ts';
import { createFindEndpoints, takes } from './webhooks/endpoints.ts';
import {
  createFindSubjects,
  findReader,
  isSuccess,
  type Subject,
  toExpressionSource,
} from './webhooks/happenings.ts';
import { createMakePayload } from './webhooks/payload.ts';
import { evaluate } from './webhooks/runtime-expression.ts';
import { createSend } from './webhooks/send.ts';
import { signatureOf } from './webhooks/sign.ts';
import { createWebhookHandlers } from './webhooks/webhook-handlers.ts';

/** Something that happened: what it is called, and the webhook or callback that tells it, if any. */
type Event = { name: string; call?: TriggeredCall | undefined };

/** What a document with webhooks or callbacks changes: they are sent after what triggers them. */
export function toWebhookParts(
  { served, settings, host: { log } }: RoutesOptions,
  secret: string,
): ExtraParts & { emit: Emit } {
  const { document, compileSchema } = served;
  const all = triggeredCallsOf(document);
  const makePayload = createMakePayload(document, compileSchema);
  const findEndpoints = createFindEndpoints(document, settings.webhookUrl);
  const redact = createRedact([secret]);
  redact.hide([], secretNamesOf(document));
  const showUrl = (url: string) => redact.url(url);

  /** Starts to deliver an event to these URLs; it is listed too where there are none. */
  const startAll = (
    sandbox: Sandbox,
    urls: readonly string[],
    event: Event,
    subject: Subject & { isPayload?: boolean },
  ) => {
    const deliveries = deliveriesOf(sandbox);
    const at = sandbox.clock.now();
    const number = (deliveries.count += 1);
    const { name, call } = event;
    const payload = call && makePayload(call, { ...subject, event: name, at, number });
    const body =
      payload ?? (call || subject.item === undefined ? '' : stringifyExact(subject.item));
    const headers = {
      'user-agent': 'petstore-twin',
      ...(body !== '' && {
        'content-type': call?.sends.body?.mediaTypes?.[0] ?? 'application/json',
      }),
    };
    const method = call?.sends.method ?? 'POST';
    const toDelivery = (url?: string): Delivery => ({
      ...{ id: `msg_${randomUUID().replaceAll('-', '')}`, event: name, method, headers, body, at },
      ...{ state: 'unsent', tries: [], ...(url !== undefined && { url }) },
    });
    const left = urls.filter((url) => !deliveries.gone.has(url));
    for (const url of left) {
      const delivery = toDelivery(url);
      deliveries.add(delivery);
      startDelivery(sandbox, delivery);
    }
    if (urls.length > 0 || call?.callback) return;
    deliveries.add(toDelivery());
    deliveries.announce();
  };

  /** The URLs of an event: of endpoints, or those that requests gave for a callback. */
  const urlsOf = async (
    sandbox: Sandbox,
    { name, call }: Event,
    about?: About,
  ): Promise<string[]> => {
    const subscribed = deliveriesOf(sandbox)
      .subscriptions.filter((one) =>
        call ? one.call.sends === call.sends : isSameEvent(one.call.name, name),
      )
      .filter(({ about: one }) => about?.collection !== one.collection || about?.id === one.id);
    const endpoints = call?.callback ? [] : await findEndpoints(sandbox);
    const meant = endpoints.filter((one) => takes(one, call ? [name, call.name] : [name]));
    return [...new Set([...meant, ...subscribed].map(({ url }) => url))];
  };

  const wrap = (operation: Operation, made: Behaviour, reads: Behaviour | undefined): Behaviour => {
    const events = all.flatMap((call) =>
      call.triggers
        .filter(({ operations }) => operations.includes(operation))
        .map(({ event }) => ({ name: event, call })),
    );
    const own = all.filter(({ callback }) => callback?.of === operation);
    if (events.length + own.length === 0) return made;
    const find = createFindSubjects(document, operation, reads);
    const tell = async (
      sandbox: Sandbox,
      call: Call,
      answer: Answer | TextAnswer,
      before: unknown,
    ) => {
      const subjects = await find.after(call, answer, before);
      const source = toExpressionSource(call, answer);
      const aboutOf = (subject?: Subject): About => ({
        collection: operation.resource ?? operation.actsOn,
        id: String(subject?.id),
      });
      const given = own.flatMap((one) => {
        const url = evaluate(one.callback?.url ?? '', source);
        return url === undefined || url === ''
          ? []
          : [{ call: one, url, about: aboutOf(subjects[0]) }];
      });
      for (const one of given) deliveriesOf(sandbox).subscribe(one);
      for (const event of events)
        for (const subject of subjects) {
          const isOwn = event.call.callback?.of === operation;
          const mine = given.filter((one) => one.call === event.call).map(({ url }) => url);
          const urls = isOwn ? mine : await urlsOf(sandbox, event, aboutOf(subject));
          await sandbox.change(() => startAll(sandbox, urls, event, subject));
        }
    };
    return async (call) => {
      const { sandbox } = call;
      if (!sandbox) return made(call);
      const before = await find.before(call);
      const answer = await made(call);
      if (isSuccess(answer))
        await tell(sandbox, call, answer, before).catch((error) =>
          log.error(`The webhooks after ${operation.id} could not be sent: ${error.message}`),
        );
      return answer;
    };
  };

  return {
    async emit(sandbox, name, payload) {
      const isNamed = (one: string) => isSameEvent(one, name);
      const call =
        all.find((one) => isNamed(one.name)) ?? all.find(({ told }) => told.some(isNamed));
      const event = { name, call };
      const urls = await urlsOf(sandbox, event);
      await sandbox.change(() =>
        startAll(sandbox, urls, event, { item: payload, isPayload: true }),
      );
    },
    changeCalls: (calls) => ({
      ...calls,
      behaviourOf(operation, options) {
        const made = calls.behaviourOf(operation, options);
        const reader = findReader(document, operation);
        return wrap(operation, made, reader && calls.behaviourOf(reader, options));
      },
    }),
    tasks: {
      [taskName]: createDeliver({
        send: createSend({ hosts: settings.webhookHosts }),
        async sign(sandbox, { id, url, body }) {
          const endpoints = await findEndpoints(sandbox);
          const own = endpoints.find((one) => one.url === url)?.secret;
          return signatureOf(
            { id, body, at: Date.now(), secret: own ?? secret },
            document.hint.webhooks,
          );
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
