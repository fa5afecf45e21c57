import { h, type JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { LatencySettings } from '../../faults/latency.ts';
import { ActionButton } from './action-button.ts';
import { CardForm } from './card-form.ts';
import { describeDelay, noDelay, toDelay, toDelayDraft } from './delay-draft.ts';
import { DelayFields } from './delay-fields.ts';
import { TextField } from './fields.ts';
import { toNumberOrText } from './number-text.ts';
import { useAdmin } from './use-admin.ts';
import { useLast } from './use-last.ts';

/** The delay of all responses of the sandbox, and what changes it. */
export function DelaysForm(): JSX.Element {
  const settings = useLast(useAdmin<LatencySettings>('settings', { every: 2000 }).value);
  const [fixed, setFixed] = useState('');
  const [drawn, setDrawn] = useState(noDelay);
  const text = JSON.stringify(settings);
  useEffect(() => {
    if (!settings) return;
    setFixed(settings.fixedDelay === null ? '' : String(settings.fixedDelay));
    setDrawn(toDelayDraft(settings.delayDistribution));
  }, [text]);
  const post = (body: object) => ({ method: 'POST' as const, path: 'settings', body });
  return h(
    CardForm,
    { id: 'delays', title: 'Delay of all responses' },
    settings && h('p', { class: 'quiet' }, describeSettings(settings)),
    h(
      'div',
      { class: 'row setting' },
      h(TextField, {
        label: 'Fixed part, in ms',
        kind: 'number',
        placeholder: 'none',
        value: fixed,
        onValue: setFixed,
      }),
      h(DelayFields, { label: 'And a part that varies', draft: drawn, onDraft: setDrawn }),
    ),
    h(
      'div',
      { class: 'row' },
      h(ActionButton, {
        label: 'Set the delay',
        isSubmit: true,
        operation: post({
          fixedDelay: fixed.trim() === '' ? null : toNumberOrText(fixed),
          delayDistribution: toDelay(drawn) ?? null,
        }),
      }),
      h(ActionButton, {
        label: 'Delay nothing',
        operation: post({ fixedDelay: null, delayDistribution: null }),
      }),
    ),
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
