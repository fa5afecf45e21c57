import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { LatencySettings } from '../../../faults/latency.ts';
import type { FaultsView, FaultView } from '../../forced/fault-handlers.ts';
import { TextField } from '../../pages/browser/fields.ts';
import { quoted } from '../../pages/browser/parts.ts';
import { ActionButton } from './action-button.ts';
import {
  describeDelay,
  describeEffect,
  describeHits,
  describeMatch,
  describeTurns,
} from './describe-fault.ts';
import { newFault, noDelay, toDelay, toDelayDraft, toFaultDraft } from './fault-draft.ts';
import { DelayFields, FaultForm } from './fault-form.ts';
import { cardForm, panelSection, problemLine, useNotice, usePages } from './panel.ts';
import { useAdmin } from './use-admin.ts';
import { toNumberOrText } from './words.ts';

/** The faults of the sandbox and the delay of all its responses. */
export function FaultsPanel(): JSX.Element {
  const { value, problem } = useAdmin<FaultsView>('faults', { every: 1000 });
  const [draft, setDraft] = useState(newFault);
  const [edited, setEdited] = useState<string>();
  const notice = useNotice();
  const rules = value?.rules ?? [];
  const { shown, pager } = usePages(rules, { about: 'faults' });
  const onEdit = (rule: FaultView) => {
    setDraft(toFaultDraft(rule));
    setEdited(rule.id);
  };
  const onDeleted = ({ id }: FaultView) => {
    if (edited === id) setEdited(undefined);
    notice.show(`${id} is deleted.`);
  };
  const onAllDeleted = () => {
    setEdited(undefined);
    notice.show('All faults are deleted.');
  };
  const leaveForm = () => {
    setEdited(undefined);
    setDraft(newFault);
    notice.focus();
  };
  return html`
    <div class="stack">
      ${problemLine(problem)}
      ${panelSection(
        { id: 'fault-list', title: 'Faults', notice },
        html`
          ${value && rules.length === 0 && html`<p class="none">No faults are set.</p>`}
          ${
            rules.length > 0 &&
            html`
              <ol class="stack" aria-label="Faults, in the order in which they are tried">
                ${shown.map((rule) => ruleCard(rule, { onEdit, onDeleted }))}
              </ol>
            `
          }
          ${pager}
          ${rules.length > 0 && deleteAll(rules.length, onAllDeleted)}
        `,
      )}
      ${h(FaultForm, {
        draft,
        onDraft: setDraft,
        edited,
        onDone: (id) => {
          notice.setText(edited === undefined ? `${id} is added.` : `${id} is saved.`);
          leaveForm();
        },
        onCancel: leaveForm,
      })}
      ${h(DelaysForm, {})}
    </div>
  `;
}

function deleteAll(count: number, onDone: () => void): JSX.Element {
  return h(ActionButton, {
    label: 'Delete all faults',
    operation: { method: 'DELETE', path: 'faults' },
    dangerous: `Delete ${count === 1 ? 'the fault' : `all ${count} faults`}?`,
    onDone,
  });
}

type RuleEvents = Record<'onEdit' | 'onDeleted', (rule: FaultView) => void>;

function ruleCard(rule: FaultView, { onEdit, onDeleted }: RuleEvents): JSX.Element {
  const { id, hits, times } = rule;
  return html`
    <li key=${id} class="card fault">
      <div>
        <h4>${quoted(id)}</h4>
        <p>${quoted(`${describeMatch(rule)}, ${describeTurns(rule)}`)}</p>
      </div>
      <p class="fault-effect">${quoted(describeEffect(rule))}</p>
      <p class=${times !== undefined && hits >= times ? 'quiet' : ''}>
        ${describeHits(rule)}
      </p>
      <div class="row">
        <button type="button" onClick=${() => onEdit(rule)}>Edit<span class="heard"> ${id}</span></button>
        ${h(ActionButton, {
          label: 'Delete',
          about: id,
          operation: { method: 'DELETE', path: `faults/${encodeURIComponent(id)}` },
          onDone: () => onDeleted(rule),
        })}
      </div>
    </li>
  `;
}

/** The delay of all responses of the sandbox, and what changes it. */
function DelaysForm(): JSX.Element {
  const settings = useAdmin<LatencySettings>('settings', { every: 2000 }).value;
  const [fixed, setFixed] = useState('');
  const [drawn, setDrawn] = useState(noDelay);
  const text = JSON.stringify(settings);
  useEffect(() => {
    if (!settings) return;
    setFixed(settings.fixedDelay === null ? '' : String(settings.fixedDelay));
    setDrawn(toDelayDraft(settings.delayDistribution));
  }, [text]);
  const post = (body: object) => ({ method: 'POST' as const, path: 'settings', body });
  return cardForm(
    { id: 'delays', title: 'Delay of all responses' },
    html`
      ${settings && html`<p class="quiet">${describeSettings(settings)}</p>`}
      <div class="row setting">
        ${h(TextField, {
          label: 'Fixed part, in ms',
          kind: 'number',
          placeholder: 'none',
          value: fixed,
          onValue: setFixed,
        })}
        ${h(DelayFields, { label: 'And a part that varies', draft: drawn, onDraft: setDrawn })}
      </div>
      <div class="row">
        ${h(ActionButton, {
          label: 'Set the delay',
          isSubmit: true,
          operation: post({
            fixedDelay: fixed.trim() === '' ? null : toNumberOrText(fixed),
            delayDistribution: toDelay(drawn) ?? null,
          }),
        })}
        ${h(ActionButton, {
          label: 'Delay nothing',
          operation: post({ fixedDelay: null, delayDistribution: null }),
        })}
      </div>
    `,
  );
}

function describeSettings({ fixedDelay, delayDistribution }: LatencySettings): string {
  const parts = [
    fixedDelay !== null && `${fixedDelay.toLocaleString('en')} ms`,
    delayDistribution !== null && describeDelay(delayDistribution),
  ].filter(Boolean);
  return parts.length === 0
    ? 'Responses are not delayed.'
    : `Every response of the API is delayed: ${parts.join(', plus ')}.`;
}
