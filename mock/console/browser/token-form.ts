import { h, type JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Shown } from './shown.ts';

type Props = { message: string; onToken: (token: string) => void };

/** Asks for the token of the admin. */
export function TokenForm({ message, onToken }: Props): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  const submit = (event: Event) => {
    event.preventDefault();
    const token = input.current?.value ?? '';
    if (token !== '') onToken(token);
  };
  return h(
    'form',
    { class: 'card token', onSubmit: submit },
    h('h2', null, 'The token of the admin'),
    h('p', { role: 'alert' }, h(Shown, { text: message })),
    h(
      'p',
      { class: 'field' },
      h('label', { for: 'token' }, 'Token, as the twin was started with'),
      h('input', {
        id: 'token',
        ref: input,
        type: 'password',
        autocomplete: 'off',
        required: true,
        pattern: '[A-Za-z0-9._~+/=-]+',
        title: 'Letters, digits and -._~+/',
        spellcheck: false,
      }),
    ),
    h('p', { class: 'note' }, 'This tab holds it in memory until it is closed or reloaded.'),
    h('button', { type: 'submit' }, 'Open the console'),
  );
}
