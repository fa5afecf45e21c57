import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { FaultName } from '../../../faults/fault-rules.ts';
import type { Entry } from '../../../journal/entry.ts';
import type { FaultView } from '../../forced/fault-handlers.ts';
import { fieldsOf, SelectField, TextField } from '../../pages/browser/fields.ts';
import { quoted } from '../../pages/browser/parts.ts';
import { ActionButton } from './action-button.ts';
import { describeEffect, describeHits, faultTexts } from './describe-fault.ts';
import { type DelayDraft, type FaultDraft, newFault, noDelay, toFaultJson } from './fault-draft.ts';
import { statuses } from './fault-form.ts';
import { useAdmin } from './use-admin.ts';

/** Adds a fault that answers the next calls like a request, and shows what became of it. */
export function AnswerNext({ entry: { operation, key } }: { entry: Entry }): JSX.Element | null {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [added, setAdded] = useState<string>();
  if (operation === null) return null;
  return html`
    <div class="answer-next">
      <button
        type="button"
        aria-expanded=${isOpen}
        aria-controls=${id}
        onClick=${() => setOpen(!isOpen)}
      >
        Answer the next one with ...
      </button>
      <div id=${id} hidden=${!isOpen}>
        ${isOpen && h(NextForm, { operation, requestKey: key, onAdded: setAdded })}
      </div>
      ${added !== undefined && h(AddedFault, { key: added, id: added })}
    </div>
  `;
}

type FormProps = { operation: string; requestKey: string | null; onAdded: (id: string) => void };

function NextForm({ operation, requestKey, onAdded }: FormProps): JSX.Element {
  const [draft, setDraft] = useState<FaultDraft>({ ...newFault, operation, times: '1' });
  const [code, setCode] = useState('');
  const { effect, status, times, delay } = draft;
  const change = (changed: Partial<FaultDraft>) => setDraft({ ...draft, ...changed });
  const field = fieldsOf({ draft: { status, times }, onChange: change });
  const answers = {
    status: 'A status',
    fault: 'A broken connection',
    delay: 'The same, only later',
  };
  return html`
    <form class="next-form" onSubmit=${(event: Event) => event.preventDefault()}>
      ${h(SelectField, {
        label: 'Answer with',
        options: answers,
        value: effect,
        onValue: (next) => change(toEffect(next as FaultDraft['effect'], draft)),
      })}
      ${effect === 'status' && field.number('status', 'Status', { suggestions: statuses })}
      ${
        effect === 'status' &&
        h(TextField, {
          label: 'Code of the Error',
          placeholder: "the twin's own",
          value: code,
          onValue: setCode,
        })
      }
      ${
        effect === 'fault' &&
        h(SelectField, {
          label: 'How',
          options: faultTexts,
          value: draft.fault,
          onValue: (fault) => change({ fault: fault as FaultName }),
        })
      }
      ${h(TextField, {
        label: 'Delay in ms',
        kind: 'number',
        placeholder: 'none',
        value: delay.fields.milliseconds ?? '',
        onValue: (value) => change({ delay: toFixed(value) }),
      })}
      ${field.number('times', 'How often', { placeholder: 'no end' })}
      ${requestKey !== null && keyField(requestKey, draft.key, (key) => change({ key }))}
      ${h(ActionButton, {
        label: 'Add the fault',
        isSubmit: true,
        operation: { method: 'POST', path: 'faults', text: toText(draft, code) },
        onDone: (value) => onAdded((value as FaultView).id),
      })}
    </form>
  `;
}

function keyField(key: string, value: string, onValue: (key: string) => void): JSX.Element {
  const options = [
    ['', 'Any key'],
    [key, `The key ${key}`],
  ] as const;
  return h(SelectField, { label: 'Calls with', options, value, onValue });
}

/** Another effect; one that is only a delay begins with one. */
function toEffect(effect: FaultDraft['effect'], { delay }: FaultDraft): Partial<FaultDraft> {
  return effect === 'delay' && delay.type === '' ? { effect, delay: toFixed('1000') } : { effect };
}

function toFixed(milliseconds: string): DelayDraft {
  return milliseconds === '' ? noDelay : { type: 'fixed', fields: { milliseconds } };
}

/** The fault as JSON; with a code, it answers with an Error that has it. */
function toText(draft: FaultDraft, code: string): string {
  const message = 'The console asked for this response.';
  const body = JSON.stringify({ code, message, status: Number(draft.status) });
  const hasCode = draft.effect === 'status' && code !== '';
  const json = toFaultJson(hasCode ? { ...draft, content: 'json', body } : draft);
  return typeof json === 'string' ? json : '{}';
}

/** A fault that was added, how often it fired, and a button that deletes it. */
function AddedFault({ id }: { id: string }): JSX.Element {
  const path = `faults/${encodeURIComponent(id)}`;
  const { value, problem } = useAdmin<FaultView>(path, { every: 1000 });
  const fault = problem === undefined ? value : undefined;
  return html`
    <div class="added-fault">
      <p role="status">
        ${
          fault
            ? quoted(`${id}: ${describeEffect(fault)}; ${describeHits(fault)}.`)
            : problem !== undefined && `The fault ${id} is gone.`
        }
      </p>
      ${fault && h(ActionButton, { label: `Delete ${id}`, operation: { method: 'DELETE', path } })}
      <a href="#faults">All faults</a>
    </div>
  `;
}
