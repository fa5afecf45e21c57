import { randomUUID } from 'node:crypto';
import { nearestName } from '../../../common/cli/nearest-name.ts';
import { stringifyExact } from '../../../common/json.ts';
import { oncePer } from '../../../common/once-per.ts';
import type { TraceHeaders } from '../../journal/trace.ts';
import { quote } from '../../json/quote.ts';
import type { Log } from '../../log.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import {
  type Delivery,
  deliveriesOf,
  ownHeaders,
  planTries,
  type Subscription,
} from './deliveries.ts';
import { type FindEndpoints, takes } from './endpoints.ts';
import { idIn, type MakePayload, type Subject } from './payload.ts';
import { isSameEvent, type TriggeredCall, toEventKey } from './triggers.ts';

/** An event: its name, and its webhook or callback, if any. */
export type Event = { name: string; call?: TriggeredCall | undefined };

/** An event, with an item that it is about, or with a payload; it goes to URLs if it has any. */
export type Announcement = EventSubject & { event: Event; to?: readonly Receiver[] };

/**
 * Starts the deliveries of events to their endpoints and subscriptions, or to the URLs that are given,
 * with the trace of the call that caused them.
 */
export type Announce = (
  sandbox: Sandbox,
  all: readonly Announcement[],
  trace?: TraceHeaders,
) => Promise<void>;

/** A URL that an event goes to. */
export type Receiver = Pick<Delivery, 'item' | 'origin'> & { url: string };

type EventSubject = Subject & { isPayload?: boolean };

/** How many receivers an event is sent to. */
const maxReceivers = 100;

export type AnnounceOptions = {
  makePayload: MakePayload;
  findEndpoints: FindEndpoints;
  log: Pick<Log, 'warn'>;
};

/** Creates the start of deliveries; an event without an endpoint is listed, too, and so is an emitted callback. */
export function createAnnounce({ makePayload, findEndpoints, log }: AnnounceOptions): Announce {
  return async (sandbox, all, trace) => {
    const deliveries = deliveriesOf(sandbox);
    const endpoints = await findEndpoints(sandbox);
    const endpointsOf = oncePer(({ name, call }: Event) => {
      const keys = [name, ...(call ? [call.name] : [])].map(toEventKey);
      return call?.callback ? [] : endpoints.filter((one) => takes(one, keys));
    });
    const findReceivers = ({ event, ...told }: Announcement): Receiver[] => {
      const { name, call } = event;
      const subscribed = deliveries.subscriptions.filter(
        (one) =>
          (call ? one.call.sends === call.sends : isSameEvent(one.call.name, name)) &&
          !isOther(one, told),
      );
      const byUrl = new Map<string, Receiver>();
      const own = endpointsOf(event).filter((one) => !isElsewhere(one, told));
      for (const one of [...own, ...subscribed] as Receiver[])
        if (rankOf(one) > rankOf(byUrl.get(one.url))) byUrl.set(one.url, one);
      return [...byUrl.values()];
    };
    const planned: Delivery[] = [];
    const crowded = new Map<string, number>();
    for (const one of all) {
      const { event, to, ...told } = one;
      const { name, call } = event;
      const receivers = to ?? findReceivers(one);
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
      const headers = ownHeaders(text === '' ? undefined : mediaType, trace);
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
      const meant = receivers.filter(({ url }) => !deliveries.isGone(url));
      if (meant.length > maxReceivers) crowded.set(name, meant.length);
      for (const { url, item, origin } of meant.slice(0, maxReceivers)) {
        const delivery = { ...toDelivery(), url, item, origin };
        deliveries.add(delivery);
        planned.push(delivery);
      }
      const isListed = receivers.length === 0 && (!call?.callback || told.isPayload);
      if (isListed) deliveries.add(toDelivery());
    }
    for (const [name, count] of crowded)
      log.warn(
        `The webhook ${name} has ${count} receivers, and is sent to the first ${maxReceivers} alone.`,
      );
    const problems = await planTries(sandbox, planned);
    if (problems.length > 0)
      log.warn(`${problems.length} of ${planned.length} webhooks are not sent. ${problems[0]}`);
    deliveries.wake();
  };
}

/**
 * An endpoint of the API has its own secret, so it goes before another with its URL; what a page of
 * another origin set comes last.
 */
function rankOf(one: Receiver | undefined): number {
  if (one?.origin !== undefined) return 1;
  return one ? (one.item === undefined ? 2 : 3) : 0;
}

/** Returns advice on a name that is like a name of the document; undefined for all other names. */
export function adviceOn(name: string, all: readonly TriggeredCall[]): string | undefined {
  const names = all.flatMap((one) => [one.name, ...one.told]);
  if (names.some((one) => isSameEvent(one, name))) return undefined;
  const nearest = nearestName(name, names);
  return nearest && `The document has no webhook ${quote(name)}. Did you mean ${quote(nearest)}?`;
}

/** Whether a URL was given for another item of a collection than something happened to. */
function isOther(one: Subscription, { isPayload, item, ...subject }: EventSubject): boolean {
  if (isElsewhere(one, subject)) return true;
  if (one.collection === undefined) return false;
  if (!isPayload) return one.collection === subject.collection && !isSame(one.id, subject.id);
  const id = idIn(item, one);
  return id !== undefined && one.id !== undefined && !isSame(one.id, id);
}

/** Whether the paths of two things begin alike, but name other parents there. */
function isElsewhere({ places = {} }: Pick<Subject, 'places'>, other: Pick<Subject, 'places'>) {
  return Object.entries(other.places ?? {}).some(
    ([shape, value]) => places[shape] !== undefined && !isSame(places[shape], value),
  );
}

function isSame(id: unknown, other: unknown): boolean {
  return String(id) === String(other);
}
