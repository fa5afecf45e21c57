import { h, type JSX } from 'preact';
import { type DelayDraft, delayFields } from './delay-draft.ts';
import { SelectField, TextField } from './fields.ts';

const types: readonly (readonly [DelayDraft['type'], string])[] = [
  ['', 'None'],
  ['fixed', 'Fixed'],
  ['uniform', 'Between two values'],
  ['lognormal', 'Log-normal: most short, some long'],
];

type Props = {
  draft: DelayDraft;
  onDraft: (draft: DelayDraft) => void;
  label?: string;
  problem?: string | undefined;
};

/** The fields of a delay, those of its type alone. */
export function DelayFields({ draft, onDraft, label = 'Delay', problem }: Props): JSX.Element {
  const { type, fields } = draft;
  return h(
    'div',
    { class: 'row setting' },
    h(SelectField, {
      label,
      options: types,
      value: type,
      problem,
      onValue: (value) => onDraft({ ...draft, type: value as DelayDraft['type'] }),
    }),
    ...delayFields[type].map(([name, label]) =>
      h(TextField, {
        key: name,
        label,
        kind: 'number',
        value: fields[name] ?? '',
        onValue: (value) => onDraft({ ...draft, fields: { ...fields, [name]: value } }),
      }),
    ),
  );
}
