import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { stringifyExact } from '../../../../common/json.ts';
import { countOf, number } from '../../../../common/look/amounts.ts';
import { valueAt } from '../../../../common/property-path.ts';
import type {
  CollectionsView,
  CollectionView,
  DescribedCollection,
} from '../../admin/collection-handlers.ts';
import { SelectField, TextField } from '../../pages/browser/fields.ts';
import { CopyButton, quoted } from '../../pages/browser/parts.ts';
import { button, jsonForm, pager, panelSection, problemLine } from './panel.ts';
import { RowsTable } from './rows-table.ts';
import type { PanelState } from './state.ts';

/** The stored items of each collection, and what changes them. */
export function dataPanel(state: PanelState): JSX.Element {
  const value = state.read<CollectionsView>('collections', 2000);
  const collections = value && [...value.collections, ...value.singleObjects];
  const [wanted, setWanted] = state.remember<string | undefined>('collection', undefined);
  const name = (collections?.find((one) => one.name === wanted) ?? collections?.[0])?.name;
  if (name === undefined)
    return html`
      ${collections && html`<p class="none">The document describes no collection that the mock stores.</p>`}
    `;
  const options = collections?.map(
    (one) => [one.name, `${one.name} (${number(one.items)})`] as const,
  );
  const collection = state.read<DescribedCollection>(
    `collections/${encodeURIComponent(name)}`,
    2000,
  );
  return html`
    ${
      options &&
      options.length > 1 &&
      h(SelectField, { label: 'Collection', options, value: name, onValue: setWanted })
    }
    ${collection && collectionItems(state, collection)}
  `;
}

type Filters = Readonly<Record<string, string>>;

type Item = Readonly<Record<string, unknown>>;

/** The place beside the items: one of them by its id, a form for a new one, or nothing. */
type SidePanel = { id: string } | 'new' | undefined;

function collectionItems(state: PanelState, collection: DescribedCollection): JSX.Element {
  const { name, idProperty } = collection;
  const [filters, setFilters] = state.remember<Filters>(`filters of ${name}`, {});
  const [beside, show] = state.keep<SidePanel>(`beside ${name}`, undefined);
  const given = Object.entries(filters).filter(([, value]) => value !== '');
  const query = new URLSearchParams(given).toString();
  const close = () => show(undefined);
  const onDeleted = (removed: number) => {
    state.say(`${countOf(removed, 'item')} ${removed === 1 ? 'is' : 'are'} deleted.`);
    close();
  };
  const onAdded = (item: Item) => {
    const id = String(valueAt(item, idProperty));
    state.say(`${id} is added.`);
    show({ id });
  };
  return panelSection(
    state,
    { id: 'collection', title: name },
    html`
      <div class="row filters" role="search" aria-label="Filter the items">
        ${collection.filters.map((filter) =>
          filterField(filter, filters[filter.name] ?? '', (value) =>
            setFilters({ ...filters, [filter.name]: value }),
          ),
        )}
        <button type="button" onClick=${() => show('new')}>Add an item ...</button>
        ${deleteButton(collection, query, onDeleted)}
      </div>
      <div key=${name} class=${beside === undefined ? 'data' : 'data has-item'}>
        ${itemTable(state, collection, { query, beside, onOpen: (id) => show({ id }) })}
        ${beside === 'new' && newItem(state, collection, { onAdded, close })}
        ${typeof beside === 'object' && openItem(state, collection, { id: beside.id, close })}
      </div>
    `,
  );
}

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
  return button({
    label: isAll ? 'Delete all items' : 'Delete these items',
    operation: { method: 'DELETE', path: isAll ? path : `${path}?${query}` },
    dangerous: isAll
      ? `Delete all ${number(items)} items of ${name}?`
      : `Delete the items of ${name} with ${query.replaceAll('&', ', ')}?`,
    onDone: (value) => onDeleted((value as { removed: number }).removed),
  });
}

/** How many items are on a page of the table. */
const pageSize = 100;

const maxColumns = 6;

/** The longest text of a cell, in characters. */
const maxText = 200;

type TableOptions = {
  /** The filters, as a query. */
  query: string;
  beside: SidePanel;
  onOpen: (id: string) => void;
};

/** All items of a collection that equal the filters, a row each. */
function itemTable(
  state: PanelState,
  { name, idProperty, schema }: DescribedCollection,
  { query, beside, onOpen }: TableOptions,
): JSX.Element {
  const [page, onPage] = state.keep(`page of ${name}?${query}`, 0);
  const paging = `${query}&skip=${page * pageSize}&limit=${pageSize}`.replace(/^&/, '');
  const path = `data/${encodeURIComponent(name)}?${paging}`;
  const { value, problem } = state.reading<{ items: Item[]; meta: { total: number } }>(path, 2000);
  const total = value?.meta.total ?? 0;
  const items = value?.items ?? [];
  const described = Object.keys((schema.properties ?? {}) as object);
  const names = [...new Set([idProperty, ...described, ...items.flatMap(Object.keys)])];
  const columns = names.slice(0, maxColumns).map((title, at) => ({ id: `field-${at}`, title }));
  const idOf = (item: Item) => String(valueAt(item, idProperty));
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
          idOf,
          cellsOf: (item) => columns.map(({ title }) => toCell(valueAt(item, title))),
          open: typeof beside === 'object' ? beside.id : undefined,
          onOpen: (item) => onOpen(idOf(item)),
        })
      }
      ${pager({ about: `items of ${name}`, count: total, size: pageSize, page, onPage })}
    </div>
  `;
}

function toCell(value: unknown): JSX.Element {
  if (value === undefined) return html`<span class="quiet">-</span>`;
  const text = typeof value === 'string' ? value : stringifyExact(value);
  return quoted(text.length > maxText ? `${text.slice(0, maxText)} ...` : text);
}

function newItem(
  state: PanelState,
  { name, schema, idProperty }: DescribedCollection,
  { onAdded, close }: { onAdded: (item: Item) => void; close: () => void },
): JSX.Element {
  const path = `data/${encodeURIComponent(name)}`;
  return jsonForm(state, {
    id: 'new-item',
    title: `Add an item to ${name}`,
    hint: `It gets an id unless it has one ("${idProperty}").`,
    text: stringifyExact(toNewItem(schema, idProperty), 2),
    label: 'Add the item',
    toOperation: (text) => ({ method: 'POST', path, text }),
    onDone: (value) => onAdded(value as Item),
    onCancel: close,
  });
}

type Schema = Readonly<Record<string, unknown>>;

const emptyOf: Readonly<Record<string, unknown>> = {
  string: '',
  integer: 0,
  number: 0,
  boolean: false,
  array: [],
};

/**
 * Returns an empty item with the properties that its schema requires, for people to fill in. The id
 * is assigned.
 */
export function toNewItem(schema: Schema, idProperty?: string): Record<string, unknown> {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, Schema>>;
  const needed = ((schema.required ?? []) as string[]).filter((name) => name !== idProperty);
  return Object.fromEntries(needed.map((name) => [name, toValue(properties[name] ?? {})]));
}

function toValue(schema: Schema): unknown {
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (schema.type === 'object') return toNewItem(schema);
  return emptyOf[String([schema.type].flat()[0])] ?? null;
}

/** An item as JSON, and what changes it. */
function openItem(
  state: PanelState,
  collection: DescribedCollection,
  { id, close }: { id: string; close: () => void },
): JSX.Element {
  const path = `data/${encodeURIComponent(collection.name)}/${encodeURIComponent(id)}`;
  const { value: item, problem } = state.reading<Item>(path, 2000);
  const json = item && stringifyExact(item, 2);
  if (json === undefined || problem !== undefined)
    return html`
      <section class="card stack">
        ${problemLine(problem)}
        <div class="row"><button type="button" onClick=${close}>Close</button></div>
      </section>
    `;
  return jsonForm(state, {
    id: 'item',
    title: id,
    text: json,
    label: 'Save the item',
    toOperation: (text) => ({ method: 'PUT', path, text }),
    done: `${id} is saved.`,
    onCancel: close,
    buttons: html`
      ${h(CopyButton, { text: json, about: 'the item as JSON' })}
      ${button({
        label: 'Delete the item',
        about: id,
        operation: { method: 'DELETE', path },
        dangerous: `Delete ${id}?`,
        done: `${id} is deleted.`,
        onDone: close,
      })}
    `,
  });
}
