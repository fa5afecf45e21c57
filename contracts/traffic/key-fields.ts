import type { ApiDocument } from '../description/document.ts';
import { type KeyNames, keyNamesOf } from '../description/key-places.ts';
import { isKeyHeader, isKeyParameter } from './credentials.ts';

/** Which fields of a request carry keys, by their names: those that usually do, or a document's own. */
export type KeyFields = {
  isHeader: (name: string) => boolean;
  isParameter: (name: string) => boolean;
  /** Whether the document says that the key is in this parameter. */
  isStatedParameter: (name: string) => boolean;
};

const cache = new WeakMap<object, KeyFields>();

/** The fields that carry the keys of a document's operations. */
export function keyFieldsOf({ operations }: Pick<ApiDocument, 'operations'>): KeyFields {
  const known = cache.get(operations);
  if (known) return known;
  const fields = toKeyFields(keyNamesOf(operations));
  cache.set(operations, fields);
  return fields;
}

function toKeyFields({ headers, parameters }: KeyNames): KeyFields {
  const own = new Set(headers.map((name) => name.toLowerCase()));
  const isStatedParameter = (name: string) => parameters.includes(name);
  return {
    isHeader: (name) => own.has(name.toLowerCase()) || isKeyHeader(name),
    isParameter: (name) => isStatedParameter(name) || isKeyParameter(name),
    isStatedParameter,
  };
}
