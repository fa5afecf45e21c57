import { h, type JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { valueAt } from '../../../contracts/description/property-path.ts';
import type { DescribedCollection } from '../../admin/collection-handlers.ts';
import { stringifyExact } from '../../json/exact-integers.ts';
import { Shown } from '../../pages/browser/shown.ts';
import { ProblemLine } from './problem-line.ts';
import { useAdmin } from './use-admin.ts';
import { VirtualGrid } from './virtual-grid.ts';

type Props = {
  collection: DescribedCollection;
  /** The filters, as a query. */
  query: string;
  /** The id of the item that is open. */
  open: string | undefined;
  onOpen: (id: string) => void;
};

type Item = Readonly<Record<string, unknown>>;

type Items = { items: Item[]; meta: { total: number } };

/** How many items are read at once, and where such parts begin. */
const part = { length: 200, step: 100 };

const maxColumns = 6;

/** The longest text of a cell, in characters. */
const maxText = 200;

/** All items of a collection that equal the filters, a row each. */
export function ItemTable({ collection, query, open, onOpen }: Props): JSX.Element {
  const { name, idProperty, schema } = collection;
  const [skip, setSkip] = useState(0);
  const paging = `${query === '' ? '' : `${query}&`}skip=${skip}&limit=${part.length}`;
  const { value, problem } = useAdmin<Items>(`data/${encodeURIComponent(name)}?${paging}`, {
    every: 2000,
  });
  /** What was read last, and where it begins. */
  const last = useRef<{ skip: number; read: Items }>(undefined);
  if (value) last.current = { skip, read: value };
  const { read, skip: start } = last.current ?? { skip: 0 };
  const total = read?.meta.total ?? 0;
  const columns = useRef(
    new Set([idProperty, ...Object.keys((schema.properties ?? {}) as object)]),
  ).current;
  // What the items have is known from them alone, and a column that was shown stays.
  if (schema.additionalProperties === true)
    for (const item of read?.items ?? []) for (const one of Object.keys(item)) columns.add(one);
  const shown = [...columns].slice(0, maxColumns);
  const itemAt = (row: number): Item | undefined => read?.items[row - start];
  const openRow = read?.items.findIndex((item) => String(valueAt(item, idProperty)) === open) ?? -1;
  const status = useStatus(
    read && `${total.toLocaleString('en')} ${total === 1 ? 'item' : 'items'}`,
  );
  return h(
    'div',
    { class: 'stack item-table' },
    h(ProblemLine, { problem }),
    h('p', { role: 'status', class: 'sub' }, status),
    read && total === 0 && h('p', { class: 'none' }, 'There is no such item.'),
    total > 0 &&
      h(VirtualGrid, {
        label: `Items of ${name}`,
        columns: shown,
        count: total,
        cellsOf: (row) => {
          const item = itemAt(row);
          return item && shown.map((column) => h(Cell, { value: valueAt(item, column) }));
        },
        onSight: (first, count) => {
          const isRead = first >= skip && first + count <= skip + part.length;
          if (!isRead)
            setSkip(Math.max(0, Math.floor((first - part.step / 2) / part.step) * part.step));
        },
        open: openRow === -1 ? undefined : start + openRow,
        onOpen: (row) => {
          const item = itemAt(row);
          if (item) onOpen(String(valueAt(item, idProperty)));
        },
      }),
  );
}

function Cell({ value }: { value: unknown }): JSX.Element {
  if (value === undefined) return h('span', { class: 'quiet' }, '-');
  const text = typeof value === 'string' ? value : stringifyExact(value);
  return h(Shown, { text: text.length > maxText ? `${text.slice(0, maxText)} ...` : text });
}

/** A text that is said once it is there, and again once it is another. */
function useStatus(text: string | undefined): string {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (text !== undefined) setSaid(text);
  }, [text]);
  return said;
}
