import { h, type JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Shown } from '../../pages/browser/shown.ts';
import { ActionButton } from './action-button.ts';
import { CardForm } from './card-form.ts';
import { TextField } from './fields.ts';
import { ProblemLine } from './problem-line.ts';

type Props = {
  /** The names of the snapshots that exist. */
  names: readonly string[];
  onDone: (name: string) => void;
};

/** Imports a snapshot from a file that is dropped or chosen. */
export function SnapshotImport({ names, onDone }: Props): JSX.Element {
  const id = useId();
  const [isOver, setOver] = useState(false);
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
  const onDrag = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return h(
    CardForm,
    { id: 'snapshot-import', title: 'Import a snapshot' },
    h(
      'div',
      {
        class: isOver ? 'drop stack is-over' : 'drop stack',
        onDragOver: onDrag,
        onDragEnter: onDrag,
        onDragLeave: () => setOver(false),
        onDrop: (event: DragEvent) => {
          event.preventDefault();
          setOver(false);
          void read(event.dataTransfer?.files[0]);
        },
      },
      h(
        'div',
        { class: 'field' },
        h('label', { for: id }, 'Drop an exported file here, or choose one'),
        h('input', {
          id,
          type: 'file',
          accept: '.json,application/json',
          onChange: ({ currentTarget }: Event) =>
            void read((currentTarget as HTMLInputElement).files?.[0]),
        }),
      ),
      h(
        'p',
        { role: 'status', class: 'sub' },
        file &&
          h(Shown, {
            text: `${file.name}, ${file.text.length.toLocaleString('en')} characters`,
          }),
      ),
      h(ProblemLine, { problem }),
    ),
    file && h(TextField, { label: 'Name of the snapshot', value: name, onValue: setName }),
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
      }),
  );
}

/** A name for the snapshot of a file, of the characters that names may have. */
function toSnapshotName(file: string): string {
  return file
    .replace(/\.json$/i, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 64);
}
