import { h, type JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Operation, toCurlLine } from '../../pages/browser/admin.ts';
import { ButtonResult, CopyButton, ShellLine, Shown } from '../../pages/browser/parts.ts';
import { readTrust } from './page.ts';
import { useAdminClient } from './use-admin.ts';

type ActionProps = {
  /** What it does, e.g. `Exhaust the minute`. */
  label: string;
  /** Of what, for those who do not see where the button stands, e.g. `of demo-free`. */
  about?: string;
  operation: Operation;
  /** The question that is asked first, e.g. `Delete all requests?`. */
  dangerous?: string;
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
  const { label, about, operation, dangerous, isDisabled = false, onDone } = props;
  const { isSubmit = false, onRefused } = props;
  const admin = useAdminClient();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [showsCurl, setShowsCurl] = useState(false);
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
    setOutcome(
      result.ok ? { isDone: true, text: 'Done.' } : { isDone: false, text: result.message },
    );
    if (result.ok) onDone?.(result.value, result.text);
    else if (onRefused?.(result.message, result.value)) setOutcome(undefined);
  };
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
  const name = [label, about && h('span', { class: 'heard' }, ` ${about}`)];
  return h(
    'div',
    { class: 'action' },
    h(
      'div',
      { class: 'action-buttons' },
      h(
        'button',
        {
          type: isSubmit ? 'submit' : 'button',
          ref: button,
          disabled: isDisabled,
          'aria-busy': isBusy,
          onClick: press,
        },
        ...name,
        showsDone && h(ButtonResult, { isDone: true, text: 'Done' }),
      ),
      h(
        'button',
        {
          type: 'button',
          class: 'curl',
          'aria-expanded': showsCurl,
          'aria-controls': `${id}-curl`,
          onClick: () => setShowsCurl(!showsCurl),
        },
        'curl',
        h('span', { class: 'heard' }, ' line for: ', ...name),
      ),
    ),
    isAsking && h(Question, { text: dangerous ?? '', label, onYes: confirm, onNo: leave }),
    h(
      'div',
      { id: `${id}-curl`, class: 'curl-line', hidden: !showsCurl },
      showsCurl &&
        h(CurlLine, {
          line: toCurlLine(operation, admin, { base: document.baseURI, trust: readTrust() }),
        }),
    ),
    h(
      'p',
      { role: 'status', class: outcome?.isDone === false ? 'outcome is-drift' : 'heard' },
      outcome && h(Shown, { text: outcome.text }),
    ),
  );
}

/** A line for a shell, with a button that copies it. */
function CurlLine({ line }: { line: string }): JSX.Element {
  return h(
    'div',
    null,
    h('pre', { tabIndex: 0, 'aria-label': 'curl line' }, h(ShellLine, { line })),
    h(CopyButton, { text: line, about: 'the curl line' }),
  );
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
  return h(
    'div',
    { class: 'question is-standard', role: 'group', 'aria-labelledby': id, onKeyDown },
    h('p', { id }, text),
    h('button', { type: 'button', ref: cancel, onClick: onNo }, 'Cancel'),
    h('button', { type: 'button', class: 'dangerous', onClick: onYes }, `Yes: ${label}`),
  );
}
