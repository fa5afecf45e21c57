import { randomUUID } from 'node:crypto';
import { nearestName } from '../../../contracts/cli/nearest-name.ts';
import { isSameEvent, type TriggeredCall } from '../../../contracts/description/triggers.ts';
import { stringifyExact } from '../../../contracts/json-text.ts';
import { quote } from '../../json/quote.ts';
import type { Log } from '../../log.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import {
  type Delivery,
  deliveriesOf,
  ownHeaders,
  planTry,
  type Subscription,
} from './deliveries.ts';
import { type Endpoint, takes } from './endpoints.ts';
import { idIn, type MakePayload, type Subject } from './payload.ts';

/** Something that happened: what it is called, and the webhook or callback that tells it, if any. */
export type Event = { name: string; call?: TriggeredCall | undefined };

/**
 * Starts the deliveries of an event: what it is about is an item, or what a behaviour gives as a
 * payload. They go to its endpoints and subscriptions unless URLs are given.
 */
export type Announce = (
  sandbox: Sandbox,
  event: Event,
  told: Told & { urls?: readonly string[] },
) => Promise<void>;

type Receiver = Pick<Endpoint, 'url' | 'item'>;

type Told = Subject & { isPayload?: boolean };

export type AnnounceOptions = {
  makePayload: MakePayload;
  findEndpoints: (sandbox: Sandbox) => Promise<Endpoint[]>;
  log: Pick<Log, 'warn'>;
};

/** Makes what starts deliveries; an event without an endpoint is listed, too, and so is an emitted callback. */
export function createAnnounce({ makePayload, findEndpoints, log }: AnnounceOptions): Announce {
  const findReceivers = async (sandbox: Sandbox, { name, call }: Event, told: Told) => {
    const subscribed = deliveriesOf(sandbox).subscriptions.filter(
      (one) =>
        (call ? one.call.sends === call.sends : isSameEvent(one.call.name, name)) &&
        !isOther(one, told),
    );
    const endpoints = call?.callback ? [] : await findEndpoints(sandbox);
    const meant = endpoints.filter((one) => takes(one, call ? [name, call.name] : [name]));
    // An endpoint of the API has its own secret, so it goes before another with its URL.
    const own = meant.filter(({ item }) => item !== undefined);
    const all: Receiver[] = [...own, ...meant, ...subscribed];
    return all.filter(({ url }, at) => all.findIndex((one) => one.url === url) === at);
  };
  return async (sandbox, event, { urls: given, ...told }) => {
    const receivers =
      given?.map((url): Receiver => ({ url })) ?? (await findReceivers(sandbox, event, told));
    const deliveries = deliveriesOf(sandbox);
    const { name, call } = event;
    const at = sandbox.clock.now();
    const number = (deliveries.count += 1);
    const { text = '', misfit } = call
      ? makePayload(call, { ...told, event: name, at, number })
      : { text: stringifyExact(told.item) };
    if (misfit !== undefined)
      log.warn(
        `emit: The payload given for ${name} does not fit its schema, so the mock made one up. ${misfit}`,
      );
    const mediaType = call?.sends.body?.mediaTypes?.[0] ?? 'application/json';
    const headers = ownHeaders(text === '' ? undefined : mediaType);
    const toDelivery = (): Delivery => ({
      id: `msg_${randomUUID().replaceAll('-', '')}`,
      event: name,
      method: call?.sends.method ?? 'POST',
      headers,
      body: text,
      at,
      state: 'unsent',
      tries: [],
    });
    for (const { url, item } of receivers.filter((one) => !deliveries.isGone(one.url))) {
      const delivery = { ...toDelivery(), url, item };
      deliveries.add(delivery);
      await planTry(sandbox, delivery);
    }
    if (receivers.length > 0 || (call?.callback && !told.isPayload)) return;
    deliveries.add(toDelivery());
    deliveries.wake();
  };
}

/** What to say of a name that is none of the document's, but like one; undefined for all others. */
export function adviceOn(name: string, all: readonly TriggeredCall[]): string | undefined {
  const names = all.flatMap((one) => [one.name, ...one.told]);
  if (names.some((one) => isSameEvent(one, name))) return undefined;
  const nearest = nearestName(name, names);
  return nearest && `The document has no webhook ${quote(name)}. Did you mean ${quote(nearest)}?`;
}

/** Whether a URL was given for another item of a collection than something happened to. */
function isOther(one: Subscription, { isPayload, item, ...subject }: Told): boolean {
  if (one.collection === undefined) return false;
  if (!isPayload) return one.collection === subject.collection && !isSame(one.id, subject.id);
  const id = idIn(item, one);
  return id !== undefined && one.id !== undefined && !isSame(one.id, id);
}

function isSame(id: unknown, other: unknown): boolean {
  return String(id) === String(other);
}
