import { h, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ActionButton } from './action-button.ts';
import { CardForm } from './card-form.ts';
import { AreaField, SelectField, TextField } from './fields.ts';
import { isJson } from './item-fields.ts';
import { toNumberJson } from './number-text.ts';

type Props = {
  /** The names of the sandboxes that exist. */
  names: readonly string[];
  onDone: (name: string) => void;
};

type Draft = {
  name: string;
  seed: string;
  items: string;
  limits: string;
  ban: string;
  plans: string;
};

const empty: Draft = { name: '', seed: '', items: '', limits: '', ban: '', plans: '' };

/** A form that makes a sandbox, or makes one anew. */
export function SandboxForm({ names, onDone }: Props): JSX.Element {
  const [draft, setDraft] = useState(empty);
  const field = (name: keyof Draft) => ({
    value: draft[name],
    onValue: (value: string) => setDraft({ ...draft, [name]: value }),
  });
  const { name, seed, items, limits, ban, plans } = draft;
  const isWrong = plans.trim() !== '' && !isJson(plans);
  const options = [
    ...(seed === '' ? [] : [`"seed":${toNumberJson(seed)}`]),
    ...(items === '' ? [] : [`"items":${toNumberJson(items)}`]),
    ...(limits === '' ? [] : [`"rateLimits":${JSON.stringify(limits)}`]),
    ...(ban === '' ? [] : ['"ban":false']),
    ...(plans.trim() === '' || isWrong ? [] : [`"plans":${plans.trim()}`]),
  ];
  const exists = names.includes(name);
  return h(
    CardForm,
    { id: 'sandbox-form', title: 'Make a sandbox' },
    h(
      'p',
      { class: 'sub' },
      'What is left empty is as in the mock. An existing sandbox is made anew.',
    ),
    h(
      'div',
      { class: 'item-fields' },
      h(TextField, { label: 'Name', ...field('name') }),
      h(TextField, { label: 'Seed', kind: 'number', ...field('seed') }),
      h(TextField, { label: 'Items at the start', kind: 'number', ...field('items') }),
      h(SelectField, {
        label: 'Rate limits',
        options: [
          ['', 'As in the mock'],
          ['enforce', 'Enforced'],
          ['observe', 'Observed'],
          ['off', 'Off'],
        ],
        ...field('limits'),
      }),
      h(SelectField, {
        label: 'Bans',
        options: [
          ['', 'As in the mock'],
          ['never', 'Never'],
        ],
        ...field('ban'),
      }),
      h(AreaField, {
        label: 'Plans as JSON',
        hint: 'For example {"free":{"perMinute":5,"perDay":10}}',
        rows: 2,
        ...field('plans'),
        problem: isWrong ? 'This is not valid JSON.' : undefined,
      }),
    ),
    h(
      'div',
      { class: 'row' },
      h(ActionButton, {
        label: 'Make the sandbox',
        isSubmit: true,
        isDisabled: name === '' || isWrong,
        operation: {
          method: 'PUT',
          path: `sandboxes/${encodeURIComponent(name)}`,
          text: `{${options.join()}}`,
        },
        ...(exists && { dangerous: `Make ${name} anew, without its items and snapshots?` }),
        onDone: () => {
          setDraft(empty);
          onDone(name);
        },
      }),
    ),
  );
}
