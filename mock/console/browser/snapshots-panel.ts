import { h, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SnapshotView } from '../../admin/snapshot-handlers.ts';
import { saveFile } from '../../pages/browser/save-file.ts';
import { Shown } from '../../pages/browser/shown.ts';
import { ActionButton } from './action-button.ts';
import { CardForm } from './card-form.ts';
import { TextField } from './fields.ts';
import { countItems, toTime } from './item-counts.ts';
import { Panel, PanelSection, useNotice } from './panel.ts';
import { SnapshotImport } from './snapshot-import.ts';
import { useAdmin } from './use-admin.ts';
import { useLast } from './use-last.ts';
import { usePages } from './use-pages.ts';

/** The snapshots of the sandbox: saves, restores, exports, imports and deletes them. */
export function SnapshotsPanel(): JSX.Element {
  const { value, problem } = useAdmin<{ snapshots: SnapshotView[] }>('snapshots', { every: 2000 });
  const snapshots = useLast(value)?.snapshots;
  const names = (snapshots ?? []).map(({ name }) => name);
  const [name, setName] = useState('');
  const notice = useNotice();
  const { shown, pager } = usePages(snapshots ?? [], { about: 'snapshots' });
  return h(
    Panel,
    { problem },
    h(
      PanelSection,
      { id: 'snapshot-list', title: 'Snapshots', notice },
      snapshots?.length === 0 && h('p', { class: 'none' }, 'This sandbox has no snapshot.'),
      shown.length > 0 &&
        h(
          'ul',
          { class: 'stack', 'aria-label': 'Snapshots' },
          ...shown.map((snapshot) =>
            h(Snapshot, { key: snapshot.name, snapshot, say: notice.show }),
          ),
        ),
      pager,
    ),
    h(
      CardForm,
      { id: 'snapshot-form', title: 'Save the current state' },
      h(
        'p',
        { class: 'sub' },
        'Items, counters, bans, clock, domains and settings; neither faults nor the journal.',
      ),
      h(TextField, { label: 'Name', value: name, onValue: setName }),
      h(ActionButton, {
        label: 'Save the snapshot',
        isSubmit: true,
        isDisabled: name === '',
        operation: { method: 'PUT', path: `snapshots/${encodeURIComponent(name)}` },
        ...(names.includes(name) && { dangerous: `Replace the snapshot ${name}?` }),
        onDone: () => {
          setName('');
          notice.show(`${name} is saved.`);
        },
      }),
    ),
    h(SnapshotImport, { names, onDone: (imported) => notice.show(`${imported} is imported.`) }),
  );
}

type SnapshotProps = { snapshot: SnapshotView; say: (text: string) => void };

function Snapshot({ snapshot, say }: SnapshotProps): JSX.Element {
  const { name, createdAt, items } = snapshot;
  const path = `snapshots/${encodeURIComponent(name)}`;
  return h(
    'li',
    { class: 'card place' },
    h('h4', null, h(Shown, { text: name })),
    h(
      'div',
      null,
      h('p', null, h(Shown, { text: countItems(items) })),
      h('p', { class: 'sub' }, `Saved at ${toTime(createdAt)}`),
    ),
    h(
      'div',
      { class: 'row' },
      h(ActionButton, {
        label: 'Restore',
        about: name,
        operation: { method: 'POST', path: `${path}/restore` },
        dangerous: `Restore ${name}? What the sandbox holds now is lost.`,
        onDone: () => say(`${name} is restored.`),
      }),
      h(ActionButton, {
        label: 'Export',
        about: name,
        operation: { method: 'GET', path },
        onDone: (_, text) => saveFile(`${name}.json`, text),
      }),
      h(ActionButton, {
        label: 'Delete',
        about: name,
        operation: { method: 'DELETE', path },
        dangerous: `Delete the snapshot ${name}?`,
        onDone: () => say(`${name} is deleted.`),
      }),
    ),
  );
}
