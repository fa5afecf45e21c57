import { Fragment, h, type JSX } from 'preact';
import { splitShellLine } from '../../curl/shell.ts';
import { Shown } from './shown.ts';

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
