import { type ComponentChildren, h, type JSX, type RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Shown } from '../../pages/browser/shown.ts';
import { ProblemLine } from './problem-line.ts';

type PanelProps = { problem: string | undefined; children?: ComponentChildren };

/** The parts of a panel, below what went wrong when they were read. */
export function Panel({ problem, children }: PanelProps): JSX.Element {
  return h('div', { class: 'stack' }, h(ProblemLine, { problem }), children);
}

/** The title of a section, which can take the focus, and what was last done in the section. */
export type Notice = {
  title: RefObject<HTMLHeadingElement | null>;
  text: string;
  setText: (text: string) => void;
  /** Takes the focus, where the element that had it is gone. */
  focus: () => void;
  /** Says what was done, and takes the focus. */
  show: (text: string) => void;
};

/** Makes the notice of a {@link PanelSection}. */
export function useNotice(): Notice {
  const [text, setText] = useState('');
  const title = useRef<HTMLHeadingElement>(null);
  const focus = () => title.current?.focus();
  const show = (next: string) => {
    setText(next);
    focus();
  };
  return { title, text, setText, focus, show };
}

type SectionProps = { id: string; title: string; notice: Notice; children?: ComponentChildren };

/** A titled section of a panel that says what was done in it. */
export function PanelSection({ id, title, notice, children }: SectionProps): JSX.Element {
  return h(
    'section',
    { class: 'stack', 'aria-labelledby': id },
    h('h3', { id, tabIndex: -1, ref: notice.title }, h(Shown, { text: title })),
    h(
      'p',
      { role: 'status', class: 'outcome' },
      notice.text !== '' && h(Shown, { text: notice.text }),
    ),
    children,
  );
}
