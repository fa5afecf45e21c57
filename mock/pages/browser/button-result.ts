import { h, type JSX } from 'preact';

/**
 * What a button did, in its place for a while: the button keeps its size, so nothing moves under the
 * pointer. Whoever uses it says the same in a status.
 */
export function ButtonResult({ isDone, text }: { isDone: boolean; text: string }): JSX.Element {
  return h('span', { class: isDone ? 'result' : 'result is-standard', 'aria-hidden': true }, text);
}
