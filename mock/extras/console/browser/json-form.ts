import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { Operation } from '../../pages/browser/admin.ts';
import { problemOfJson } from '../../pages/browser/exact-json.ts';
import { AreaField } from '../../pages/browser/fields.ts';
import { ActionButton } from './action-button.ts';
import { cardForm, isClosing } from './panel.ts';

type FormProps = {
  id: string;
  title: string;
  /** A hint for people who write the JSON. */
  hint?: string;
  /** The JSON to begin with; it is followed as it changes until somebody types. */
  text: string;
  /** The label of the button, and the operation for the written text. */
  label: string;
  toOperation: (text: string) => Operation;
  onDone: (value: unknown) => void;
  onCancel?: () => void;
  /** Further buttons below the text. */
  buttons?: JSX.Element;
};

/** A form for a thing of many fields: its JSON, which the twin judges. */
export function JsonForm(props: FormProps): JSX.Element {
  const { id, title, hint, label, toOperation, onDone, onCancel, buttons } = props;
  const [draft, setDraft] = useState<string>();
  const text = draft ?? props.text;
  // Who opened it with the keyboard is led to it.
  useLayoutEffect(() => {
    if (onCancel) document.getElementById(id)?.focus();
  }, []);
  const problem = problemOfJson(text);
  // What was typed is not lost by a key.
  const onKeyDown = (event: KeyboardEvent) => {
    if (draft === undefined && isClosing(event)) onCancel?.();
  };
  return cardForm(
    { id, title, onKeyDown },
    html`
      ${h(AreaField, {
        label: `${title}, as JSON`,
        hint,
        rows: Math.max(3, Math.min(24, text.split('\n').length + 1)),
        value: text,
        onValue: setDraft,
        problem,
      })}
      <div class="row">
        ${h(ActionButton, {
          label,
          isSubmit: true,
          isDisabled: problem !== undefined,
          operation: toOperation(text),
          onDone: (value) => {
            setDraft(undefined);
            onDone(value);
          },
        })}
        ${buttons}
        ${onCancel && html`<button type="button" onClick=${onCancel}>Close</button>`}
      </div>
    `,
  );
}
