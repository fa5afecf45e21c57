import { h, type JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { Shown } from '../../page-parts/browser/shown.ts';
import { toBlocks } from './text-blocks.ts';

/** A text of any length on lines of its own, of which the browser lays out what is in sight. */
export function LongText({ text }: { text: string }): JSX.Element {
  const blocks = useMemo(() => toBlocks(text), [text]);
  return h(
    'div',
    { class: 'long-text' },
    ...blocks.map((block, place) =>
      h('div', { key: place }, h(Shown, { text: block, lines: true })),
    ),
  );
}
