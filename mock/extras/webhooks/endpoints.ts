import type { EndpointMembers } from '../../../contracts/description/collections/resource.ts';
import type { ApiDocument } from '../../../contracts/description/document.ts';
import { valueAt } from '../../../contracts/description/property-path.ts';
import { toEventKey } from '../../../contracts/description/triggers.ts';
import { type Fields, fieldsOf } from '../../items/stored-item.ts';
import type { ByteText } from '../../json/exact-json.ts';
import { oncePer } from '../../json/once-per.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import { originMember } from '../../state/scopes.ts';
import type { Collections } from '../../state/store.ts';

/** A setting of where webhooks are sent: all of them, or those of one event. */
export type WebhookUrl = { url: string; event?: string };

/** Where webhooks are sent, as a setting or an item of the API says. */
export type Endpoint = {
  url: string;
  /** The names of events that it is for; all unless given. */
  events?: readonly string[];
  /** What the item has for signatures. */
  secret?: string;
  /** The collection and the id of the item that it is of. */
  item?: string;
  /** The origin of the page of another origin that set the item. */
  origin?: string;
};

/** A collection whose items are endpoints. */
type EndpointCollection = EndpointMembers & { name: string; idProperty: string };

/** Finds the endpoints of a sandbox now; items that the twin made up are none. */
export type Endpoints = {
  list: (sandbox: Sandbox) => Promise<Endpoint[]>;
  /** Finds the endpoint of an item. */
  of: (sandbox: Sandbox, item: string) => Promise<Endpoint | undefined>;
};

/** Creates what finds endpoints: those of settings, and items of collections with URLs and events. */
export function createEndpoints(
  document: ApiDocument,
  { urls, madeUp: allMadeUp }: { urls: readonly WebhookUrl[]; madeUp: Collections },
): Endpoints {
  const given = urls.map(({ url, event }) => ({
    url,
    ...(event !== undefined && { events: [event] }),
  }));
  const collections = document.resources.flatMap(({ name, idProperty, endpoint }) => {
    const madeUp = new Set(allMadeUp[name]?.items.map(({ json }) => json));
    const readOf = oncePer((_: Sandbox) => new ReadEndpoints());
    return endpoint ? [{ madeUp, readOf, at: { name, idProperty, ...endpoint } }] : [];
  });
  const list: Endpoints['list'] = async (sandbox) => {
    const found: Endpoint[] = [...given];
    for (const { madeUp, readOf, at } of collections) {
      const items = await sandbox.store.list(at.name, { filters: {}, limit: Infinity });
      const read = readOf(sandbox).of(items, (json) =>
        madeUp.has(json) ? undefined : toEndpoint(fieldsOf(json), at),
      );
      for (const one of read) found.push(one);
    }
    return found;
  };
  const of: Endpoints['of'] = async ({ store }, item) => {
    const named = collections.filter(({ at }) => item.startsWith(`${at.name}/`));
    const [one] = named.toSorted((one, other) => other.at.name.length - one.at.name.length);
    const json = one && (await store.get(one.at.name, item.slice(one.at.name.length + 1)));
    return json && toEndpoint(fieldsOf(json), one.at);
  };
  return { list, of };
}

/** The endpoints of items; each event asks for all, so only items that changed are read. */
class ReadEndpoints {
  #items: readonly ByteText[] = [];
  #read = new Map<ByteText, Endpoint | undefined>();
  #found: Endpoint[] = [];

  of(items: readonly ByteText[], read: (json: ByteText) => Endpoint | undefined): Endpoint[] {
    const known = this.#items;
    if (items.length === known.length && items.every((json, at) => json === known[at]))
      return this.#found;
    const before = this.#read;
    const toEntry = (json: ByteText) =>
      [json, before.has(json) ? before.get(json) : read(json)] as const;
    this.#items = items;
    this.#read = new Map(items.map(toEntry));
    this.#found = [...this.#read.values()].filter((one) => one !== undefined);
    return this.#found;
  }
}

/** Whether an endpoint is for an event of one of these keys. */
export function takes({ events }: Endpoint, keys: readonly string[]): boolean {
  const own = events && keysOf(events);
  return !own || own.has('*') || keys.some((key) => own.has(key));
}

const keysOf = oncePer(
  (events: readonly string[]) =>
    new Set(events.map((event) => (event === '*' ? event : toEventKey(event)))),
);

/** One that is switched off by its item gets nothing. */
function toEndpoint(item: Fields, at: EndpointCollection): Endpoint | undefined {
  const url = valueAt(item, at.url);
  const events = valueAt(item, at.events);
  const secret = at.secret && valueAt(item, at.secret);
  const isOff = item.active === false || item.enabled === false || item.status === 'disabled';
  if (isOff || typeof url !== 'string' || !Array.isArray(events)) return undefined;
  return {
    url,
    events: events.map(String),
    item: `${at.name}/${valueAt(item, at.idProperty)}`,
    ...(Object.hasOwn(item, originMember) && { origin: String(item[originMember]) }),
    ...(typeof secret === 'string' && secret !== '' && { secret }),
  };
}
