import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { valueAt } from '../../../../contracts/description/property-path.ts';
import { stringifyExact } from '../../../../contracts/json-text.ts';
import type { Entry } from '../../../journal/entry.ts';
import type { DescribedCollection } from '../../admin/collection-handlers.ts';
import type { SandboxView } from '../../admin/sandbox-handlers.ts';
import type { Admin } from '../../pages/browser/admin.ts';
import { parseJson } from '../../pages/browser/exact-json.ts';
import { CopyButton, quoted } from '../../pages/browser/parts.ts';
import { ActionButton } from './action-button.ts';
import { problemLine } from './panel.ts';
import { readPlace } from './place.ts';
import { useAdmin, useAdminClient } from './use-admin.ts';

type Item = Readonly<Record<string, unknown>>;

type ViewProps = {
  collection: DescribedCollection;
  id: string;
  onEdit: (item: Item) => void;
  onDeleted: () => void;
  onClose: () => void;
};

/** The longest JSON that is drawn, in characters. */
const maxJson = 100_000;

/** An item as JSON, where it came from, and what changes it. */
export function ItemView({ collection, id, onEdit, onDeleted, onClose }: ViewProps): JSX.Element {
  const path = `data/${encodeURIComponent(collection.name)}/${encodeURIComponent(id)}`;
  const { value: item, problem } = useAdmin<Item>(path, { every: 2000 });
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const json = item && stringifyExact(item, 2);
  const drawn =
    json !== undefined && json.length > maxJson ? `${json.slice(0, maxJson)}\n...` : json;
  return html`
    <section
      class="card stack item-view"
      aria-labelledby="item"
      onKeyDown=${({ key }: KeyboardEvent) => key === 'Escape' && onClose()}
    >
      <div class="item-title">
        <h3 id="item" tabindex="-1" ref=${title}>${quoted(id)}</h3>
        <button type="button" onClick=${onClose}>Close</button>
      </div>
      ${problemLine(problem)}
      ${h(ItemOrigin, { collection, id })}
      ${
        json !== undefined &&
        html`
          <div>
            <pre tabindex="0" aria-label="${id} as JSON">
              ${quoted(drawn ?? '', { lines: true })}
            </pre>
            ${h(CopyButton, { text: json, about: 'the item as JSON' })}
          </div>
        `
      }
      ${
        item &&
        problem === undefined &&
        html`
          <div class="row">
            <button type="button" onClick=${() => onEdit(item)}>Change ...</button>
            ${h(ActionButton, {
              label: 'Delete the item',
              about: id,
              operation: { method: 'DELETE', path },
              dangerous: `Delete ${id}?`,
              onDone: onDeleted,
            })}
          </div>
        `
      }
    </section>
  `;
}

/** How many requests are looked through, the newest first. */
const maxRequests = 1000;

/** Which request created an item, where the journal still has it. */
function ItemOrigin({ collection, id }: Pick<ViewProps, 'collection' | 'id'>): JSX.Element {
  const admin = useAdminClient();
  const [found, setFound] = useState('');
  useEffect(() => {
    let isOver = false;
    describeOrigin(admin, collection, id).then((text) => {
      if (!isOver) setFound(text);
    });
    return () => {
      isOver = true;
    };
  }, [admin, collection, id]);
  return html`<p class="sub" role="status">${quoted(found)}</p>`;
}

async function describeOrigin(
  admin: Admin,
  { name, idProperty, operations }: DescribedCollection,
  id: string,
): Promise<string> {
  const isOfItem = ({ url, response }: Entry): boolean => {
    const path = toPath(url ?? '');
    // Other collections have items with this id too.
    const isElsewhere = path.startsWith('/__admin/') && !isWithin(path, `/__admin/data/${name}`);
    if (isElsewhere || response === null || response.truncated) return false;
    const created = parse(response.body) as Record<string, unknown> | undefined;
    return String(valueAt(created, idProperty)) === id;
  };
  const { create } = operations;
  const queries = ['step=admin'];
  if (create !== undefined) queries.push(`operation=${encodeURIComponent(create)}`);
  const lists = await Promise.all(
    queries.map((query) =>
      admin.call({ method: 'GET', path: `requests?status=201&limit=${maxRequests}&${query}` }),
    ),
  );
  const entries = lists
    .flatMap((list) => (list.ok ? (list.value as { requests: Entry[] }).requests : []))
    .sort((left, right) => right.id - left.id);
  const creator = entries.find(isOfItem);
  if (creator) return describeCreator(creator);
  const { sandbox } = readPlace(location);
  const view = await admin.call({
    method: 'GET',
    path: `sandboxes/${encodeURIComponent(sandbox)}`,
  });
  const seeded = view.ok ? (view.value as SandboxView).settings.items : 0;
  const refusal = lists.find((list) => !list.ok);
  if (seeded === undefined && !refusal)
    return 'It is one of the items of --data, or the request that created it is no longer in the journal.';
  if (/^\d+$/.test(id) && Number(id) <= (seeded ?? 0))
    return 'It is one of the items that the sandbox began with.';
  return refusal && !refusal.ok
    ? refusal.message
    : 'The request that created it is no longer in the journal, or it came with a snapshot.';
}

function describeCreator({ id, at, method, url, key }: Entry): string {
  const by = key === null ? '' : ` with ${key}`;
  return `Created by request ${id}: ${method} ${url}${by}, at ${at.slice(11, 19)} UTC.`;
}

function parse(text: string | null | undefined): unknown {
  try {
    return parseJson(text ?? '');
  } catch {
    return undefined;
  }
}

function toPath(url: string): string {
  try {
    return decodeURIComponent(url.replace(/\?.*/, ''));
  } catch {
    return url;
  }
}

function isWithin(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}
