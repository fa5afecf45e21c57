import { h, type JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { DescribedCollection } from '../../admin/collection-handlers.ts';
import { stringifyExact } from '../../json/exact-integers.ts';
import { CopyButton } from '../../pages/browser/copy-button.ts';
import { Shown } from '../../pages/browser/shown.ts';
import { ActionButton } from './action-button.ts';
import { ItemOrigin } from './item-origin.ts';
import { ProblemLine } from './problem-line.ts';
import { useAdmin } from './use-admin.ts';
import { useLast } from './use-last.ts';

type Item = Readonly<Record<string, unknown>>;

type Props = {
  collection: DescribedCollection;
  id: string;
  onEdit: (item: Item) => void;
  onDeleted: () => void;
  onClose: () => void;
};

/** The longest JSON that is drawn, in characters. */
const maxJson = 100_000;

/** An item as JSON, where it came from, and what changes it. */
export function ItemView({ collection, id, onEdit, onDeleted, onClose }: Props): JSX.Element {
  const path = `data/${encodeURIComponent(collection.name)}/${encodeURIComponent(id)}`;
  const { value, problem } = useAdmin<Item>(path, { every: 2000 });
  const item = useLast(value);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const json = item && stringifyExact(item, 2);
  return h(
    'section',
    {
      class: 'card stack item-view',
      'aria-labelledby': 'item',
      onKeyDown: ({ key }: KeyboardEvent) => key === 'Escape' && onClose(),
    },
    h(
      'div',
      { class: 'item-title' },
      h('h3', { id: 'item', tabIndex: -1, ref: title }, h(Shown, { text: id })),
      h('button', { type: 'button', onClick: onClose }, 'Close'),
    ),
    h(ProblemLine, { problem }),
    h(ItemOrigin, { collection, id }),
    json !== undefined &&
      h(
        'div',
        null,
        h(
          'pre',
          { tabIndex: 0, 'aria-label': `${id} as JSON` },
          h(Shown, {
            text: json.length > maxJson ? `${json.slice(0, maxJson)}\n...` : json,
            lines: true,
          }),
        ),
        h(CopyButton, { text: json, about: 'the item as JSON' }),
      ),
    item &&
      problem === undefined &&
      h(
        'div',
        { class: 'row' },
        h('button', { type: 'button', onClick: () => onEdit(item) }, 'Change ...'),
        h(ActionButton, {
          label: 'Delete the item',
          about: id,
          operation: { method: 'DELETE', path },
          dangerous: `Delete ${id}?`,
          onDone: onDeleted,
        }),
      ),
  );
}
