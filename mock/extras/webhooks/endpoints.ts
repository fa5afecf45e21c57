import { oncePer } from '../../../common/once-per.ts';
import { placesIn } from '../../../common/path-template.ts';
import { valueAt } from '../../../common/property-path.ts';
import type { Api, EndpointMembers, Resource } from '../../../openapi/index.ts';
import { distinctIdOf, type Fields, fieldsOf } from '../../items/stored-item.ts';
import type { ByteText } from '../../json/exact-json.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import { memberOf, originMember } from '../../state/scopes.ts';
import type { Collections } from '../../state/store.ts';
import type { Subject } from './payload.ts';
import { toEventKey } from './triggers.ts';

/**
 * A URL of the settings that gets all webhooks, or those of one event; a path is one of another API
 * of the process.
 */
export type WebhookUrl = { url: string; event?: string };

/** A receiver of webhooks that a setting or an item of the API names. */
export type Endpoint = {
  url: string;
  /** The names of events that it is for; all unless given. */
  events?: readonly string[];
  /** The secret of the item, for signatures. */
  secret?: string;
  /** The collection and the id of its item, behind the ids of parents that may share ids. */
  item?: string;
  /** The origin of the page of another origin that set the item. */
  origin?: string;
  /** The parents of the item. */
  places?: Subject['places'] | undefined;
};

/** Finds the endpoints of a sandbox now; items that the mock made up are none. */
export type FindEndpoints = (sandbox: Sandbox) => Promise<Endpoint[]>;

/** Creates a finder of the endpoints in settings and in items of collections with URLs and events. */
export function createFindEndpoints(
  document: Api,
  {
    urls,
    origin,
    madeUp: allMadeUp,
  }: {
    urls: readonly WebhookUrl[];
    /** Returns the origin of the process, which paths are below. */
    origin?: (() => string) | undefined;
    madeUp: Collections;
  },
): FindEndpoints {
  const toGiven = ({ name }: Sandbox) =>
    urls.map(
      ({ url, event }): Endpoint => ({
        url: url.startsWith('/') ? `${origin?.()}${inSandbox(url, name)}` : url,
        ...(event !== undefined && { events: [event] }),
      }),
    );
  const collections = document.resources.flatMap((resource) => {
    const { name, endpoint } = resource;
    if (!endpoint) return [];
    const madeUp = new Set(allMadeUp[name]?.items.map(({ json }) => json));
    const read = (json: ByteText) =>
      madeUp.has(json) ? undefined : toEndpoint(resource, endpoint, fieldsOf(json));
    return [{ name, readerOf: oncePer((_: Sandbox) => createReader(read)) }];
  });
  return async (sandbox) => {
    const found = collections.map(async ({ name, readerOf }) =>
      readerOf(sandbox)(await sandbox.store.list(name)),
    );
    const own = (await Promise.all(found)).flat();
    return [...toGiven(sandbox), ...own.filter((one) => one !== undefined)];
  };
}

/** A path of an API, in its sandbox of a name. */
function inSandbox(path: string, name: string): string {
  return name === 'default' ? path : path.replace(/^\/[^/]+/, `$&/sandboxes/${name}`);
}

/** Creates a reader of items that reads only those that are new since its last call. */
function createReader<Value>(read: (json: ByteText) => Value) {
  let known = new Map<ByteText, Value>();
  return (items: readonly ByteText[]): Value[] => {
    const before = known;
    const toValue = (json: ByteText) =>
      before.has(json) ? (before.get(json) as Value) : read(json);
    known = new Map(items.map((json) => [json, toValue(json)]));
    return [...known.values()];
  };
}

/** Tells whether an endpoint is for an event of one of these keys. */
export function takes({ events }: Endpoint, keys: readonly string[]): boolean {
  const own = events && keysOf(events);
  return !own || own.has('*') || keys.some((key) => own.has(key));
}

const keysOf = oncePer(
  (events: readonly string[]) =>
    new Set(events.map((event) => (event === '*' ? event : toEventKey(event)))),
);

/** Reads the endpoint of an item; undefined if the item is none, or is switched off. */
function toEndpoint(resource: Resource, at: EndpointMembers, item: Fields): Endpoint | undefined {
  const url = valueAt(item, at.url);
  const events = valueAt(item, at.events);
  const secret = at.secret && valueAt(item, at.secret);
  const isOff = item.active === false || item.enabled === false || item.status === 'disabled';
  if (isOff || typeof url !== 'string' || !Array.isArray(events)) return undefined;
  const parents = resource.scope?.map((one) => valueAt(item, memberOf(one)));
  return {
    url,
    events: events.map(String),
    places: parents && placesIn(resource.path, parents),
    item: `${resource.name}/${distinctIdOf(resource, item)}`,
    ...(Object.hasOwn(item, originMember) && { origin: String(item[originMember]) }),
    ...(typeof secret === 'string' && secret !== '' && { secret }),
  };
}
