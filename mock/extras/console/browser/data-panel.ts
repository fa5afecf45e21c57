import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { valueAt } from '../../../../contracts/description/property-path.ts';
import { stringifyExact } from '../../../../contracts/json-text.ts';
import type {
  CollectionsView,
  CollectionView,
  DescribedCollection,
} from '../../admin/collection-handlers.ts';
import { SelectField, TextField } from '../../pages/browser/fields.ts';
import { quoted } from '../../pages/browser/parts.ts';
import { ActionButton } from './action-button.ts';
import { Grid } from './grid.ts';
import { ItemForm } from './item-form.ts';
import { ItemView } from './item-view.ts';
import { pager, panelSection, problemLine, useNotice, useRemembered } from './panel.ts';
import { useAdmin } from './use-admin.ts';
import { countOf } from './words.ts';

/** The stored items of each collection, and what changes them. */
export function DataPanel(): JSX.Element {
  const { value, problem } = useAdmin<CollectionsView>('collections', { every: 2000 });
  const collections = value && [...value.collections, ...value.singleObjects];
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
  const path = `collections/${encodeURIComponent(name)}`;
  const { value: collection } = useAdmin<DescribedCollection>(path, { every: 2000 });
  const [filters, setFilters] = useRemembered<Filters>(`filters of ${name}`, {});
  const [open, setOpen] = useState<string>();
  const [editing, setEditing] = useState<{ item?: Item }>();
  const notice = useNotice();
  if (!collection) return null;
  const query = toQuery(filters);
  const leaveForm = () => {
    setEditing(undefined);
    notice.focus();
  };
  const onDone = (item: Item) => {
    const id = String(valueAt(item, collection.idProperty));
    notice.setText(editing?.item ? `${id} is saved.` : `${id} is added.`);
    setOpen(id);
    leaveForm();
  };
  return panelSection(
    { id: 'collection', title: name, notice },
    html`
      <div class="row filters" role="search" aria-label="Filter the items">
        ${filterFields(collection, filters, setFilters)}
        <button type="button" onClick=${() => setEditing({})}>Add an item ...</button>
        ${deleteButton(collection, query, (removed) => {
          notice.setText(`${countOf(removed, 'item')} ${removed === 1 ? 'is' : 'are'} deleted.`);
          setOpen(undefined);
        })}
      </div>
      <div class=${open === undefined && !editing ? 'data' : 'data has-item'}>
        ${h(ItemTable, { key: query, collection, query, open, onOpen: setOpen })}
        ${
          editing
            ? h(ItemForm, { collection, item: editing.item, onDone, onCancel: leaveForm })
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

type Filters = Readonly<Record<string, string>>;

function toQuery(filters: Filters): string {
  const given = Object.entries(filters).filter(([, value]) => value !== '');
  return new URLSearchParams(given).toString();
}

function filterFields(
  collection: DescribedCollection,
  filters: Filters,
  onFilters: (filters: Filters) => void,
): JSX.Element[] {
  return collection.filters.map((filter) =>
    h(FilterField, {
      key: filter.name,
      filter,
      value: filters[filter.name] ?? '',
      onValue: (value) => onFilters({ ...filters, [filter.name]: value }),
    }),
  );
}

/** Deletes the items that equal the filters. */
function deleteButton(
  { name, items }: DescribedCollection,
  query: string,
  onDeleted: (removed: number) => void,
): JSX.Element {
  const path = `data/${encodeURIComponent(name)}`;
  const onDone = (value: unknown) => onDeleted((value as { removed: number }).removed);
  return query === ''
    ? h(ActionButton, {
        label: 'Delete all items',
        operation: { method: 'DELETE', path },
        dangerous: `Delete all ${items.toLocaleString('en')} items of ${name}?`,
        onDone,
      })
    : h(ActionButton, {
        label: 'Delete these items',
        operation: { method: 'DELETE', path: `${path}?${query}` },
        dangerous: `Delete the items of ${name} with ${query.replaceAll('&', ', ')}?`,
        onDone,
      });
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

/** How many items are on a page of the table. */
const pageSize = 100;

const maxColumns = 6;

/** The longest text of a cell, in characters. */
const maxText = 200;

/** All items of a collection that equal the filters, a row each. */
function ItemTable({ collection, query, open, onOpen }: TableProps): JSX.Element {
  const { name, idProperty } = collection;
  const [page, setPage] = useState(0);
  const paging = `${query}&skip=${page * pageSize}&limit=${pageSize}`.replace(/^&/, '');
  const path = `data/${encodeURIComponent(name)}?${paging}`;
  const { value, problem } = useAdmin<Items>(path, { every: 2000 });
  /** The last page that was read stands until the next one is. */
  const last = useRef<{ page: number; read: Items }>(undefined);
  if (value) last.current = { page, read: value };
  const { read, page: shownPage } = last.current ?? { page };
  const total = read?.meta.total ?? 0;
  const items = read?.items ?? [];
  const columns = useColumns(collection, items);
  // Others may delete what was on the last pages.
  const lastPage = Math.max(0, Math.ceil(total / pageSize) - 1);
  useEffect(() => {
    if (read && page > lastPage) setPage(lastPage);
  }, [page, lastPage]);
  return html`
    <div class="stack item-table">
      ${problemLine(problem)}
      <p role="status" class="sub">${read && countOf(total, 'item')}</p>
      ${read && total === 0 && html`<p class="none">There is no such item.</p>`}
      ${
        total > 0 &&
        h(Grid<Item>, {
          label: `Items of ${name}`,
          kind: 'items',
          columns,
          rows: items,
          idOf: (item) => String(valueAt(item, idProperty)),
          cellsOf: (item) => columns.map(({ title }) => toCell(valueAt(item, title))),
          open,
          onOpen: (item) => onOpen(String(valueAt(item, idProperty))),
          part: {
            first: shownPage * pageSize,
            count: total,
            onSeek: (place) => setPage(Math.floor(place / pageSize)),
          },
        })
      }
      ${pager({ about: `items of ${name}`, count: total, size: pageSize, page, onPage: setPage })}
    </div>
  `;
}

/** The columns of a table; what the items have is known from them alone where nobody describes it. */
function useColumns({ idProperty, schema }: DescribedCollection, items: readonly Item[]) {
  const described = Object.keys((schema.properties ?? {}) as object);
  // A column that was shown stays.
  const names = useRef(new Set([idProperty, ...described])).current;
  if (schema.additionalProperties === true)
    for (const item of items) for (const one of Object.keys(item)) names.add(one);
  return [...names].slice(0, maxColumns).map((title, at) => ({ id: `field-${at}`, title }));
}

function toCell(value: unknown): JSX.Element {
  if (value === undefined) return html`<span class="quiet">-</span>`;
  const text = typeof value === 'string' ? value : stringifyExact(value);
  return quoted(text.length > maxText ? `${text.slice(0, maxText)} ...` : text);
}
