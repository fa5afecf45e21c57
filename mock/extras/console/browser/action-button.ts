import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { type Operation, toCurlLine } from '../../pages/browser/admin.ts';
import { quoted, shellLine } from '../../pages/browser/parts.ts';
import { readPageData } from './place.ts';
import { useConsole } from './state.ts';

export type ActionProps = {
  /** The label of the button, e.g. `Exhaust the minute`. */
  label: string;
  /** Of what, for those who do not see where the button stands, e.g. `of demo-free`. */
  about?: string;
  operation: Operation;
  /** The question that is asked first, e.g. `Delete all requests?`. */
  dangerous?: string | undefined;
  isDisabled?: boolean;
  /** Whether Enter in a field of the form around it presses it. */
  isSubmit?: boolean;
  /** The sentence that the panel says after the twin did it. */
  done?: string | undefined;
  /** Called with the answer then, parsed and as text. */
  onDone?: (value: unknown, text: string) => void;
};

/** How a call went; the time tells one from the next. */
type Outcome = { isDone: boolean; text: string; at: number };

/**
 * A button that calls one operation of the admin. It shows the curl line that does the same, asks
 * first if it is dangerous, and says that it was done, or in the twin's words why not.
 */
export function ActionButton(props: ActionProps): JSX.Element {
  const { label, about, operation, dangerous, isDisabled = false, isSubmit = false } = props;
  const state = useConsole();
  const { admin } = state;
  const id = useId();
  const question = useRef<HTMLDialogElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const run = async () => {
    setBusy(true);
    const result = await admin.call(operation);
    setBusy(false);
    setOutcome({
      isDone: result.ok,
      text: result.ok ? 'Done.' : result.message,
      at: performance.now(),
    });
    if (!result.ok) return;
    if (props.done !== undefined) state.say(props.done);
    props.onDone?.(result.value, result.text);
  };
  const press = () => {
    if (isBusy) return;
    if (dangerous === undefined) void run();
    else question.current?.showModal();
  };
  const confirm = () => {
    question.current?.close();
    void run();
  };
  const name = html`${label}${about && html`<span class="heard"> ${about}</span>`}`;
  const toLine = () =>
    toCurlLine(operation, admin, { base: document.baseURI, trust: readPageData().trust });
  return html`
    <div class="action">
      <div class="action-buttons">
        <button
          type=${isSubmit ? 'submit' : 'button'}
          disabled=${isDisabled}
          aria-busy=${isBusy}
          onClick=${press}
        >
          ${name}
          ${
            outcome?.isDone &&
            html`<span key=${outcome.at} class="result is-kept is-brief" aria-hidden="true">Done</span>`
          }
        </button>
        ${curlPopover(`${id}-curl`, name, toLine)}
      </div>
      <p role="status" class=${outcome?.isDone === false ? 'outcome is-drift' : 'heard'}>
        ${outcome && quoted(outcome.text)}
      </p>
      ${
        dangerous !== undefined &&
        html`
          <dialog ref=${question} aria-labelledby="${id}-question">
            <p id="${id}-question">${quoted(dangerous)}</p>
            <div class="row">
              <button type="button" onClick=${() => question.current?.close()}>Cancel</button>
              <button type="button" class="dangerous" onClick=${confirm}>Yes: ${label}</button>
            </div>
          </dialog>
        `
      }
    </div>
  `;
}

/** A button that shows the curl line of another one, which is made when it is asked for. */
function curlPopover(id: string, name: JSX.Element, toLine: () => string): JSX.Element {
  return html`
    <button type="button" class="curl" popovertarget=${id}>
      curl<span class="heard"> line for: ${name}</span>
    </button>
    ${h(CurlLine, { id, toLine })}
  `;
}

function CurlLine({ id, toLine }: { id: string; toLine: () => string }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const onToggle = (event: Event) => setOpen((event as ToggleEvent).newState === 'open');
  return html`
    <div id=${id} popover class="curl-line" onToggle=${onToggle}>
      ${isOpen && shellLine(toLine())}
    </div>
  `;
}
