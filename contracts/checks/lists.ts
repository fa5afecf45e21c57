import { type Resource, resolveSchema } from '../document.ts';
import type { Answered } from '../run/exchange.ts';
import { type AnsweredFor, answeredFor, type Transcript } from '../run/transcript.ts';

export type Item = Record<string, unknown>;

/** The items of a list answer; undefined where it is no array of objects. */
export function itemsOf({ response }: Answered): Item[] | undefined {
  const { json } = response;
  return Array.isArray(json) && json.every((item) => typeof item === 'object' && item !== null) ? (json as Item[]) : undefined;
}

export type ListRules = { resource: Resource; maximum: number; usual: number | undefined };

/** The bounds of the list that an exchange called; undefined where it called none. */
export function listOf({ document }: Transcript, { case: { operation } }: Answered): ListRules | undefined {
  const resource = document.resources.find(({ operations }) => operations.list !== undefined && operations.list === operation);
  if (!resource) return undefined;
  const parameter = operation?.parameters.find(({ name }) => name === resource.pageSize);
  const { maximum, default: usual } = resolveSchema(document, parameter?.schema ?? {}) as { maximum?: number; default?: number };
  return { resource, maximum: maximum ?? Number.POSITIVE_INFINITY, usual };
}

/** What the largest pages show of a resource. */
export interface WholeSets {
  /** A number of items that are surely there for these filters, before an exchange where one is given. */
  leastCount(filters: Readonly<Record<string, string>>, before?: Answered): number;
  /** All items for these filters as listed after everything was created, or undefined where a page does not show them all. */
  whole(filters: Readonly<Record<string, string>>): { items: Item[]; exchange: Answered } | undefined;
}

const cache = new WeakMap<Transcript, Map<Resource, WholeSets>>();

/** Reads the largest pages of a resource. */
export function wholeSets(transcript: Transcript, resource: Resource): WholeSets {
  const ofTranscript = cache.get(transcript) ?? new Map<Resource, WholeSets>();
  cache.set(transcript, ofTranscript);
  const known = ofTranscript.get(resource) ?? readWholeSets(transcript, resource);
  ofTranscript.set(resource, known);
  return known;
}

function readWholeSets(transcript: Transcript, resource: Resource): WholeSets {
  const lists = answeredFor(transcript, 'list').filter(
    ({ case: { operation }, response }) => operation === resource.operations.list && response.status === 200,
  );
  const fits = (item: Item, filters: Readonly<Record<string, string>>) =>
    Object.entries(filters).every(([name, value]) => String(item[name]) === value);
  const idOf = (item: Item) => String(item[resource.idProperty]);
  return {
    leastCount(filters, before) {
      // Nothing is ever removed, so what an earlier answer showed is still there.
      const ids = new Set<string>();
      for (const exchange of lists) {
        if (before && exchange.endedAt >= before.sentAt) continue;
        for (const item of itemsOf(exchange) ?? []) if (fits(item, filters)) ids.add(idOf(item));
      }
      return ids.size;
    },
    whole(filters) {
      const last = lists.findLast((exchange): exchange is AnsweredFor<'list'> => isLast(exchange, filters, resource));
      const items = last && itemsOf(last);
      const limit = last?.case.purpose.limit;
      return last && items && (limit === undefined || items.length < limit) ? { items, exchange: last } : undefined;
    },
  };
}

function isLast(
  { case: { id, purpose } }: AnsweredFor<'list'>,
  filters: Readonly<Record<string, string>>,
  resource: Resource,
): boolean {
  const same = JSON.stringify(purpose.filters) === JSON.stringify(filters);
  return same && id.endsWith('(after)') && (purpose.limit !== undefined || resource.pageSize === undefined);
}
