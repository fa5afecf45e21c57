import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { stringifyExact } from '../../../../common/json-text.ts';
import type { LatencySettings } from '../../../faults/fault-rules.ts';
import type { LimitsView } from '../../admin/limit-handlers.ts';
import type { ApiOperationsView } from '../../admin/twin-handlers.ts';
import type { FaultsView, FaultView } from '../../forced/fault-handlers.ts';
import { fieldsOf } from '../../pages/browser/fields.ts';
import { quoted } from '../../pages/browser/parts.ts';
import { ActionButton } from './action-button.ts';
import { describeEffect, describeHits, describeMatch, describeTurns } from './describe-fault.ts';
import { type FaultDraft, newFault, toFault } from './fault-draft.ts';
import { faultFields } from './fault-fields.ts';
import { JsonForm } from './json-form.ts';
import { cardForm, panelSection, problemLine, usePages } from './panel.ts';
import { useAdmin } from './use-admin.ts';

/** The faults of the sandbox and the delay of all its responses. */
export function FaultsPanel(): JSX.Element {
  const { value, problem } = useAdmin<FaultsView>('faults', { every: 1000 });
  const [edited, setEdited] = useState<string>();
  const [said, setSaid] = useState('');
  const rules = value?.rules ?? [];
  const { shown, pager } = usePages(rules, { about: 'faults' });
  const say = (text: string) => {
    setSaid(text);
    setEdited(undefined);
  };
  const cards = shown.map((rule) =>
    rule.id === edited
      ? html`<li key=${rule.id}>${editForm(rule, say)}</li>`
      : ruleCard(rule, { onEdit: setEdited, say }),
  );
  return html`
    <div class="stack">
      ${problemLine(problem)}
      ${panelSection(
        { id: 'fault-list', title: 'Faults', said },
        html`
          ${value && rules.length === 0 && html`<p class="none">No faults are set.</p>`}
          ${
            rules.length > 0 &&
            html`
              <ol class="stack" aria-label="Faults, in the order in which they are tried">
                ${cards}
              </ol>
              ${pager}
              ${h(ActionButton, {
                label: 'Delete all faults',
                operation: { method: 'DELETE', path: 'faults' },
                dangerous: `Delete all faults (${rules.length})?`,
                onDone: () => say('All faults are deleted.'),
              })}
            `
          }
        `,
      )}
      ${h(FaultForm, { onDone: (id) => say(`${id} is added.`) })}
      ${h(DelayForm, {})}
    </div>
  `;
}

type RuleEvents = { onEdit: (id: string) => void; say: (text: string) => void };

function ruleCard(rule: FaultView, { onEdit, say }: RuleEvents): JSX.Element {
  const { id } = rule;
  return html`
    <li key=${id} class="card columns">
      <div>
        <h4>${quoted(id)}</h4>
        <p>${quoted(`${describeMatch(rule)}, ${describeTurns(rule)}`)}</p>
      </div>
      <div>
        <p>${quoted(describeEffect(rule))}</p>
        <p class="sub">${describeHits(rule)}</p>
      </div>
      <div class="row">
        <button type="button" onClick=${() => onEdit(id)}>Edit<span class="heard"> ${id}</span></button>
        ${h(ActionButton, {
          label: 'Delete',
          about: id,
          operation: { method: 'DELETE', path: `faults/${encodeURIComponent(id)}` },
          onDone: () => say(`${id} is deleted.`),
        })}
      </div>
    </li>
  `;
}

function editForm({ calls: _, hits: __, ...rule }: FaultView, say: RuleEvents['say']): JSX.Element {
  const { id } = rule;
  return h(JsonForm, {
    id: 'fault-edit',
    title: `Edit ${id}`,
    hint: 'Also id, every, probability, seed, headers, body, and delays that vary. Its counts start again.',
    text: stringifyExact(rule, 2),
    label: `Save ${id}`,
    toOperation: (text) => ({ method: 'PUT', path: `faults/${encodeURIComponent(id)}`, text }),
    onDone: () => say(`${id} is saved.`),
    onCancel: () => say(''),
  });
}

/** A form that adds a fault. */
function FaultForm({ onDone }: { onDone: (id: string) => void }): JSX.Element {
  const [draft, setDraft] = useState(newFault);
  const api = useAdmin<ApiOperationsView>('operations').value;
  const limits = useAdmin<LimitsView>('limits').value;
  const operations = (api?.operations ?? []).map(({ id }) => id);
  const keys = (limits?.keys ?? []).map(({ name }) => name);
  const field = fieldsOf({
    draft,
    onChange: (changed) => setDraft({ ...draft, ...(changed as Partial<FaultDraft>) }),
  });
  return cardForm(
    { id: 'fault-form', title: 'Add a fault' },
    html`
      <div class="row">
        ${field.select('operation', 'Operation', [['', 'All'], ...operations])}
        ${field.select('key', 'Key', [['', 'All'], ...keys])}
        ${faultFields({ draft, onDraft: setDraft })}
      </div>
      ${h(ActionButton, {
        label: 'Add the fault',
        isSubmit: true,
        operation: { method: 'POST', path: 'faults', body: toFault(draft) },
        onDone: (value) => {
          setDraft(newFault);
          onDone((value as FaultView).id);
        },
      })}
    `,
  );
}

/** The delay of all responses of the sandbox, and what changes it. */
function DelayForm(): JSX.Element | null {
  const settings = useAdmin<LatencySettings>('settings', { every: 2000 }).value;
  if (!settings) return null;
  const hint =
    'fixedDelay in ms; delayDistribution such as {"type": "uniform", "lower": 100, "upper": 500}. null is none.';
  return h(JsonForm, {
    id: 'delays',
    title: 'Delay of all responses',
    hint,
    text: JSON.stringify(settings, undefined, 2),
    label: 'Set the delay',
    toOperation: (text) => ({ method: 'POST', path: 'settings', text }),
    onDone: () => undefined,
  });
}
