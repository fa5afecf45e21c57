import { html } from 'htm/preact';
import type { JSX } from 'preact';
import { countItems, toUtcText } from '../../../../common/look/amounts.ts';
import type { Operation } from '../../pages/browser/admin.ts';
import { saveFile } from '../../pages/browser/parts.ts';
import type { SnapshotView } from '../../snapshots/snapshot-handlers.ts';
import { button, cardForm, draftOf, namedCard, panelList, panelSection } from './panel.ts';
import type { PanelState } from './state.ts';

/** The snapshots of the sandbox: saves, restores, exports, imports and deletes them. */
export function snapshotsPanel(state: PanelState): JSX.Element {
  const items = state.read<{ snapshots: SnapshotView[] }>('snapshots')?.snapshots;
  const names = (items ?? []).map(({ name }) => name);
  const none = 'This sandbox has no snapshot.';
  return html`
    ${panelSection(
      state,
      { id: 'snapshot-list', title: 'Snapshots' },
      html`${panelList(state, { about: 'snapshots', none, items, toCard: snapshotCard })}`,
    )}
    <div class="cards">${saveForm(state, names)} ${importForm(state, names)}</div>
  `;
}

function snapshotCard({ name, createdAt, items }: SnapshotView): JSX.Element {
  const path = `snapshots/${encodeURIComponent(name)}`;
  return namedCard({ name, holds: countItems(items), more: `Saved at ${toUtcText(createdAt)}` }, [
    button({
      label: 'Restore',
      about: name,
      operation: { method: 'POST', path: `${path}/restore` },
      dangerous: `Restore ${name}? The current state of the sandbox is lost.`,
      done: `${name} is restored.`,
    }),
    button({
      label: 'Export',
      about: name,
      operation: { method: 'GET', path },
      onDone: (_, text) => saveFile(`${name}.json`, text),
    }),
    button({
      label: 'Delete',
      about: name,
      operation: { method: 'DELETE', path },
      dangerous: `Delete the snapshot ${name}?`,
      done: `${name} is deleted.`,
    }),
  ]);
}

type Save = {
  label: string;
  name: string;
  /** The names of the snapshots that exist. */
  names: readonly string[];
  content?: Pick<Operation, 'text' | 'file'>;
  isDisabled?: boolean;
  done: string;
  onDone?: () => void;
};

function saveButton({ name, names, content, isDisabled, ...props }: Save): JSX.Element {
  return button({
    ...props,
    isSubmit: true,
    isDisabled: name === '' || isDisabled === true,
    operation: { method: 'PUT', path: `snapshots/${encodeURIComponent(name)}`, ...content },
    ...(names.includes(name) && { dangerous: `Replace the snapshot ${name}?` }),
  });
}

function saveForm(state: PanelState, names: readonly string[]): JSX.Element {
  const { draft, field, clear } = draftOf(state, 'snapshot', { name: '' });
  const { name } = draft;
  return cardForm(
    { id: 'snapshot-form', title: 'Save the current state' },
    html`
      <p class="sub">
        Items, counters, bans, clock, tasks, domains and settings; neither faults nor the journal.
      </p>
      ${field.text('name', 'Name')}
      ${saveButton({ label: 'Save the snapshot', name, names, done: `${name} is saved.`, onDone: clear })}
    `,
  );
}

/** A form that imports a snapshot from a file. */
function importForm(state: PanelState, names: readonly string[]): JSX.Element {
  const { draft, field, setDraft } = draftOf(state, 'import', { name: '', file: '', text: '' });
  const { name, file, text } = draft;
  const read = async ({ currentTarget }: Event) => {
    const given = (currentTarget as HTMLInputElement).files?.[0];
    if (!given) return;
    const proposed = given.name.replace(/\.json$/i, '').replace(/[^A-Za-z0-9._-]+/g, '-');
    setDraft({ name: proposed, file: given.name, text: await given.text() });
  };
  return cardForm(
    { id: 'snapshot-import', title: 'Import a snapshot' },
    html`
      <div class="field">
        <label for="snapshot-file">An exported file</label>
        <input id="snapshot-file" type="file" accept=".json,application/json" onChange=${read} />
      </div>
      ${field.text('name', 'Name of the snapshot')}
      ${saveButton({
        label: 'Import the snapshot',
        ...{ name, names },
        content: { text, file },
        isDisabled: file === '',
        done: `${name} is imported.`,
      })}
    `,
  );
}
