import { html } from 'htm/preact';
import type { JSX } from 'preact';
import { stringifyExact } from '../../../../common/json.ts';
import { number, toNumberOrText } from '../../../../common/look/amounts.ts';
import type { Delay } from '../../../faults/delay.ts';
import type { FaultName, LatencySettings } from '../../../faults/fault-rules.ts';
import type { LimitsView } from '../../admin/limit-handlers.ts';
import type { ApiOperationsView } from '../../admin/twin-handlers.ts';
import type { FaultsView, FaultView } from '../../forced/fault-handlers.ts';
import {
  button,
  cardForm,
  draftOf,
  jsonForm,
  namedCard,
  panelList,
  panelSection,
} from './panel.ts';
import type { PanelState } from './state.ts';

/** The faults of the sandbox and the delay of all its responses. */
export function faultsPanel(state: PanelState): JSX.Element {
  const items = state.read<FaultsView>('faults')?.rules;
  const [edited, setEdited] = state.keep<string | undefined>('edited', undefined);
  const toCard = (rule: FaultView) =>
    rule.id === edited
      ? html`<li key=${rule.id}>${editForm(state, rule, () => setEdited(undefined))}</li>`
      : ruleCard(rule, setEdited);
  const label = 'Faults, in the order in which they are tried';
  return html`
    ${panelSection(
      state,
      { id: 'fault-list', title: 'Faults' },
      html`
        ${panelList(state, { about: 'faults', label, none: 'No faults are set.', items, toCard })}
        ${
          items &&
          items.length > 0 &&
          button({
            label: 'Delete all faults',
            operation: { method: 'DELETE', path: 'faults' },
            dangerous: `Delete all faults (${items.length})?`,
            done: 'All faults are deleted.',
          })
        }
      `,
    )}
    ${faultForm(state)} ${delayForm(state)}
  `;
}

function ruleCard(rule: FaultView, onEdit: (id: string) => void): JSX.Element {
  const { id } = rule;
  return namedCard(
    {
      name: id,
      note: `${describeMatch(rule)}, ${describeTurns(rule)}`,
      holds: describeEffect(rule),
      more: describeHits(rule),
    },
    [
      html`<button type="button" onClick=${() => onEdit(id)}>Edit<span class="heard"> ${id}</span></button>`,
      button({
        label: 'Delete',
        about: id,
        operation: { method: 'DELETE', path: `faults/${encodeURIComponent(id)}` },
        done: `${id} is deleted.`,
      }),
    ],
  );
}

/** Which calls a rule matches: `listPets with the key demo-free`. */
export function describeMatch({ operation, key }: Pick<FaultView, 'operation' | 'key'>): string {
  const of = operation === undefined ? 'all operations' : operation;
  return key === undefined ? of : `${of} with the key ${key}`;
}

/** Describes the effect of a rule: `Respond with 503, headers and a body, after 300 ms`. */
export function describeEffect({ status, headers, body, fault, delay }: FaultView): string {
  const given = [status, headers && 'headers', body !== undefined && 'a body'];
  const parts = new Intl.ListFormat('en-GB').format(given.filter(Boolean).map(String));
  const response = status === undefined ? '' : `Respond with ${parts}`;
  const answer = fault !== undefined ? faultTexts[fault] : response;
  return delay ? `${answer || 'The normal response'}, after ${describeDelay(delay)}` : answer;
}

/** On which of its calls a rule fires: `one in 3 calls`. */
export function describeTurns({ every, probability, seed }: FaultView): string {
  if (probability !== undefined)
    return `with probability ${probability}${seed === undefined ? '' : `, seed ${seed}`}`;
  return every === undefined || every === 1 ? 'every call' : `one in ${number(every)} calls`;
}

/** How often a rule fired, and how often it still can. */
export function describeHits({ calls, hits, times }: FaultView): string {
  const left = times === undefined ? '' : `, ${number(times - hits)} of ${number(times)} left`;
  return `fired on ${number(hits)} of ${number(calls)} calls${left}`;
}

function describeDelay(delay: Delay): string {
  const ms = (value: number) => `${number(value)} ms`;
  switch (delay.type) {
    case 'fixed':
      return ms(delay.milliseconds);
    case 'uniform':
      return `${ms(delay.lower)} to ${ms(delay.upper)}`;
    case 'lognormal':
      return `log-normal, median ${ms(delay.median)}, sigma ${delay.sigma}`;
  }
}

function editForm(
  state: PanelState,
  { calls: _, hits: __, ...rule }: FaultView,
  close: () => void,
): JSX.Element {
  const { id } = rule;
  return jsonForm(state, {
    id: 'fault-edit',
    title: `Edit ${id}`,
    hint: 'Also id, every, probability, seed, headers, body, and delays that vary. Its counts restart.',
    text: stringifyExact(rule, 2),
    label: `Save ${id}`,
    toOperation: (text) => ({ method: 'PUT', path: `faults/${encodeURIComponent(id)}`, text }),
    done: `${id} is saved.`,
    onDone: close,
    onCancel: close,
  });
}

/** The effect of each connection fault, as a client sees it. */
const faultTexts: Readonly<Record<FaultName, string>> = {
  CONNECTION_RESET_BY_PEER: 'Reset the connection (TCP)',
  EMPTY_RESPONSE: 'Close it without a byte',
  MALFORMED_RESPONSE_CHUNK: 'Send the headers of a 200, then an invalid chunk',
  RANDOM_DATA_THEN_CLOSE: 'Send bytes that are not HTTP',
};

/** The responses that a fault can have. */
const answers = { status: 'A status', ...faultTexts, delay: 'The same response, delayed' };

/** Statuses that are often asked for. */
const suggestions = ['400', '401', '403', '404', '409', '429', '500', '502', '503', '504'];

/** A fault as it is being filled in; what is empty is left out. */
export const newFault = {
  operation: '',
  key: '',
  answer: 'status',
  status: '503',
  milliseconds: '',
  times: '',
};

/** The rule of a draft. */
export function toFault(draft: typeof newFault): object {
  const { operation, key, answer, status, milliseconds, times } = draft;
  const isStatus = answer === 'status';
  return {
    ...(operation !== '' && { operation }),
    ...(key !== '' && { key }),
    ...(times.trim() !== '' && { times: toNumberOrText(times) }),
    ...(isStatus && { status: toNumberOrText(status) }),
    ...(!isStatus && answer !== 'delay' && { fault: answer }),
    ...(milliseconds.trim() !== '' && {
      delay: { type: 'fixed', milliseconds: toNumberOrText(milliseconds) },
    }),
  };
}

function faultForm(state: PanelState): JSX.Element {
  const { draft, field, clear } = draftOf(state, 'fault', newFault);
  const { operations = [] } = state.read<ApiOperationsView>('operations', 5000) ?? {};
  const { keys = [] } = state.read<LimitsView>('limits', 5000) ?? {};
  return cardForm(
    { id: 'fault-form', title: 'Add a fault' },
    html`
      <div class="row">
        ${field.select('operation', 'Operation', [['', 'All'], ...operations.map(({ id }) => id)])}
        ${field.select('key', 'Key', [['', 'All'], ...keys.map(({ name }) => name)])}
        ${field.select('answer', 'Answer with', answers)}
        ${draft.answer === 'status' && field.number('status', 'Status', { suggestions })}
        ${field.number('milliseconds', 'Delay in ms', { placeholder: 'none' })}
        ${field.number('times', 'At most, times', { placeholder: 'no end' })}
      </div>
      ${button({
        label: 'Add the fault',
        isSubmit: true,
        operation: { method: 'POST', path: 'faults', body: toFault(draft) },
        onDone: (value) => {
          clear();
          state.say(`${(value as FaultView).id} is added.`);
        },
      })}
    `,
  );
}

/** The delay of all responses of the sandbox, and what changes it. */
function delayForm(state: PanelState): JSX.Element | undefined {
  const settings = state.read<LatencySettings>('settings', 2000);
  return (
    settings &&
    jsonForm(state, {
      id: 'delays',
      title: 'Delay of all responses',
      hint: 'fixedDelay in ms; delayDistribution such as {"type": "uniform", "lower": 100, "upper": 500}. null is none.',
      text: JSON.stringify(settings, undefined, 2),
      label: 'Set the delay',
      toOperation: (text) => ({ method: 'POST', path: 'settings', text }),
    })
  );
}
