import { randomUUID } from 'node:crypto';
import { nearestName } from '../../../contracts/cli/nearest-name.ts';
import { isSameEvent, type TriggeredCall } from '../../../contracts/description/triggers.ts';
import { stringifyExact } from '../../../contracts/json-text.ts';
import { quote } from '../../json/quote.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import { type About, type Delivery, deliveriesOf, planTry } from './deliveries.ts';
import { type Endpoint, takes } from './endpoints.ts';
import type { Subject } from './happenings.ts';
import type { MakePayload } from './payload.ts';

/** Something that happened: what it is called, and the webhook or callback that tells it, if any. */
export type Event = { name: string; call?: TriggeredCall | undefined };

/** What an event is about: an item, or what a behaviour gives as a payload. */
export type Told = Subject & { isPayload?: boolean };

/** Starts the deliveries of an event, to its endpoints and subscriptions unless URLs are given. */
export type Announce = (
  sandbox: Sandbox,
  event: Event,
  told: Told & { about?: About; urls?: readonly string[] },
) => Promise<void>;

export type AnnounceOptions = {
  makePayload: MakePayload;
  findEndpoints: (sandbox: Sandbox) => Promise<Endpoint[]>;
};

/** Makes what starts deliveries; an event without an endpoint is listed, too. */
export function createAnnounce({ makePayload, findEndpoints }: AnnounceOptions): Announce {
  const findUrls = async (sandbox: Sandbox, { name, call }: Event, about?: About) => {
    const subscribed = deliveriesOf(sandbox).subscriptions.filter(
      (one) =>
        (call ? one.call.sends === call.sends : isSameEvent(one.call.name, name)) &&
        !isAboutOther(one.about, about),
    );
    const endpoints = call?.callback ? [] : await findEndpoints(sandbox);
    const meant = endpoints.filter((one) => takes(one, call ? [name, call.name] : [name]));
    return [...new Set([...meant, ...subscribed].map(({ url }) => url))];
  };
  return async (sandbox, event, { about, urls: given, ...told }) => {
    const urls = given ?? (await findUrls(sandbox, event, about));
    const deliveries = deliveriesOf(sandbox);
    const toDelivery = createToDelivery(sandbox, event, told, makePayload);
    for (const url of urls.filter((one) => !deliveries.gone.has(one))) {
      const delivery = { ...toDelivery(), url };
      deliveries.add(delivery);
      await planTry(sandbox, delivery);
    }
    if (urls.length > 0 || event.call?.callback) return;
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

/** Whether two are about different items of one collection. */
function isAboutOther(one: About, other: About | undefined): boolean {
  const isSameCollection = one.collection !== undefined && one.collection === other?.collection;
  return isSameCollection && one.id !== other?.id;
}

function createToDelivery(
  sandbox: Sandbox,
  { name, call }: Event,
  told: Told,
  makePayload: MakePayload,
): () => Delivery {
  const at = sandbox.clock.now();
  const number = (deliveriesOf(sandbox).count += 1);
  const made = call && makePayload(call, { ...told, event: name, at, number });
  const body = made ?? (call || told.item === undefined ? '' : stringifyExact(told.item));
  const mediaType = call?.sends.body?.mediaTypes?.[0] ?? 'application/json';
  const headers = {
    'user-agent': 'petstore-twin',
    ...(body !== '' && { 'content-type': mediaType }),
  };
  const method = call?.sends.method ?? 'POST';
  const same = { event: name, method, headers, body, at, state: 'unsent' as const };
  return () => ({ id: `msg_${randomUUID().replaceAll('-', '')}`, ...same, tries: [] });
}
