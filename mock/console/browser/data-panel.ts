import { h, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { valueAt } from '../../../contracts/description/property-path.ts';
import type {
  CollectionsView,
  CollectionView,
  DescribedCollection,
} from '../../admin/collection-handlers.ts';
import { ActionButton } from './action-button.ts';
import { SelectField, TextField } from './fields.ts';
import { ItemForm } from './item-form.ts';
import { ItemTable } from './item-table.ts';
import { ItemView } from './item-view.ts';
import { Panel, PanelSection, useNotice } from './panel.ts';
import { useAdmin } from './use-admin.ts';
import { useLast } from './use-last.ts';
import { useRemembered } from './use-remembered.ts';

/** The stored items of each collection, and what changes them. */
export function DataPanel(): JSX.Element {
  const { value, problem } = useAdmin<CollectionsView>('collections', { every: 2000 });
  const last = useLast(value);
  const collections = last && [...last.collections, ...last.singleObjects];
  const [wanted, setWanted] = useRemembered<string | undefined>('collection', undefined);
  const chosen = collections?.find(({ name }) => name === wanted) ?? collections?.[0];
  return h(
    Panel,
    { problem },
    collections?.length === 0 &&
      h('p', { class: 'none' }, 'The document describes no collection that the mock stores.'),
    collections &&
      collections.length > 1 &&
      h(SelectField, {
        label: 'Collection',
        options: collections.map(
          ({ name, items }) => [name, `${name} (${items.toLocaleString('en')})`] as const,
        ),
        value: chosen?.name ?? '',
        onValue: setWanted,
      }),
    chosen && h(CollectionItems, { key: chosen.name, name: chosen.name }),
  );
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
  return h(
    PanelSection,
    { id: 'collection', title: name, notice },
    h(
      'div',
      { class: 'row filters', role: 'search', 'aria-label': 'Filter the items' },
      ...collection.filters.map((filter) =>
        h(FilterField, {
          key: filter.name,
          filter,
          value: filters[filter.name] ?? '',
          onValue: (value) => setFilters({ ...filters, [filter.name]: value }),
        }),
      ),
      h('button', { type: 'button', onClick: () => setEditing({}) }, 'Add an item ...'),
      h(ActionButton, {
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
      }),
    ),
    h(
      'div',
      { class: open === undefined && !editing ? 'data' : 'data has-item' },
      h(ItemTable, { key: query, collection, query, open, onOpen: setOpen }),
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
            }),
    ),
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
