import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { LimitsView } from '../../admin/limit-handlers.ts';
import type { ApiOperationsView } from '../../admin/twin-handlers.ts';
import type { Operation } from '../../pages/browser/admin.ts';
import { fieldsOf, SelectField, TextField } from '../../pages/browser/fields.ts';
import { quoted } from '../../pages/browser/parts.ts';
import { ActionButton } from './action-button.ts';
import { faultTexts } from './describe-fault.ts';
import {
  type DelayDraft,
  delayFields,
  type FaultDraft,
  type FaultField,
  fieldOf,
  toFaultJson,
  withContent,
} from './fault-draft.ts';
import { cardForm, useFocusOnWrong } from './panel.ts';
import { useAdmin } from './use-admin.ts';

type FormProps = {
  draft: FaultDraft;
  onDraft: (draft: FaultDraft) => void;
  /** The rule that is edited; undefined for a new one. */
  edited: string | undefined;
  onDone: (message: string) => void;
  onCancel: () => void;
};

/** A form that adds a fault, or changes one. */
export function FaultForm({ draft, onDraft, edited, onDone, onCancel }: FormProps): JSX.Element {
  const [refused, setRefused] = useState<{ field: FaultField; message: string }>();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    setRefused(undefined);
    if (edited !== undefined) title.current?.focus();
  }, [edited]);
  const form = useFocusOnWrong(refused);
  const json = toFaultJson(draft);
  const problem = typeof json === 'string' ? refused : json;
  const parts: Parts = {
    draft,
    problemOf: (field) => (problem?.field === field ? problem.message : undefined),
    change(changed) {
      setRefused(undefined);
      onDraft({ ...draft, ...changed });
    },
  };
  const field = fieldsOfFault(parts);
  const heading = edited === undefined ? 'Add a fault' : `Edit ${edited}`;
  return cardForm(
    { id: 'fault-form', title: heading, formRef: form, titleRef: title },
    html`
      <p role="alert" class="heard">${refused && quoted(refused.message)}</p>
      ${h(CallFields, parts)}
      ${effectFields(parts)}
      ${draft.effect === 'status' && responseFields(parts)}
      <fieldset>
        <legend>Optional</legend>
        ${edited === undefined && field.text('id', 'Id', { placeholder: 'fault-1, ...' })}
        ${field.number('seed', 'Seed of chance and delay', { placeholder: "the sandbox's own" })}
      </fieldset>
      ${
        edited !== undefined &&
        html`<p class="sub">Its counts and its random sequence start again.</p>`
      }
      <div class="row">
        ${h(ActionButton, {
          key: 'send',
          label: edited === undefined ? 'Add the fault' : `Save ${edited}`,
          isSubmit: true,
          operation: toOperation(edited, typeof json === 'string' ? json : '{}'),
          isDisabled: typeof json !== 'string',
          onDone: (value) => onDone((value as { id: string }).id),
          onRefused: (message) => {
            const field = fieldOf(message);
            if (field) setRefused({ field, message });
            return field !== undefined;
          },
        })}
        ${edited !== undefined && html`<button type="button" onClick=${onCancel}>Cancel</button>`}
      </div>
    `,
  );
}

function toOperation(edited: string | undefined, text: string): Operation {
  return edited === undefined
    ? { method: 'POST', path: 'faults', text }
    : { method: 'PUT', path: `faults/${encodeURIComponent(edited)}`, text };
}

/** What each part of the form shows and changes. */
type Parts = {
  draft: FaultDraft;
  problemOf: (field: FaultField) => string | undefined;
  change: (changed: Partial<FaultDraft>) => void;
};

function fieldsOfFault({ draft: { delay: _, ...texts }, problemOf, change }: Parts) {
  return fieldsOf({
    draft: texts,
    onChange: (changed) => change(changed as Partial<FaultDraft>),
    problemOf: (name) => problemOf(name as FaultField),
  });
}

function CallFields(parts: Parts): JSX.Element {
  const api = useAdmin<ApiOperationsView>('operations').value;
  const limits = useAdmin<LimitsView>('limits').value;
  const operations = (api?.operations ?? []).map(({ id }) => id);
  const keys = (limits?.keys ?? []).map(({ name }) => name);
  const { when } = parts.draft;
  const field = fieldsOfFault(parts);
  return html`
    <fieldset>
      <legend>Which calls</legend>
      ${field.select('operation', 'Operation', [['', 'All'], ...operations])}
      ${field.select('key', 'Key', [['', 'All'], ...keys])}
      ${field.select('when', 'Fires on', turns)}
      ${when === 'every' && field.number('every', 'n')}
      ${when === 'probability' && field.number('probability', 'Probability, 0 to 1')}
      ${field.number('times', 'At most, times', { placeholder: 'no end' })}
    </fieldset>
  `;
}

function effectFields(parts: Parts): JSX.Element {
  const { effect, delay } = parts.draft;
  const field = fieldsOfFault(parts);
  return html`
    <fieldset>
      <legend>What happens</legend>
      ${field.select('effect', 'Effect', effects)}
      ${effect === 'status' && field.number('status', 'Status', { suggestions: statuses })}
      ${effect === 'fault' && field.select('fault', 'How', faultTexts)}
      ${h(DelayFields, {
        draft: delay,
        onDraft: (changed) => parts.change({ delay: changed }),
        problem: parts.problemOf('delay'),
      })}
    </fieldset>
  `;
}

function responseFields(parts: Parts): JSX.Element {
  const { content } = parts.draft;
  const field = fieldsOfFault(parts);
  const hint = 'For example Retry-After: 5. They replace those of the same name.';
  return html`
    <fieldset class="wide">
      <legend>The response</legend>
      ${h(SelectField, {
        label: 'Body',
        options: { own: "The twin's own", text: 'Text', json: 'JSON' },
        value: content,
        onValue: (next) => parts.change(withContent(parts.draft, next as FaultDraft['content'])),
      })}
      ${
        content !== 'own' &&
        field.area('body', `${content === 'json' ? 'JSON' : 'Text'} of the body`, { rows: 4 })
      }
      ${field.area('headers', 'Headers, one a line', { rows: 2, hint })}
    </fieldset>
  `;
}

const turns = { always: 'Every call', every: 'Every n-th call', probability: 'Some, by chance' };

const effects = {
  status: 'Respond with a status',
  fault: 'Break the connection',
  delay: 'Only delay',
};

/** Statuses that are often asked for. */
export const statuses = ['400', '401', '403', '404', '409', '429', '500', '502', '503', '504'];

const types: Readonly<Record<DelayDraft['type'], string>> = {
  '': 'None',
  fixed: 'Fixed',
  uniform: 'Between two values',
  lognormal: 'Log-normal: most short, some long',
};

type DelayProps = {
  draft: DelayDraft;
  onDraft: (draft: DelayDraft) => void;
  label?: string;
  problem?: string | undefined;
};

/** The fields of a delay, those of its type alone. */
export function DelayFields({ draft, onDraft, label = 'Delay', problem }: DelayProps): JSX.Element {
  const { type, fields } = draft;
  return html`
    <div class="row setting">
      ${h(SelectField, {
        label,
        options: types,
        value: type,
        problem,
        onValue: (value) => onDraft({ ...draft, type: value as DelayDraft['type'] }),
      })}
      ${delayFields[type].map(([name, label]) =>
        h(TextField, {
          key: name,
          label,
          kind: 'number',
          value: fields[name] ?? '',
          onValue: (value) => onDraft({ ...draft, fields: { ...fields, [name]: value } }),
        }),
      )}
    </div>
  `;
}
