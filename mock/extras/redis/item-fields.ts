import type { CollectionDifferences, Difference, Differences } from '../../state/differences.ts';
import type { Change } from '../../state/round.ts';
import type { StoredItem } from '../../state/store.ts';
import type { Fields } from './usage.ts';

/** Stands for the removal of a field, as no field is empty. */
const removed = '';

/** An item that was there at the start, and is gone. */
const gone = '-';

/** Marks, in place of a value, that all fields of a collection are removed. */
export const cleared = '*';

/**
 * The name of a collection or an id, without line breaks and as well-formed text: ids with half a
 * surrogate pair would be all alike in UTF-8.
 */
const quote = (text: string) => JSON.stringify(text);

/** Whether nothing is left of what a collection held at the start; its next number. */
const toEmptied = (collection: string) => `emptied ${quote(collection)}`;
const toNext = (collection: string) => `next ${quote(collection)}`;

const toItem = (collection: string, id: string) => `item ${quote(collection)}\n${quote(id)}`;
const toPlace = (collection: string, id: string) => `place ${quote(collection)}\n${quote(id)}`;

/**
 * What changes mean for the fields of a hash that says what differs from the seeds, in the form that
 * scripts/append.lua takes.
 */
export function toFieldChanges(changes: readonly Change[]): [name: string, value: string][] {
  // Only the last value of a field counts.
  const fields = new Map<string, string>();
  const set = (name: string, value: string) => {
    if (fields.has(name)) fields.delete(name);
    fields.set(name, value);
  };
  for (const change of changes) {
    const { collection } = change;
    if (change.act === 'clear') {
      set(quote(collection), cleared);
      set(toEmptied(collection), '1');
    } else if (change.act === 'remove') {
      const { id, isSeed } = change;
      set(toItem(collection, id), isSeed ? gone : removed);
      set(toPlace(collection, id), removed);
    } else {
      const { item, place } = change;
      set(toItem(collection, item.id), toText(item));
      if (place !== undefined) set(toPlace(collection, item.id), String(place));
    }
    set(toNext(collection), String(change.next));
  }
  return [...fields];
}

/** The fields of a hash that says so of whole collections. */
export function toItemFields(differences: Differences): Fields {
  const fields: Fields = {};
  for (const [collection, { next, isEmptied, items }] of Object.entries(differences)) {
    fields[toNext(collection)] = String(next);
    if (isEmptied) fields[toEmptied(collection)] = '1';
    for (const { id, item, place } of items) {
      fields[toItem(collection, id)] = item ? toText(item) : gone;
      if (place !== undefined) fields[toPlace(collection, id)] = String(place);
    }
  }
  return fields;
}

/** Reads such fields. */
export function readItemFields(fields: Fields): Differences {
  const differences = new Map<string, CollectionDifferences & { items: Difference[] }>();
  for (const [field, value] of Object.entries(fields)) {
    if (!field.startsWith('next ')) continue;
    const collection = JSON.parse(field.slice('next '.length));
    const isEmptied = fields[toEmptied(collection)] !== undefined;
    const next = Number(value);
    differences.set(collection, { next, ...(isEmptied && { isEmptied }), items: [] });
  }
  for (const [field, value] of Object.entries(fields)) {
    if (!field.startsWith('item ')) continue;
    const end = field.indexOf('\n');
    const collection = JSON.parse(field.slice('item '.length, end));
    const id = JSON.parse(field.slice(end + 1));
    const place = fields[toPlace(collection, id)];
    differences.get(collection)?.items.push({
      id,
      ...(value !== gone && { item: readItem(id, value) }),
      ...(place !== undefined && { place: Number(place) }),
    });
  }
  return Object.fromEntries(differences);
}

function toText({ json, filters }: StoredItem): string {
  return JSON.stringify([json, filters]);
}

function readItem(id: string, text: string): StoredItem {
  const [json, filters] = JSON.parse(text);
  return { id, json, filters };
}
