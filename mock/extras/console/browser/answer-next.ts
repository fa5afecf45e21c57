import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Entry } from '../../../journal/entry.ts';
import type { FaultView } from '../../forced/fault-handlers.ts';
import { SelectField } from '../../pages/browser/fields.ts';
import { quoted } from '../../pages/browser/parts.ts';
import { ActionButton } from './action-button.ts';
import { describeEffect, describeHits } from './describe-fault.ts';
import { newFault, toFaultJson } from './fault-draft.ts';
import { faultFields } from './fault-fields.ts';
import { useAdmin } from './use-admin.ts';

/** Adds a fault that answers the next calls like a request, and shows what became of it. */
export function AnswerNext({ entry: { operation, key } }: { entry: Entry }): JSX.Element | null {
  const [draft, setDraft] = useState({ ...newFault, operation: operation ?? '', times: '1' });
  const [added, setAdded] = useState<string>();
  if (operation === null) return null;
  const options = [['', 'Any key'] as const, ...(key === null ? [] : [key])];
  const onValue = (value: string) => setDraft({ ...draft, key: value });
  return html`
    <details class="answer-next">
      <summary>Answer the next one with ...</summary>
      <form class="row" onSubmit=${(event: Event) => event.preventDefault()}>
        ${faultFields({ draft, onDraft: setDraft })}
        ${h(SelectField, { label: 'Calls with', options, value: draft.key, onValue })}
        ${h(ActionButton, {
          label: 'Add the fault',
          isSubmit: true,
          operation: { method: 'POST', path: 'faults', text: toFaultJson(draft) },
          onDone: (value) => setAdded((value as FaultView).id),
        })}
      </form>
    </details>
    ${added !== undefined && h(AddedFault, { key: added, id: added })}
  `;
}

/** A fault that was added, how often it fired, and a button that deletes it. */
function AddedFault({ id }: { id: string }): JSX.Element {
  const path = `faults/${encodeURIComponent(id)}`;
  const { value, problem } = useAdmin<FaultView>(path, { every: 1000 });
  const fault = problem === undefined ? value : undefined;
  const gone = problem !== undefined && `The fault ${id} is gone.`;
  return html`
    <div class="row">
      <p role="status">
        ${fault ? quoted(`${id}: ${describeEffect(fault)}; ${describeHits(fault)}.`) : gone}
      </p>
      ${fault && h(ActionButton, { label: `Delete ${id}`, operation: { method: 'DELETE', path } })}
      <a href="#faults">All faults</a>
    </div>
  `;
}
