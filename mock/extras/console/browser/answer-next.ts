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
  const onChange = (changed: Partial<FaultDraft>) => setDraft({ ...draft, ...changed });
  const field = fieldsOf({ draft: { status, times }, onChange });
  const message = 'The console asked for this response.';
  const body = JSON.stringify({ code, message, status: Number(status) });
  const hasCode = effect === 'status' && code !== '';
  const json = toFaultJson(hasCode ? { ...draft, content: 'json', body } : draft);
  const fixed = (milliseconds: string): DelayDraft =>
    milliseconds === '' ? noDelay : { type: 'fixed', fields: { milliseconds } };
  const choose = (next: string) => {
    const isOnlyLater = next === 'delay' && delay.type === '';
    const changed = { ...draft, effect: next as FaultDraft['effect'] };
    setDraft(isOnlyLater ? { ...changed, delay: fixed('1000') } : changed);
  };
  return html`
    <form class="next-form" onSubmit=${(event: Event) => event.preventDefault()}>
      ${h(SelectField, {
        label: 'Answer with',
        options: {
          status: 'A status',
          fault: 'A broken connection',
          delay: 'The same, only later',
        },
        value: effect,
        onValue: choose,
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
          onValue: (fault) => onChange({ fault: fault as FaultName }),
        })
      }
      ${h(TextField, {
        label: 'Delay in ms',
        kind: 'number',
        placeholder: 'none',
        value: delay.fields.milliseconds ?? '',
        onValue: (value) => onChange({ delay: fixed(value) }),
      })}
      ${field.number('times', 'How often', { placeholder: 'no end' })}
      ${
        requestKey !== null &&
        h(SelectField, {
          label: 'Calls with',
          options: [
            ['', 'Any key'],
            [requestKey, `The key ${requestKey}`],
          ],
          value: draft.key,
          onValue: (key) => onChange({ key }),
        })
      }
      ${h(ActionButton, {
        label: 'Add the fault',
        isSubmit: true,
        operation: { method: 'POST', path: 'faults', text: typeof json === 'string' ? json : '{}' },
        onDone: (value) => onAdded((value as FaultView).id),
      })}
    </form>
  `;
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
