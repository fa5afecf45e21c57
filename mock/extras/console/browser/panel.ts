import { html } from 'htm/preact';
import { createContext, type JSX, type RefObject } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { quoted } from '../../pages/browser/parts.ts';

/** Says what went wrong, also to those who listen; empty where nothing did. */
export function problemLine(problem: string | undefined): JSX.Element {
  return html`<p role="alert" class="outcome is-drift">${problem && quoted(problem)}</p>`;
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

/** Makes the notice of a {@link panelSection}. */
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

type Section = { id: string; title: string; notice: Notice };

/** A titled section of a panel that says what was done in it. */
export function panelSection({ id, title, notice }: Section, content: JSX.Element): JSX.Element {
  return html`
    <section class="stack" aria-labelledby=${id}>
      <h3 id=${id} tabindex="-1" ref=${notice.title}>${quoted(title)}</h3>
      <p role="status" class="outcome">${notice.text !== '' && quoted(notice.text)}</p>
      ${content}
    </section>
  `;
}

/** A list in a panel, or what stands in its place while it is empty; nothing before it is read. */
export function panelList(
  items: readonly JSX.Element[] | undefined,
  { label, none }: { label: string; none: string },
): JSX.Element | undefined {
  if (items?.length === 0) return html`<p class="none">${none}</p>`;
  return items && html`<ul class="stack" aria-label=${label}>${items}</ul>`;
}

type Card = {
  /** The id of the title. */
  id: string;
  title: string;
  /** A further class. */
  kind?: string;
  formRef?: RefObject<HTMLFormElement | null>;
  /** Set where the title takes the focus. */
  titleRef?: RefObject<HTMLHeadingElement | null>;
};

/** A form with a title, whose buttons send it. */
export function cardForm(
  { id, title, kind = '', formRef, titleRef }: Card,
  content: JSX.Element,
): JSX.Element {
  const submit = (event: Event) => event.preventDefault();
  const tabIndex = titleRef ? -1 : undefined;
  return html`
    <form ref=${formRef} class="card stack ${kind}" aria-labelledby=${id} onSubmit=${submit}>
      <h3 id=${id} ref=${titleRef} tabindex=${tabIndex}>${quoted(title)}</h3>
      ${content}
    </form>
  `;
}

/** Makes the ref of a form whose first wrong field takes the focus whenever something is wrong. */
export function useFocusOnWrong(wrong: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (wrong) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [wrong]);
  return form;
}

type Named = {
  name: string;
  /** What is special about it, if anything. */
  note?: string | undefined;
  holds: string;
  more: string;
};

/** A card in a list that names a thing and says what it holds, with its buttons. */
export function namedCard(
  { name, note, holds, more }: Named,
  buttons: readonly (JSX.Element | false)[],
): JSX.Element {
  return html`
    <li key=${name} class="card place">
      <div>
        <h4>${quoted(name)}</h4>
        ${note !== undefined && html`<p class="sub">${note}</p>`}
      </div>
      <div>
        <p>${quoted(holds)}</p>
        <p class="sub">${more}</p>
      </div>
      <div class="row">${buttons}</div>
    </li>
  `;
}

type Pages = {
  /** What is listed, e.g. `keys`. */
  about: string;
  count: number;
  size: number;
  page: number;
  onPage: (page: number) => void;
};

/** Leads through the pages of a long list; there is none where one page holds all. */
export function pager({ about, count, size, page, onPage }: Pages): JSX.Element | false {
  const last = Math.max(0, Math.ceil(count / size) - 1);
  const many = (number: number) => number.toLocaleString('en');
  const turn = (label: string, to: number) => {
    const isThere = to >= 0 && to <= last;
    // A button that is disabled loses the focus of who pressed it.
    return html`
      <button type="button" aria-disabled=${!isThere} onClick=${() => isThere && onPage(to)}>
        ${label}
      </button>
    `;
  };
  return (
    last > 0 &&
    html`
      <nav class="pager" aria-label="Pages of ${about}">
        ${turn('Previous', page - 1)}
        <p role="status">Page ${many(page + 1)} of ${many(last + 1)}</p>
        ${turn('Next', page + 1)}
      </nav>
    `
  );
}

/** Shows a long list a page at a time. */
export function usePages<T>(
  items: readonly T[],
  { about, size = 25 }: { about: string; size?: number },
): { shown: readonly T[]; pager: JSX.Element | false } {
  const [wanted, setWanted] = useState(0);
  const page = Math.min(wanted, Math.max(0, Math.ceil(items.length / size) - 1));
  return {
    shown: items.slice(page * size, (page + 1) * size),
    pager: pager({ about, count: items.length, size, page, onPage: setWanted }),
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
  const remember = (next: T) => {
    memory.set(name, next);
    setValue(next);
  };
  return [value, remember];
}
