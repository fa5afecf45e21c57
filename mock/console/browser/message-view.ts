import { h, type JSX } from 'preact';
import { useId, useMemo } from 'preact/hooks';
import type { Message } from '../../journal/entry.ts';
import { CopyButton } from '../../pages/browser/copy-button.ts';
import { indentJson } from '../../pages/browser/exact-json.ts';
import { Shown } from '../../pages/browser/shown.ts';
import { toBlocks } from './text-blocks.ts';

type Props = { title: 'Request' | 'Response'; about: string; message: Message };

/** The body and the headers of a request or a response. */
export function MessageView({ title, about, message }: Props): JSX.Element {
  const { headers, body, truncated } = message;
  const id = useId();
  const shown = useMemo(
    () => (body === null || truncated ? body : (indentJson(body) ?? body)),
    [body, truncated],
  );
  const rows = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value] as const),
  );
  return h(
    'section',
    { class: 'message', 'aria-labelledby': id },
    h(
      'div',
      { class: 'message-title' },
      h('h4', { id }, title),
      h('p', { class: 'sub' }, describeBody(message)),
    ),
    shown !== null &&
      h(
        'div',
        { class: 'body' },
        h('pre', { tabIndex: 0, 'aria-label': `${title} body` }, h(LongText, { text: shown })),
        h(CopyButton, { text: body ?? '', about: `the body ${about}`, label: 'Copy body' }),
      ),
    h(
      'dl',
      { class: 'headers' },
      ...rows.map(([name, value], place) =>
        h(
          'div',
          { key: place },
          h('dt', null, h(Shown, { text: name })),
          h('dd', toScroll(value), h(Shown, { text: value })),
        ),
      ),
    ),
    rows.length === 0 && h('p', { class: 'quiet' }, 'No headers.'),
  );
}

/** A long text scrolls in its place, with the keyboard too. */
export function toScroll(text: string): { class?: string; tabIndex?: number } {
  return text.length > 300 ? { class: 'scrolls', tabIndex: 0 } : {};
}

/** How long a body is, and what is not shown of it. */
function describeBody({ body, bytes, truncated }: Message): string {
  const many = (count: number) => `${count.toLocaleString('en')} byte${count === 1 ? '' : 's'}`;
  if (body === null) return bytes > 0 ? 'Its body was not read.' : 'No body.';
  const length = new TextEncoder().encode(body).length;
  if (truncated) return `The beginning of a body of ${many(bytes)}; the journal holds no more.`;
  if (body.includes('\uFFFD') && length !== bytes)
    return `Body of ${many(bytes)}. What is not UTF-8 is shown as \uFFFD.`;
  return `Body of ${many(bytes)}`;
}

/** A text of any length on lines of its own, of which the browser lays out what is in sight. */
function LongText({ text }: { text: string }): JSX.Element {
  const blocks = useMemo(() => toBlocks(text), [text]);
  return h(
    'div',
    { class: 'long-text' },
    ...blocks.map((block, place) =>
      h('div', { key: place }, h(Shown, { text: block, lines: true })),
    ),
  );
}
