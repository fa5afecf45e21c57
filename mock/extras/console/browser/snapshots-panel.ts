import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { TextField } from '../../pages/browser/fields.ts';
import { saveFile } from '../../pages/browser/parts.ts';
import { countItems, toUtcText } from '../../pages/browser/words.ts';
import type { SnapshotView } from '../../snapshots/snapshot-handlers.ts';
import { ActionButton } from './action-button.ts';
import { cardForm, namedCard, panelList, panelSection, problemLine, usePages } from './panel.ts';
import { useAdmin } from './use-admin.ts';

/** The snapshots of the sandbox: saves, restores, exports, imports and deletes them. */
export function SnapshotsPanel(): JSX.Element {
  const { value, problem } = useAdmin<{ snapshots: SnapshotView[] }>('snapshots', { every: 2000 });
  const snapshots = value?.snapshots;
  const names = (snapshots ?? []).map(({ name }) => name);
  const [said, say] = useState('');
  const { shown, pager } = usePages(snapshots ?? [], { about: 'snapshots' });
  const cards = shown.map((snapshot) => snapshotCard(snapshot, say));
  const none = 'This sandbox has no snapshot.';
  return html`
    <div class="stack">
      ${problemLine(problem)}
      ${panelSection(
        { id: 'snapshot-list', title: 'Snapshots', said },
        html`${panelList(snapshots && cards, { label: 'Snapshots', none })}${pager}`,
      )}
      <div class="cards">
        ${h(SnapshotForm, { names, say })}
        ${h(SnapshotImport, { names, say })}
      </div>
    </div>
  `;
}

function snapshotCard(snapshot: SnapshotView, say: (text: string) => void): JSX.Element {
  const { name, createdAt, items } = snapshot;
  const path = `snapshots/${encodeURIComponent(name)}`;
  return namedCard({ name, holds: countItems(items), more: `Saved at ${toUtcText(createdAt)}` }, [
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
  ]);
}

type FormProps = {
  /** The names of the snapshots that exist. */
  names: readonly string[];
  say: (text: string) => void;
};

function SnapshotForm({ names, say }: FormProps): JSX.Element {
  const [name, setName] = useState('');
  return cardForm(
    { id: 'snapshot-form', title: 'Save the current state' },
    html`
      <p class="sub">
        Items, counters, bans, clock, tasks, domains and settings; neither faults nor the journal.
      </p>
      ${h(TextField, { label: 'Name', value: name, onValue: setName })}
      ${h(ActionButton, {
        label: 'Save the snapshot',
        isSubmit: true,
        isDisabled: name === '',
        operation: { method: 'PUT', path: `snapshots/${encodeURIComponent(name)}` },
        ...(names.includes(name) && { dangerous: `Replace the snapshot ${name}?` }),
        onDone: () => {
          setName('');
          say(`${name} is saved.`);
        },
      })}
    `,
  );
}

/** Imports a snapshot from a file. */
function SnapshotImport({ names, say }: FormProps): JSX.Element {
  const id = useId();
  const [file, setFile] = useState<{ name: string; text: string }>();
  const [name, setName] = useState('');
  const read = async ({ currentTarget }: Event) => {
    const given = (currentTarget as HTMLInputElement).files?.[0];
    if (!given) return;
    setFile({ name: given.name, text: await given.text() });
    setName(given.name.replace(/\.json$/i, '').replace(/[^A-Za-z0-9._-]+/g, '-'));
  };
  return cardForm(
    { id: 'snapshot-import', title: 'Import a snapshot' },
    html`
      <div class="field">
        <label for=${id}>An exported file</label>
        <input id=${id} type="file" accept=".json,application/json" onChange=${read} />
      </div>
      ${h(TextField, { label: 'Name of the snapshot', value: name, onValue: setName })}
      ${h(ActionButton, {
        label: 'Import the snapshot',
        isSubmit: true,
        isDisabled: name === '' || file === undefined,
        operation: {
          method: 'PUT',
          path: `snapshots/${encodeURIComponent(name)}`,
          text: file?.text ?? '',
          file: file?.name ?? '',
        },
        ...(names.includes(name) && { dangerous: `Replace the snapshot ${name}?` }),
        onDone: () => say(`${name} is imported.`),
      })}
    `,
  );
}
