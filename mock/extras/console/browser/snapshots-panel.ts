import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { TextField } from '../../pages/browser/fields.ts';
import { quoted, saveFile } from '../../pages/browser/parts.ts';
import type { SnapshotView } from '../../snapshots/snapshot-handlers.ts';
import { ActionButton } from './action-button.ts';
import {
  cardForm,
  namedCard,
  panelList,
  panelSection,
  problemLine,
  useNotice,
  usePages,
} from './panel.ts';
import { useAdmin } from './use-admin.ts';
import { countItems, toTime } from './words.ts';

/** The snapshots of the sandbox: saves, restores, exports, imports and deletes them. */
export function SnapshotsPanel(): JSX.Element {
  const { value, problem } = useAdmin<{ snapshots: SnapshotView[] }>('snapshots', { every: 2000 });
  const snapshots = value?.snapshots;
  const names = (snapshots ?? []).map(({ name }) => name);
  const [name, setName] = useState('');
  const notice = useNotice();
  const { shown, pager } = usePages(snapshots ?? [], { about: 'snapshots' });
  const cards = shown.map((snapshot) => snapshotCard(snapshot, notice.show));
  const none = 'This sandbox has no snapshot.';
  return html`
    <div class="stack">
      ${problemLine(problem)}
      ${panelSection(
        { id: 'snapshot-list', title: 'Snapshots', notice },
        html`
          ${panelList(snapshots && cards, { label: 'Snapshots', none })}
          ${pager}
        `,
      )}
      ${cardForm(
        { id: 'snapshot-form', title: 'Save the current state' },
        html`
          <p class="sub">
            Items, counters, bans, clock, domains and settings; neither faults nor the journal.
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
              notice.show(`${name} is saved.`);
            },
          })}
        `,
      )}
      ${h(SnapshotImport, { names, onDone: (imported) => notice.show(`${imported} is imported.`) })}
    </div>
  `;
}

function snapshotCard(snapshot: SnapshotView, say: (text: string) => void): JSX.Element {
  const { name, createdAt, items } = snapshot;
  const path = `snapshots/${encodeURIComponent(name)}`;
  return namedCard({ name, holds: countItems(items), more: `Saved at ${toTime(createdAt)}` }, [
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

type ImportProps = {
  /** The names of the snapshots that exist. */
  names: readonly string[];
  onDone: (name: string) => void;
};

/** Imports a snapshot from a file that is dropped or chosen. */
function SnapshotImport({ names, onDone }: ImportProps): JSX.Element {
  const [file, setFile] = useState<{ name: string; text: string }>();
  const [name, setName] = useState('');
  const [problem, setProblem] = useState('');
  const read = async (given: File | undefined) => {
    if (!given) return;
    try {
      setFile({ name: given.name, text: await given.text() });
      setName(toSnapshotName(given.name));
      setProblem('');
    } catch {
      setFile(undefined);
      setProblem(`${given.name} cannot be read. Choose a file.`);
    }
  };
  const chosen = file && `${file.name}, ${file.text.length.toLocaleString('en')} characters`;
  return cardForm(
    { id: 'snapshot-import', title: 'Import a snapshot' },
    html`
      ${h(FileDrop, { onFile: (given) => void read(given), chosen, problem })}
      ${file && h(TextField, { label: 'Name of the snapshot', value: name, onValue: setName })}
      ${
        file &&
        h(ActionButton, {
          label: 'Import the snapshot',
          isSubmit: true,
          isDisabled: name === '',
          operation: {
            method: 'PUT',
            path: `snapshots/${encodeURIComponent(name)}`,
            text: file.text,
            file: file.name,
          },
          ...(names.includes(name) && { dangerous: `Replace the snapshot ${name}?` }),
          onDone: () => {
            setFile(undefined);
            onDone(name);
          },
        })
      }
    `,
  );
}

type DropProps = {
  onFile: (file: File | undefined) => void;
  /** The file that is there, in words. */
  chosen: string | undefined;
  problem: string;
};

/** Where a file is dropped or chosen. */
function FileDrop({ onFile, chosen, problem }: DropProps): JSX.Element {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const onDrag = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onFile(event.dataTransfer?.files[0]);
  };
  return html`
    <div
      class=${isOver ? 'drop stack is-over' : 'drop stack'}
      onDragOver=${onDrag}
      onDragEnter=${onDrag}
      onDragLeave=${() => setOver(false)}
      onDrop=${onDrop}
    >
      <div class="field">
        <label for=${id}>Drop an exported file here, or choose one</label>
        <input
          id=${id}
          type="file"
          accept=".json,application/json"
          onChange=${({ currentTarget }: Event) =>
            onFile((currentTarget as HTMLInputElement).files?.[0])}
        />
      </div>
      <p role="status" class="sub">${chosen !== undefined && quoted(chosen)}</p>
      ${problemLine(problem)}
    </div>
  `;
}

/** A name for the snapshot of a file, of the characters that names may have. */
function toSnapshotName(file: string): string {
  return file
    .replace(/\.json$/i, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 64);
}
