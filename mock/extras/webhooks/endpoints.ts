import { scalarOf } from '../../../contracts/description/collections/schema-types.ts';
import { bodySchemaOf } from '../../../contracts/description/collections/success.ts';
import { singular, wordsOf } from '../../../contracts/description/collections/words.ts';
import type { ApiDocument, Schema } from '../../../contracts/description/document.ts';
import { valueAt } from '../../../contracts/description/property-path.ts';
import { flatten } from '../../../contracts/description/schema.ts';
import { isSameEvent } from '../../../contracts/description/triggers.ts';
import { type Fields, fieldsOf } from '../../items/stored-item.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
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
};

/** A collection whose items are endpoints: where they hold URL, events and secret. */
type EndpointCollection = {
  name: string;
  idProperty: string;
  url: string;
  events: string;
  secret?: string;
};

/** Makes what finds the endpoints of a sandbox now; items that the twin made up are none. */
export function createFindEndpoints(
  document: ApiDocument,
  { urls, madeUp: allMadeUp }: { urls: readonly WebhookUrl[]; madeUp: Collections },
): (sandbox: Sandbox) => Promise<Endpoint[]> {
  const given = urls.map(({ url, event }) => ({
    url,
    ...(event !== undefined && { events: [event] }),
  }));
  const collections = document.resources.flatMap((resource) => {
    const { name, idProperty, operations } = resource;
    const body = operations.create && bodySchemaOf(document.raw, operations.create);
    const found = findMembers(document, body);
    const madeUp = new Set(allMadeUp[name]?.items.map(({ json }) => json));
    return found ? [{ name, idProperty, ...found, madeUp }] : [];
  });
  return async ({ store }) => {
    const found: Endpoint[] = [...given];
    for (const collection of collections) {
      const items = await store.list(collection.name, { filters: {}, limit: Infinity });
      const own = items.filter((json) => !collection.madeUp.has(json));
      found.push(...own.flatMap((json) => toEndpoint(fieldsOf(json), collection) ?? []));
    }
    return found;
  };
}

/** Whether an endpoint is for one of these names of an event. */
export function takes({ events }: Endpoint, names: readonly string[]): boolean {
  const isMeant = (event: string) =>
    event === '*' || names.some((name) => isSameEvent(event, name));
  return events?.some(isMeant) ?? true;
}

/**
 * Where clients give the URL and the list of events of an endpoint: in the fields of a body, or in an
 * object of it, such as `config.url`; undefined where a body has no such fields.
 */
function findMembers({ raw }: ApiDocument, body: Schema | undefined) {
  const own = Object.entries(flatten(raw, body).properties);
  const inner = own.flatMap(([outer, schema]) =>
    Object.entries(flatten(raw, schema).properties).map(
      ([name, one]) => [`${outer}.${name}`, one] as const,
    ),
  );
  const find = (isMeant: (name: string, schema: Schema) => boolean) =>
    [...own, ...inner].find(([name, schema]) => isMeant(name.split('.').at(-1) ?? '', schema))?.[0];
  const events = find(
    (name, schema) =>
      wordsOf(name).map(singular).includes('event') && scalarOf(raw, schema).type === 'array',
  );
  const url = find((name) => wordsOf(name).includes('url'));
  const secret = find((name) => wordsOf(name).includes('secret'));
  return url !== undefined && events !== undefined
    ? { url, events, ...(secret && { secret }) }
    : undefined;
}

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
    ...(typeof secret === 'string' && secret !== '' && { secret }),
  };
}
