import { Fragment, h, type JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { toVisible } from '../../../contracts/look/visible.ts';
import { splitShellLine } from '../../curl/shell.ts';

/** How many characters are marked at most; each is an element, and a page can hold but so many. */
const maxMarked = 500;

/**
 * Text from elsewhere: its direction does not spread, and characters that nobody sees are marked.
 * `lines` keeps line breaks and tabs.
 */
export function Shown({ text, lines = false }: { text: string; lines?: boolean }): JSX.Element {
  const children: (string | JSX.Element)[] = [];
  let plain = '';
  let marked = 0;
  for (const part of text.split(/([^ -~]+)/u)) {
    for (const character of /^[ -~]*$/.test(part) ? [part] : part) {
      const isBreak = lines && (character === '\n' || character === '\t');
      const visible = isBreak ? character : toVisible(character);
      if (visible === character || marked === maxMarked) {
        plain += visible;
        continue;
      }
      marked += 1;
      if (plain !== '') children.push(plain);
      plain = '';
      children.push(h('span', { class: 'unseen' }, visible));
    }
  }
  if (plain !== '') children.push(plain);
  return h('bdi', null, ...children);
}

/** A line for a shell, which is broken between its words. */
export function ShellLine({ line }: { line: string }): JSX.Element {
  return h(
    Fragment,
    null,
    ...splitShellLine(line).map((part) =>
      part === ' ' ? part : h('span', { class: 'word' }, h(Shown, { text: part })),
    ),
  );
}

type CopyProps = {
  /** What is copied; a function may take its time. */
  text: string | (() => Promise<string | undefined>);
  label?: string;
  /** What is copied, for those who do not see where the button stands. */
  about?: string;
};

const copied = 'Copied';
const refused = 'Failed';
const whyRefused = 'Not copied. Select the text, and press Ctrl+C.';

/** A button that copies a text, and says so. */
export function CopyButton({ text, label = 'Copy', about }: CopyProps): JSX.Element {
  const [said, setSaid] = useState('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const copy = async () => {
    const wanted = typeof text === 'string' ? text : await text();
    setSaid(wanted !== undefined && (await write(wanted)) ? copied : refused);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setSaid(''), 3000);
  };
  return h(
    'span',
    { class: 'copying' },
    h(
      'button',
      { type: 'button', class: 'copy', onClick: copy },
      label,
      about !== undefined && h('span', { class: 'heard' }, ` ${about}`),
      said !== '' && h(ButtonResult, { isDone: said === copied, text: said }),
    ),
    h('span', { role: 'status', class: 'heard' }, said === refused ? whyRefused : said),
  );
}

/** Pages of another host than loopback have no clipboard without TLS. */
async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'heard';
    document.body.append(area);
    const focused = document.activeElement;
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return isCopied;
  }
}

/**
 * What a button did, in its place for a while: the button keeps its size, so nothing moves under the
 * pointer. Whoever uses it says the same in a status.
 */
export function ButtonResult({ isDone, text }: { isDone: boolean; text: string }): JSX.Element {
  return h('span', { class: isDone ? 'result' : 'result is-standard', 'aria-hidden': true }, text);
}

type TokenProps = {
  /** What the button says. */
  action: string;
  /** Whether typing goes to it at once. */
  takesFocus?: boolean;
  onToken: (token: string) => void;
};

/** Asks for the token of the admin, on every page that calls it. */
export function TokenForm({ action, takesFocus = false, onToken }: TokenProps): JSX.Element {
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

/** Lets the browser save a text or bytes as a file. */
export function saveFile(name: string, content: BlobPart): void {
  // Of this type, so that no browser opens it in the page's place.
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
