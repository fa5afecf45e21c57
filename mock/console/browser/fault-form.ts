import { h, type JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiOperationsView } from '../../admin/twin-handlers.ts';
import type { FaultName } from '../../faults/fault-rules.ts';
import type { LimitsView } from '../../limits/limits-view.ts';
import type { Operation } from '../../page-parts/browser/admin.ts';
import { Shown } from '../../page-parts/browser/shown.ts';
import { ActionButton } from './action-button.ts';
import { CardForm } from './card-form.ts';
import { DelayFields } from './delay-fields.ts';
import { faultTexts } from './describe-fault.ts';
import {
  type FaultDraft,
  type FaultField,
  fieldOf,
  toFaultJson,
  withContent,
} from './fault-draft.ts';
import { AreaField, SelectField, TextField } from './fields.ts';
import { useAdmin } from './use-admin.ts';
import { useLast } from './use-last.ts';

type Props = {
  draft: FaultDraft;
  onDraft: (draft: FaultDraft) => void;
  /** The rule that is edited; undefined for a new one. */
  edited: string | undefined;
  onDone: (message: string) => void;
  onCancel: () => void;
};

/** A form that adds a fault, or changes one. */
export function FaultForm({ draft, onDraft, edited, onDone, onCancel }: Props): JSX.Element {
  const api = useLast(useAdmin<ApiOperationsView>('operations').value);
  const limits = useLast(useAdmin<LimitsView>('limits').value);
  const [refused, setRefused] = useState<{ field: FaultField; message: string }>();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    setRefused(undefined);
    if (edited !== undefined) title.current?.focus();
  }, [edited]);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (refused) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refused]);
  const json = toFaultJson(draft);
  const problem = typeof json === 'string' ? refused : json;
  const problemOf = (field: FaultField) => (problem?.field === field ? problem.message : undefined);
  const change = (changed: Partial<FaultDraft>) => {
    setRefused(undefined);
    onDraft({ ...draft, ...changed });
  };
  const field = (name: Exclude<FaultField, 'delay'>) => ({
    value: draft[name],
    onValue: (value: string) => change({ [name]: value }),
    problem: problemOf(name),
  });
  const operation: Operation = {
    ...(edited === undefined
      ? { method: 'POST', path: 'faults' }
      : { method: 'PUT', path: `faults/${encodeURIComponent(edited)}` }),
    text: typeof json === 'string' ? json : '{}',
  };
  const heading = edited === undefined ? 'Add a fault' : `Edit ${edited}`;

  return h(
    CardForm,
    { id: 'fault-form', title: heading, formRef: form, titleRef: title },
    h('p', { role: 'alert', class: 'heard' }, refused && h(Shown, { text: refused.message })),
    h(
      'fieldset',
      null,
      h('legend', null, 'Which calls'),
      h(SelectField, {
        label: 'Operation',
        options: [['', 'All'], ...(api?.operations ?? []).map(({ id }) => id)],
        ...field('operation'),
      }),
      h(SelectField, {
        label: 'Key',
        options: [['', 'All'], ...(limits?.keys ?? []).map(({ name }) => name)],
        ...field('key'),
      }),
      h(SelectField, {
        label: 'Fires on',
        options: [
          ['always', 'Every call'],
          ['every', 'Every n-th call'],
          ['probability', 'Some, by chance'],
        ],
        value: draft.when,
        onValue: (when) => change({ when: when as FaultDraft['when'] }),
      }),
      draft.when === 'every' && h(TextField, { label: 'n', kind: 'number', ...field('every') }),
      draft.when === 'probability' &&
        h(TextField, { label: 'Probability, 0 to 1', kind: 'number', ...field('probability') }),
      h(TextField, {
        label: 'At most, times',
        kind: 'number',
        placeholder: 'no end',
        ...field('times'),
      }),
    ),
    h(
      'fieldset',
      null,
      h('legend', null, 'What happens'),
      h(SelectField, {
        label: 'Effect',
        options: [
          ['status', 'Respond with a status'],
          ['fault', 'Break the connection'],
          ['delay', 'Only delay'],
        ],
        value: draft.effect,
        onValue: (effect) => change({ effect: effect as FaultDraft['effect'] }),
      }),
      draft.effect === 'status' &&
        h(TextField, {
          label: 'Status',
          kind: 'number',
          suggestions: ['400', '401', '403', '404', '409', '429', '500', '502', '503', '504'],
          ...field('status'),
        }),
      draft.effect === 'fault' &&
        h(SelectField, {
          label: 'How',
          options: Object.entries(faultTexts),
          ...field('fault'),
          onValue: (fault) => change({ fault: fault as FaultName }),
        }),
      h(DelayFields, {
        draft: draft.delay,
        onDraft: (delay) => change({ delay }),
        problem: problemOf('delay'),
      }),
    ),
    draft.effect === 'status' &&
      h(
        'fieldset',
        { class: 'wide' },
        h('legend', null, 'The response'),
        h(SelectField, {
          label: 'Body',
          options: [
            ['own', "The twin's own"],
            ['text', 'Text'],
            ['json', 'JSON'],
          ],
          value: draft.content,
          onValue: (content) => change(withContent(draft, content as FaultDraft['content'])),
        }),
        draft.content !== 'own' &&
          h(AreaField, {
            label: draft.content === 'json' ? 'JSON of the body' : 'Text of the body',
            rows: 4,
            ...field('body'),
          }),
        h(AreaField, {
          label: 'Headers, one a line',
          rows: 2,
          hint: 'For example Retry-After: 5. They replace those of the same name.',
          ...field('headers'),
        }),
      ),
    h(
      'fieldset',
      null,
      h('legend', null, 'Optional'),
      edited === undefined &&
        h(TextField, { label: 'Id', placeholder: 'fault-1, ...', ...field('id') }),
      h(TextField, {
        label: 'Seed of chance and delay',
        kind: 'number',
        placeholder: "the sandbox's own",
        ...field('seed'),
      }),
    ),
    edited !== undefined &&
      h('p', { class: 'sub' }, 'Its counts and its random sequence start again.'),
    h(
      'div',
      { class: 'row' },
      h(ActionButton, {
        key: 'send',
        label: edited === undefined ? 'Add the fault' : `Save ${edited}`,
        isSubmit: true,
        operation,
        isDisabled: typeof json !== 'string',
        onDone: (value) => onDone((value as { id: string }).id),
        onRefused: (message) => {
          const field = fieldOf(message);
          if (field) setRefused({ field, message });
          return field !== undefined;
        },
      }),
      edited !== undefined && h('button', { type: 'button', onClick: onCancel }, 'Cancel'),
    ),
  );
}
