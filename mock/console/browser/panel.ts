import { type ComponentChildren, createContext, h, type JSX, type RefObject } from 'preact';
import { useContext, useRef, useState } from 'preact/hooks';
import { Shown } from '../../pages/browser/parts.ts';

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

type CardProps = {
  /** The id of the title. */
  id: string;
  title: string;
  /** A further class. */
  kind?: string;
  formRef?: RefObject<HTMLFormElement | null>;
  /** Set where the title takes the focus. */
  titleRef?: RefObject<HTMLHeadingElement | null>;
  children?: ComponentChildren;
};

/** A form with a title, whose buttons send it. */
export function CardForm({ id, title, kind, formRef, titleRef, children }: CardProps): JSX.Element {
  return h(
    'form',
    {
      ref: formRef,
      class: kind === undefined ? 'card stack' : `card stack ${kind}`,
      'aria-labelledby': id,
      onSubmit: (event: Event) => event.preventDefault(),
    },
    h('h3', { id, ref: titleRef, ...(titleRef && { tabIndex: -1 }) }, h(Shown, { text: title })),
    children,
  );
}

/** Says what went wrong, also to those who listen; empty where nothing did. */
export function ProblemLine({ problem }: { problem: string | undefined }): JSX.Element {
  return h(
    'p',
    { role: 'alert', class: 'outcome is-drift' },
    problem && h(Shown, { text: problem }),
  );
}

/**
 * Shows a long list a page at a time. `about` says what is listed, e.g. `keys`; there is no pager
 * where one page holds all.
 */
export function usePages<T>(
  items: readonly T[],
  { about, size = 25 }: { about: string; size?: number },
): { shown: readonly T[]; pager: JSX.Element | undefined } {
  const [wanted, setWanted] = useState(0);
  const pages = Math.max(1, Math.ceil(items.length / size));
  const page = Math.min(wanted, pages - 1);
  const turn = (label: string, to: number) =>
    h(
      'button',
      {
        type: 'button',
        // A button that is disabled loses the focus of who pressed it.
        'aria-disabled': to < 0 || to >= pages,
        onClick: () => to >= 0 && to < pages && setWanted(to),
      },
      label,
    );
  return {
    shown: items.slice(page * size, (page + 1) * size),
    pager:
      pages === 1
        ? undefined
        : h(
            'nav',
            { class: 'pager', 'aria-label': `Pages of ${about}` },
            turn('Previous', page - 1),
            h('p', { role: 'status' }, `Page ${page + 1} of ${pages}`),
            turn('Next', page + 1),
          ),
  };
}

/** What panels of a sandbox left behind, by name, until the page is closed. */
export const MemoryContext = createContext<Map<string, unknown>>(new Map());

/** A state that is there again when whoever shows the panel comes back to it. */
export function useRemembered<T>(name: string, initial: T): [T, (value: T) => void] {
  const memory = useContext(MemoryContext);
  const [value, setValue] = useState<T>(() =>
    memory.has(name) ? (memory.get(name) as T) : initial,
  );
  return [
    value,
    (next) => {
      memory.set(name, next);
      setValue(next);
    },
  ];
}
