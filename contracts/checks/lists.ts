import { type Resource, resolveSchema } from '../document.ts';
import type { Answered } from '../transcript/exchange.ts';
import { changedByOthers, type Histories, type History, readHistories } from '../transcript/histories.ts';
import { type AnsweredFor, answeredFor, type Transcript } from '../transcript/transcript.ts';

export type Item = Record<string, unknown>;

/** The items of a list answer; undefined where it is no array of objects. */
export function itemsOf({ response }: Answered): Item[] | undefined {
  const { json } = response;
  return Array.isArray(json) && json.every((item) => typeof item === 'object' && item !== null) ? (json as Item[]) : undefined;
}

/** Whether an item has the values that filters ask for. */
export function fits(item: Item, filters: Filters): boolean {
  return Object.entries(filters).every(([name, value]) => String(item[name]) === value);
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
  leastCount(filters: Filters, before?: Answered): number;
  /** Each answer that shows all items for its filters, in order of sending. */
  views: WholeView[];
  /** The last of them that was asked for to see what had been created; a deployment had time to list it. */
  settled(filters: Filters): WholeView | undefined;
  /** Items that somebody else may have changed or removed, by id. */
  changed: ReadonlyMap<string, History>;
  /** Whether nothing can be said of an item at an instant: somebody else changed it, or it was created only just before. */
  isUnsure(id: string, instant: number): boolean;
}

type Filters = Readonly<Record<string, string>>;

/** All items that were there for these filters when the exchange was made. */
export type WholeView = { filters: Filters; items: Item[]; exchange: Answered };

const cache = new WeakMap<Transcript, Map<Resource, WholeSets>>();

/** Why nothing can be said of items that somebody else may have changed. */
export function toChangedReason(changed: Iterable<History>): string {
  const [{ id, moves } = { id: '', moves: [] }, ...more] = changed;
  const which = more.length === 0 ? `item ${id}` : `item ${id} and ${more.length} more`;
  return `${which} changed meanwhile (${moves[0]}), and fresh items did not: somebody else may have changed them`;
}

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
    ({ case: { operation }, response }) => operation === resource.operations.list && response.status < 300,
  );
  const views = toViews(lists, resource);
  const idOf = (item: Item) => String(item[resource.idProperty]);
  const histories: Histories = readHistories(transcript, resource);
  const changed = changedByOthers(histories);
  const isUnsure = (id: string, instant: number) => changed.has(id) || histories.isRecent(id, instant);
  return {
    changed,
    isUnsure,
    leastCount(filters, before) {
      // Nothing of the interface removes an item, so what an earlier answer showed is still there.
      const ids = new Set<string>();
      for (const exchange of lists) {
        if (before && exchange.endedAt >= before.sentAt) continue;
        for (const item of itemsOf(exchange) ?? [])
          if (fits(item, filters) && !isUnsure(idOf(item), before?.sentAt ?? Number.POSITIVE_INFINITY)) ids.add(idOf(item));
      }
      return ids.size;
    },
    views,
    settled: (filters) =>
      views.findLast(
        (view) => view.exchange.case.id.includes('(after') && JSON.stringify(view.filters) === JSON.stringify(filters),
      ),
  };
}

/** Pages that are not full show everything, but a default page may leave out what it likes. */
function toViews(lists: readonly AnsweredFor<'list'>[], { pageSize }: Resource): WholeView[] {
  return lists.flatMap((exchange) => {
    const { limit, filters } = exchange.case.purpose;
    const items = itemsOf(exchange);
    const isWhole = items !== undefined && (pageSize === undefined || (limit !== undefined && items.length < limit));
    return isWhole ? [{ filters, items, exchange }] : [];
  });
}
