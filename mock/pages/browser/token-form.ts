import { h, type JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

type Props = {
  /** What the button says. */
  action: string;
  /** Whether typing goes to it at once. */
  takesFocus?: boolean;
  onToken: (token: string) => void;
};

/** Asks for the token of the admin, on every page that calls it. */
export function TokenForm({ action, takesFocus = false, onToken }: Props): JSX.Element {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [takesFocus]);
  const submit = (event: Event) => {
    event.preventDefault();
    const token = input.current?.value ?? '';
    if (token !== '') onToken(token);
  };
  return h(
    'form',
    { onSubmit: submit },
    h(
      'p',
      { class: 'field' },
      h('label', { for: id }, 'Token of the admin'),
      h('input', {
        id,
        ref: input,
        type: 'password',
        autocomplete: 'off',
        required: true,
        // Browsers read it with the flag "v", which takes "/" and "-" in a class escaped alone.
        pattern: '[A-Za-z0-9._~+\\/=\\-]+',
        title: 'Letters, digits and -._~+/=',
        spellcheck: false,
      }),
    ),
    h('p', { class: 'note' }, 'This page holds it in memory until it is closed or reloaded.'),
    h('button', { type: 'submit' }, action),
  );
}
