import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Operation, toCurlLine } from '../../pages/browser/admin.ts';
import { quoted, shellLine } from '../../pages/browser/parts.ts';
import { readTrust } from './page.ts';
import { useAdminClient } from './use-admin.ts';

type ActionProps = {
  /** What it does, e.g. `Exhaust the minute`. */
  label: string;
  /** Of what, for those who do not see where the button stands, e.g. `of demo-free`. */
  about?: string;
  operation: Operation;
  /** The question that is asked first, e.g. `Delete all requests?`. */
  dangerous?: string | undefined;
  isDisabled?: boolean;
  /** Whether Enter in a field of the form around it presses it. */
  isSubmit?: boolean;
  /** Called with the answer, parsed and as text, after the twin did it. */
  onDone?: (value: unknown, text: string) => void;
  /**
   * Called with the twin's refusal and what it answered. True says that it is shown elsewhere, so it
   * is not shown here.
   */
  onRefused?: (message: string, value: unknown) => boolean;
};

/**
 * A button that calls one operation of the admin. It shows the curl line that does the same, asks
 * first if it is dangerous, and says that it was done, or in the twin's words why not.
 */
export function ActionButton(props: ActionProps): JSX.Element {
  const { label, about, operation, dangerous, isDisabled = false, isSubmit = false } = props;
  const admin = useAdminClient();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [isAsking, setAsking] = useState(false);
  const [showsCurl, setShowsCurl] = useState(false);
  const { isBusy, outcome, showsDone, run } = useCall(props);

  const press = () => {
    if (isBusy) return;
    if (dangerous === undefined) void run();
    else setAsking(true);
  };
  const leave = () => {
    setAsking(false);
    button.current?.focus();
  };
  const confirm = () => {
    leave();
    void run();
  };
  const name = html`${label}${about && html`<span class="heard"> ${about}</span>`}`;
  const toLine = () => toCurlLine(operation, admin, { base: document.baseURI, trust: readTrust() });
  return html`
    <div class="action">
      <div class="action-buttons">
        <button
          type=${isSubmit ? 'submit' : 'button'}
          ref=${button}
          disabled=${isDisabled}
          aria-busy=${isBusy}
          onClick=${press}
        >
          ${name}
          ${showsDone && html`<span class="result" aria-hidden="true">Done</span>`}
        </button>
        <button
          type="button"
          class="curl"
          aria-expanded=${showsCurl}
          aria-controls="${id}-curl"
          onClick=${() => setShowsCurl(!showsCurl)}
        >
          curl<span class="heard"> line for: ${name}</span>
        </button>
      </div>
      ${isAsking && h(Question, { text: dangerous ?? '', label, onYes: confirm, onNo: leave })}
      <div id="${id}-curl" class="curl-line" hidden=${!showsCurl}>
        ${showsCurl && shellLine(toLine())}
      </div>
      <p role="status" class=${outcome?.isDone === false ? 'outcome is-drift' : 'heard'}>
        ${outcome && quoted(outcome.text)}
      </p>
    </div>
  `;
}

/** Calls the operation of a button, and says how it went. */
function useCall({ operation, onDone, onRefused }: ActionProps) {
  const admin = useAdminClient();
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<{ isDone: boolean; text: string }>();
  const [showsDone, setShowsDone] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const run = async () => {
    setBusy(true);
    setOutcome(undefined);
    const result = await admin.call(operation);
    setBusy(false);
    setShowsDone(result.ok);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setShowsDone(false), 3000);
    if (result.ok) {
      setOutcome({ isDone: true, text: 'Done.' });
      onDone?.(result.value, result.text);
    } else if (!onRefused?.(result.message, result.value))
      setOutcome({ isDone: false, text: result.message });
  };
  return { isBusy, outcome, showsDone, run };
}

type QuestionProps = { text: string; label: string; onYes: () => void; onNo: () => void };

function Question({ text, label, onYes, onNo }: QuestionProps): JSX.Element {
  const id = useId();
  const cancel = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => cancel.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onNo();
  };
  return html`
    <div class="question is-standard" role="group" aria-labelledby=${id} onKeyDown=${onKeyDown}>
      <p id=${id}>${text}</p>
      <button type="button" ref=${cancel} onClick=${onNo}>Cancel</button>
      <button type="button" class="dangerous" onClick=${onYes}>Yes: ${label}</button>
    </div>
  `;
}
