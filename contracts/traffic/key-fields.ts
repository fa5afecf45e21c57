import type { ApiDocument } from '../description/document.ts';
import { type KeyNames, keyNamesOf } from '../description/key-places.ts';
import type { WaysIn } from '../description/security.ts';
import { isKeyHeader, isKeyParameter } from './credentials.ts';

/** Which fields of a request carry keys, by their names: those that usually do, or a document's own. */
export type KeyFields = {
  isHeader: (name: string) => boolean;
  isParameter: (name: string) => boolean;
  /** Whether the document says that the key is in this parameter. */
  isStatedParameter: (name: string) => boolean;
  /** The ways in of all operations, each once. */
  waysIn: WaysIn;
};

const cache = new WeakMap<object, KeyFields>();

/** The fields that carry the keys of a document's operations. */
export function keyFieldsOf({ operations }: Pick<ApiDocument, 'operations'>): KeyFields {
  const known = cache.get(operations);
  if (known) return known;
  const ways = operations.flatMap(({ waysIn }) => waysIn.filter((way) => way.length > 0));
  const named = ways.map((way) => [way.map(({ scheme }) => scheme.name).join(' '), way] as const);
  const fields = { ...toKeyFields(keyNamesOf(operations)), waysIn: [...new Map(named).values()] };
  cache.set(operations, fields);
  return fields;
}

function toKeyFields({ headers, parameters }: KeyNames): Omit<KeyFields, 'waysIn'> {
  const own = new Set(headers.map((name) => name.toLowerCase()));
  const isStatedParameter = (name: string) => parameters.includes(name);
  return {
    isHeader: (name) => own.has(name.toLowerCase()) || isKeyHeader(name),
    isParameter: (name) => isStatedParameter(name) || isKeyParameter(name),
    isStatedParameter,
  };
}
