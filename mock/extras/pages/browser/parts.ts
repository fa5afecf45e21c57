import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { toCopyButton } from '../../../../common/look/browser/copy.ts';
import { toVisible } from '../../../../common/look/visible.ts';

/** How many characters are marked at most; each is an element, and a page can hold but so many. */
const maxMarked = 500;

/**
 * Text from elsewhere: its direction does not spread, and characters that nobody sees are marked.
 * `lines` keeps line breaks and tabs.
 */
export function quoted(text: string, { lines = false } = {}): JSX.Element {
  const unseen = lines
    ? /((?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}])/u
    : /([\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}])/u;
  const parts = text.split(unseen);
  const isMarked = parts.length <= 2 * maxMarked;
  const shown = parts.map((part, at) => {
    if (at % 2 === 0) return part;
    return isMarked ? html`<span class="unseen">${toVisible(part)}</span>` : toVisible(part);
  });
  return html`<bdi>${isMarked ? shown : shown.join('')}</bdi>`;
}

/** A line for a shell, and a button that copies it. */
export function shellLine(line: string): JSX.Element {
  return html`
    <pre tabindex="0" role="group" aria-label="curl line">${quoted(line)}</pre>
    ${h(CopyButton, { text: line, about: 'the curl line' })}
  `;
}

type CopyProps = {
  /** The text to copy, or a function that fetches the text. */
  text: string | (() => Promise<string | undefined>);
  label?: string;
  /** The name of the copied text, for people who do not see the button's place. */
  about?: string;
};

/** A button that copies a text, and says so. */
export function CopyButton({ text, label, about }: CopyProps): JSX.Element {
  const place = useRef<HTMLSpanElement>(null);
  const latest = useRef(text);
  latest.current = text;
  useLayoutEffect(() => {
    const read = () => (typeof latest.current === 'string' ? latest.current : latest.current());
    place.current?.replaceChildren(...toCopyButton(read, { label, about }));
  }, [label, about]);
  return html`<span class="copying" ref=${place}></span>`;
}

type TokenProps = {
  /** The label of the button. */
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
  // Browsers read it with the flag "v", which takes "/" and "-" in a class escaped alone.
  const pattern = '[A-Za-z0-9._~+\\/=\\-]+';
  return html`
    <form onSubmit=${submit}>
      <p class="field">
        <label for=${id}>Token of the admin</label>
        <input
          id=${id}
          ref=${input}
          type="password"
          autocomplete="off"
          spellcheck=${false}
          pattern=${pattern}
          title="Letters, digits and -._~+/="
          required
        />
      </p>
      <p class="note">This page holds it in memory until it is closed or reloaded.</p>
      <button type="submit">${action}</button>
    </form>
  `;
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
