import type { Collections } from '../../state/store.ts';
import { type Change, Table } from '../../state/table.ts';
import { tableOf } from '../../state/tables.ts';

/** A field of the hash of items, and its value; an empty value removes the field. */
export type Field = readonly [name: string, value: string];

/** Of no item, so that a hash without items is there too. */
const marker: Field = ['all', '1'];

/**
 * The fields that changes mean: one for a collection, `"NAME"`, with its next number and the last
 * serial number, and one for an item, `"NAME" SERIAL`. Names and ids are JSON texts, as halves of
 * surrogate pairs would be all alike in UTF-8.
 */
export function toFields(changes: readonly Change[], lastSerialOf: (name: string) => number) {
  const fields = new Map<string, string>();
  const lastSerials = new Map<string, number>();
  for (const { collection, serial, next, put } of changes) {
    const name = JSON.stringify(collection);
    const last = Math.max(serial, lastSerials.get(collection) ?? lastSerialOf(collection));
    lastSerials.set(collection, last);
    fields.set(name, JSON.stringify([next, last]));
    fields.set(`${name} ${serial}`, put ? JSON.stringify([put.id, put.json, put.filters]) : '');
  }
  return [...fields];
}

/** The fields of all items. */
export function* allFields(collections: Collections): Generator<Field> {
  yield marker;
  for (const [collection, contents] of Object.entries(collections)) {
    const table = tableOf(contents);
    const name = JSON.stringify(collection);
    yield [name, JSON.stringify([table.next, table.lastSerial])];
    for (const { serial, item } of table.entries())
      yield [`${name} ${serial}`, JSON.stringify([item.id, item.json, item.filters])];
  }
}

/** Reads the fields of all items, names and values in turn. */
export function readFields(list: readonly string[]): Collections {
  const tables = new Map<string, { table: Table; about: string }>();
  const items: [name: string, serial: number, text: string][] = [];
  for (let at = 0; at < list.length; at += 2) {
    const [field, value] = [list[at] as string, list[at + 1] as string];
    if (field === marker[0]) continue;
    const end = field.lastIndexOf('"') + 1;
    const name = field.slice(0, end);
    if (end === field.length) tables.set(name, { table: new Table(), about: value });
    else items.push([name, Number(field.slice(end)), value]);
  }
  for (const [name, serial, text] of items.toSorted((left, right) => left[1] - right[1])) {
    const [id, json, filters] = JSON.parse(text);
    tables.get(name)?.table.put({ item: { id, json, filters }, serial, next: 1 });
  }
  return Object.fromEntries(
    [...tables].map(([name, { table, about }]) => {
      const [next, lastSerial] = JSON.parse(about);
      return [JSON.parse(name), Object.assign(table, { next, lastSerial })];
    }),
  );
}
