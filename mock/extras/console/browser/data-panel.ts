import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { stringifyExact } from '../../../../common/json-text.ts';
import { valueAt } from '../../../../common/property-path.ts';
import type {
  CollectionsView,
  CollectionView,
  DescribedCollection,
} from '../../admin/collection-handlers.ts';
import { SelectField, TextField } from '../../pages/browser/fields.ts';
import { CopyButton, quoted } from '../../pages/browser/parts.ts';
import { countOf, number } from '../../pages/browser/words.ts';
import { ActionButton } from './action-button.ts';
import { JsonForm } from './json-form.ts';
import { toNewItem } from './new-item.ts';
import { pager, panelSection, problemLine } from './panel.ts';
import { RowsTable } from './rows-table.ts';
import { useAdmin, useRemembered } from './use-admin.ts';

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
            ({ name, items }) => [name, `${name} (${number(items)})`] as const,
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
  const [isAdding, setAdding] = useState(false);
  const [said, setSaid] = useState('');
  if (!collection) return null;
  const given = Object.entries(filters).filter(([, value]) => value !== '');
  const query = new URLSearchParams(given).toString();
  const show = (id: string | undefined) => {
    setAdding(false);
    setOpen(id);
  };
  const onDeleted = (removed: number) => {
    setSaid(`${countOf(removed, 'item')} ${removed === 1 ? 'is' : 'are'} deleted.`);
    show(undefined);
  };
  const onAdded = (item: Item) => {
    const id = String(valueAt(item, collection.idProperty));
    setSaid(`${id} is added.`);
    show(id);
  };
  return panelSection(
    { id: 'collection', title: name, said },
    html`
      <div class="row filters" role="search" aria-label="Filter the items">
        ${collection.filters.map((filter) =>
          filterField(filter, filters[filter.name] ?? '', (value) =>
            setFilters({ ...filters, [filter.name]: value }),
          ),
        )}
        <button type="button" onClick=${() => setAdding(true)}>Add an item ...</button>
        ${deleteButton(collection, query, onDeleted)}
      </div>
      <div class=${open === undefined && !isAdding ? 'data' : 'data has-item'}>
        ${h(ItemTable, { key: query, collection, query, open, onOpen: show })}
        ${
          isAdding
            ? h(NewItem, { collection, onDone: onAdded, onCancel: () => show(undefined) })
            : open !== undefined &&
              h(OpenItem, {
                key: open,
                collection,
                id: open,
                onClose: () => show(undefined),
                say: setSaid,
              })
        }
      </div>
    `,
  );
}

type Filters = Readonly<Record<string, string>>;

type Item = Readonly<Record<string, unknown>>;

function filterField(
  { name, schema }: CollectionView['filters'][number],
  value: string,
  onValue: (value: string) => void,
): JSX.Element {
  const listed = schema.type === 'boolean' ? [true, false] : schema.enum;
  const shared = { key: name, label: name, value, onValue };
  return Array.isArray(listed)
    ? h(SelectField, { ...shared, options: [['', 'All'], ...listed.map(String)] })
    : h(TextField, { ...shared, kind: 'search' });
}

/** Deletes the items that equal the filters. */
function deleteButton(
  { name, items }: DescribedCollection,
  query: string,
  onDeleted: (removed: number) => void,
): JSX.Element {
  const path = `data/${encodeURIComponent(name)}`;
  const isAll = query === '';
  return h(ActionButton, {
    label: isAll ? 'Delete all items' : 'Delete these items',
    operation: { method: 'DELETE', path: isAll ? path : `${path}?${query}` },
    dangerous: isAll
      ? `Delete all ${number(items)} items of ${name}?`
      : `Delete the items of ${name} with ${query.replaceAll('&', ', ')}?`,
    onDone: (value) => onDeleted((value as { removed: number }).removed),
  });
}

type TableProps = {
  collection: DescribedCollection;
  /** The filters, as a query. */
  query: string;
  /** The id of the item that is open. */
  open: string | undefined;
  onOpen: (id: string) => void;
};

/** How many items are on a page of the table. */
const pageSize = 100;

const maxColumns = 6;

/** The longest text of a cell, in characters. */
const maxText = 200;

/** All items of a collection that equal the filters, a row each. */
function ItemTable({ collection, query, open, onOpen }: TableProps): JSX.Element {
  const { name, idProperty, schema } = collection;
  const [page, setPage] = useState(0);
  const paging = `${query}&skip=${page * pageSize}&limit=${pageSize}`.replace(/^&/, '');
  const path = `data/${encodeURIComponent(name)}?${paging}`;
  const { value, problem } = useAdmin<{ items: Item[]; meta: { total: number } }>(path, {
    every: 2000,
  });
  const total = value?.meta.total ?? 0;
  const items = value?.items ?? [];
  const described = Object.keys((schema.properties ?? {}) as object);
  const names = [...new Set([idProperty, ...described, ...items.flatMap(Object.keys)])];
  const columns = names.slice(0, maxColumns).map((title, at) => ({ id: `field-${at}`, title }));
  return html`
    <div class="item-table">
      ${problemLine(problem)}
      <p role="status" class="sub">${value && countOf(total, 'item')}</p>
      ${value && items.length === 0 && html`<p class="none">There is no such item.</p>`}
      ${
        items.length > 0 &&
        h(RowsTable<Item>, {
          label: `Items of ${name}`,
          kind: 'items',
          columns,
          opener: 0,
          rows: items,
          idOf: (item) => String(valueAt(item, idProperty)),
          cellsOf: (item) => columns.map(({ title }) => toCell(valueAt(item, title))),
          open,
          onOpen: (item) => onOpen(String(valueAt(item, idProperty))),
        })
      }
      ${pager({ about: `items of ${name}`, count: total, size: pageSize, page, onPage: setPage })}
    </div>
  `;
}

function toCell(value: unknown): JSX.Element {
  if (value === undefined) return html`<span class="quiet">-</span>`;
  const text = typeof value === 'string' ? value : stringifyExact(value);
  return quoted(text.length > maxText ? `${text.slice(0, maxText)} ...` : text);
}

type NewProps = {
  collection: DescribedCollection;
  onDone: (item: Item) => void;
  onCancel: () => void;
};

function NewItem({ collection, onDone, onCancel }: NewProps): JSX.Element {
  const { name, schema, idProperty } = collection;
  const path = `data/${encodeURIComponent(name)}`;
  return h(JsonForm, {
    id: 'new-item',
    title: `Add an item to ${name}`,
    hint: `It gets an id unless it has one ("${idProperty}").`,
    text: stringifyExact(toNewItem(schema, idProperty), 2),
    label: 'Add the item',
    toOperation: (text) => ({ method: 'POST', path, text }),
    onDone: (value) => onDone(value as Item),
    onCancel,
  });
}

type OpenProps = {
  collection: DescribedCollection;
  id: string;
  onClose: () => void;
  say: (text: string) => void;
};

/** An item as JSON, and what changes it. */
function OpenItem({ collection, id, onClose, say }: OpenProps): JSX.Element {
  const path = `data/${encodeURIComponent(collection.name)}/${encodeURIComponent(id)}`;
  const { value: item, problem } = useAdmin<Item>(path, { every: 2000 });
  const json = item && stringifyExact(item, 2);
  if (json === undefined || problem !== undefined)
    return html`
      <section class="card stack">
        ${problemLine(problem)}
        <div class="row"><button type="button" onClick=${onClose}>Close</button></div>
      </section>
    `;
  return h(JsonForm, {
    id: 'item',
    title: id,
    text: json,
    label: 'Save the item',
    toOperation: (text) => ({ method: 'PUT', path, text }),
    onDone: () => say(`${id} is saved.`),
    onCancel: onClose,
    buttons: html`
      ${h(CopyButton, { text: json, about: 'the item as JSON' })}
      ${h(ActionButton, {
        label: 'Delete the item',
        about: id,
        operation: { method: 'DELETE', path },
        dangerous: `Delete ${id}?`,
        onDone: () => {
          say(`${id} is deleted.`);
          onClose();
        },
      })}
    `,
  });
}
