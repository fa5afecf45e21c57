import { stringifyExact } from '../common/json.ts';
import { parseExact } from '../mock/json/exact-json.ts';
import { type Send, segment, TwinError } from './admin-client.ts';
import type { components } from './types.d.ts';

type Schemas = components['schemas'];

/**
 * The items and filters of collections, by name. If you serve another document, declare its
 * collections here, in a `declare module 'petstore-twin'`; others have items of any fields.
 */
export interface DataCollections {
  pets: { item: Schemas['Pet']; filters: { status?: Schemas['PetStatus'] } };
}

type Name = keyof DataCollections | (string & Record<never, never>);

/** An item of a collection. Integers that a number cannot hold exactly are bigints. */
export type DataItem<C> = C extends keyof DataCollections
  ? DataCollections[C]['item']
  : Record<string, unknown>;

/** The values that items must have. */
export type DataFilters<C> = C extends keyof DataCollections
  ? DataCollections[C]['filters']
  : Record<string, string | number | bigint | boolean>;

/** A value as it is given: with a bigint in place of a number, where that cannot hold it. */
type GivenValue<T> = T extends number
  ? number | bigint
  : T extends object
    ? { [Field in keyof T]: GivenValue<T[Field]> }
    : T;

/** The fields of a new item, which need no id. */
export type NewDataItem<C> = GivenValue<
  DataItem<C> extends { id: infer Id } ? Omit<DataItem<C>, 'id'> & { id?: Id } : DataItem<C>
>;

/** A merge patch (RFC 7396): the fields to change; null removes one. */
export type DataPatch<C> = { [Field in keyof DataItem<C>]?: GivenValue<DataItem<C>[Field]> | null };

/** An id, to the digit where it is given as a string or a bigint. */
export type DataId = string | number | bigint;

/** Reads and changes the stored items, beyond what the API allows. */
export interface Data {
  /** The items that equal all filters, in order of creation; all of them without filters. */
  list<C extends Name>(
    collection: C,
    filters?: DataFilters<C>,
    page?: { skip?: number; limit?: number },
  ): Promise<DataItem<C>[]>;
  /** Rejects with the code `not_found` if there is none, like the next ones. */
  get<C extends Name>(collection: C, id: DataId): Promise<DataItem<C>>;
  /** Adds an item, with the next id unless it has one that is free. */
  create<C extends Name>(collection: C, item: NewDataItem<C>): Promise<DataItem<C>>;
  /** Replaces an item, or adds one with this id. */
  replace<C extends Name>(collection: C, id: DataId, item: NewDataItem<C>): Promise<DataItem<C>>;
  /** Changes fields of an item. */
  patch<C extends Name>(collection: C, id: DataId, patch: DataPatch<C>): Promise<DataItem<C>>;
  remove(collection: Name, id: DataId): Promise<void>;
  /** Removes the items that equal all filters, or all of them, and gives how many there were. */
  clear<C extends Name>(collection: C, filters?: DataFilters<C>): Promise<number>;
}

/** Reads and changes the items of the sandbox that `send` calls. */
export function createData(send: Send): Data {
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const content = await send(method, path, body === undefined ? undefined : stringifyExact(body));
    return (content === '' ? undefined : parseExact(content)) as T;
  };
  const pathOf = (collection: string, query: object = {}) => {
    const given = new URLSearchParams();
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) given.set(name, String(value));
    return `data/${segment(collection)}?${given}`.replace(/\?$/, '');
  };
  const placeOf = (collection: string, id: DataId) =>
    `${pathOf(collection)}/${segment(String(id))}`;
  return {
    list: async <C extends Name>(collection: C, filters?: DataFilters<C>, page = {}) => {
      const path = pathOf(collection, { ...(filters as object), ...page });
      return (await call<{ items: DataItem<C>[] }>('GET', path)).items;
    },
    get: (collection, id) => call('GET', placeOf(collection, id)),
    create: (collection, item) => call('POST', pathOf(collection), item),
    replace: (collection, id, item) => call('PUT', placeOf(collection, id), item),
    patch: (collection, id, patch) => call('PATCH', placeOf(collection, id), patch),
    remove: (collection, id) => call('DELETE', placeOf(collection, id)),
    clear: async (collection, filters) => {
      const given = Object.entries((filters ?? {}) as object);
      const [missing] = given.find(([, value]) => value === undefined) ?? [];
      // It would remove what the filter was to leave.
      if (missing !== undefined)
        throw new TwinError(`The filter "${missing}" is undefined. Leave it out to remove all.`);
      const path = pathOf(collection, Object.fromEntries(given));
      return (await call<{ removed: number }>('DELETE', path)).removed;
    },
  };
}
