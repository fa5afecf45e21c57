import type { Change } from '../state/change-log.ts';
import type { Difference, Differences } from '../state/differences.ts';
import type { StoredItem } from '../state/store.ts';
import type { Fields } from './usage.ts';

/** Stands for the removal of a field, as no field is empty. */
const removed = '';

/** An item that was there at the start, and is gone. */
const gone = '-';

/** Marks, in place of a value, that all fields of a collection are removed. */
const cleared = '*';

/** Whether nothing is left of what a collection held at the start; its next number. */
const toEmptied = (collection: string) => `emptied ${collection}`;
const toNext = (collection: string) => `next ${collection}`;

/** Names of collections have no line breaks. */
const toItem = (collection: string, id: string) => `item ${collection}\n${id}`;
const toPlace = (collection: string, id: string) => `place ${collection}\n${id}`;

/**
 * What changes mean for the fields of a hash that says what differs from the seeds, in the form that
 * scripts/append.lua takes.
 */
export function toFieldChanges(changes: readonly Change[]): [name: string, value: string][] {
  return changes.flatMap((change): [string, string][] => {
    const { collection } = change;
    const next: [string, string] = [toNext(collection), String(change.next)];
    if (change.act === 'clear') return [[collection, cleared], [toEmptied(collection), '1'], next];
    if (change.act === 'remove') {
      const { id, isSeed } = change;
      return [
        [toItem(collection, id), isSeed ? gone : removed],
        [toPlace(collection, id), removed],
        next,
      ];
    }
    const { item, place } = change;
    return [
      [toItem(collection, item.id), toText(item)],
      ...(place === undefined ? [] : [[toPlace(collection, item.id), String(place)]]),
      next,
    ] as [string, string][];
  });
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
  const differences: Record<string, { next: number; isEmptied?: true; items: Difference[] }> = {};
  for (const [field, value] of Object.entries(fields)) {
    if (!field.startsWith('next ')) continue;
    const collection = field.slice('next '.length);
    differences[collection] = {
      next: Number(value),
      ...(fields[toEmptied(collection)] !== undefined && { isEmptied: true }),
      items: [],
    };
  }
  for (const [field, value] of Object.entries(fields)) {
    if (!field.startsWith('item ')) continue;
    const end = field.indexOf('\n');
    const collection = field.slice('item '.length, end);
    const id = field.slice(end + 1);
    const place = fields[toPlace(collection, id)];
    differences[collection]?.items.push({
      id,
      ...(value !== gone && { item: readItem(id, value) }),
      ...(place !== undefined && { place: Number(place) }),
    });
  }
  return differences;
}

function toText({ json, filters }: StoredItem): string {
  return JSON.stringify([json, filters]);
}

function readItem(id: string, text: string): StoredItem {
  const [json, filters] = JSON.parse(text);
  return { id, json, filters };
}
