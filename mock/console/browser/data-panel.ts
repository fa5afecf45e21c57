import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { valueAt } from '../../../contracts/description/property-path.ts';
import type {
  CollectionsView,
  CollectionView,
  DescribedCollection,
} from '../../admin/collection-handlers.ts';
import { stringifyExact } from '../../json/exact-integers.ts';
import { quoted } from '../../pages/browser/parts.ts';
import { ActionButton } from './action-button.ts';
import { SelectField, TextField } from './fields.ts';
import { ItemForm } from './item-form.ts';
import { ItemView } from './item-view.ts';
import { panelSection, problemLine, useNotice, useRemembered } from './panel.ts';
import { useAdmin, useLast } from './use-admin.ts';
import { VirtualGrid } from './virtual-grid.ts';

/** The stored items of each collection, and what changes them. */
export function DataPanel(): JSX.Element {
  const { value, problem } = useAdmin<CollectionsView>('collections', { every: 2000 });
  const last = useLast(value);
  const collections = last && [...last.collections, ...last.singleObjects];
  const [wanted, setWanted] = useRemembered<string | undefined>('collection', undefined);
  const chosen = collections?.find(({ name }) => name === wanted) ?? collections?.[0];
  return html`
    <div class="stack">
      ${problemLine(problem)}
      ${
        collections?.length === 0 &&
        html`<p class="none">The document describes no collection that the mock stores.</p>`
      }
      ${
        collections &&
        collections.length > 1 &&
        h(SelectField, {
          label: 'Collection',
          options: collections.map(
            ({ name, items }) => [name, `${name} (${items.toLocaleString('en')})`] as const,
          ),
          value: chosen?.name ?? '',
          onValue: setWanted,
        })
      }
      ${chosen && h(CollectionItems, { key: chosen.name, name: chosen.name })}
    </div>
  `;
}

function CollectionItems({ name }: { name: string }): JSX.Element | null {
  const place = encodeURIComponent(name);
  const described = useAdmin<DescribedCollection>(`collections/${place}`, { every: 2000 });
  const collection = useLast(described.value);
  const [filters, setFilters] = useRemembered<Readonly<Record<string, string>>>(
    `filters of ${name}`,
    {},
  );
  const [open, setOpen] = useState<string>();
  const [editing, setEditing] = useState<{ item?: Readonly<Record<string, unknown>> }>();
  const notice = useNotice();
  if (!collection) return null;
  const { idProperty } = collection;
  const query = new URLSearchParams(
    Object.entries(filters).filter(([, value]) => value !== ''),
  ).toString();
  const isFiltered = query !== '';
  const leaveForm = () => {
    setEditing(undefined);
    notice.focus();
  };
  return panelSection(
    { id: 'collection', title: name, notice },
    html`
      <div class="row filters" role="search" aria-label="Filter the items">
        ${collection.filters.map((filter) =>
          h(FilterField, {
            key: filter.name,
            filter,
            value: filters[filter.name] ?? '',
            onValue: (value) => setFilters({ ...filters, [filter.name]: value }),
          }),
        )}
        <button type="button" onClick=${() => setEditing({})}>Add an item ...</button>
        ${h(ActionButton, {
          label: isFiltered ? 'Delete these items' : 'Delete all items',
          operation: { method: 'DELETE', path: `data/${place}${isFiltered ? `?${query}` : ''}` },
          dangerous: isFiltered
            ? `Delete the items of ${name} with ${query.replaceAll('&', ', ')}?`
            : `Delete all ${collection.items.toLocaleString('en')} items of ${name}?`,
          onDone: (value) => {
            const { removed } = value as { removed: number };
            notice.setText(
              `${removed.toLocaleString('en')} ${removed === 1 ? 'item is' : 'items are'} deleted.`,
            );
            setOpen(undefined);
          },
        })}
      </div>
      <div class=${open === undefined && !editing ? 'data' : 'data has-item'}>
        ${h(ItemTable, { key: query, collection, query, open, onOpen: setOpen })}
        ${
          editing
            ? h(ItemForm, {
                key: 'form',
                collection,
                item: editing.item,
                onDone: (item) => {
                  const id = String(valueAt(item, idProperty));
                  notice.setText(editing.item ? `${id} is saved.` : `${id} is added.`);
                  setOpen(id);
                  leaveForm();
                },
                onCancel: leaveForm,
              })
            : open !== undefined &&
              h(ItemView, {
                key: open,
                collection,
                id: open,
                onEdit: (item) => setEditing({ item }),
                onDeleted: () => {
                  setOpen(undefined);
                  notice.show(`${open} is deleted.`);
                },
                onClose: () => {
                  setOpen(undefined);
                  notice.focus();
                },
              })
        }
      </div>
    `,
  );
}

type FilterProps = {
  filter: CollectionView['filters'][number];
  value: string;
  onValue: (value: string) => void;
};

function FilterField({ filter: { name, schema }, value, onValue }: FilterProps): JSX.Element {
  const values = Array.isArray(schema.enum)
    ? schema.enum.map(String)
    : schema.type === 'boolean'
      ? ['true', 'false']
      : undefined;
  return values
    ? h(SelectField, { label: name, options: [['', 'All'], ...values], value, onValue })
    : h(TextField, { label: name, kind: 'search', value, onValue });
}

type TableProps = {
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
export function ItemTable({ collection, query, open, onOpen }: TableProps): JSX.Element {
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
  return html`
    <div class="stack item-table">
      ${problemLine(problem)}
      <p role="status" class="sub">${status}</p>
      ${read && total === 0 && html`<p class="none">There is no such item.</p>`}
      ${
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
        })
      }
    </div>
  `;
}

function Cell({ value }: { value: unknown }): JSX.Element {
  if (value === undefined) return html`<span class="quiet">-</span>`;
  const text = typeof value === 'string' ? value : stringifyExact(value);
  return quoted(text.length > maxText ? `${text.slice(0, maxText)} ...` : text);
}

/** A text that is said once it is there, and again once it is another. */
function useStatus(text: string | undefined): string {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (text !== undefined) setSaid(text);
  }, [text]);
  return said;
}
