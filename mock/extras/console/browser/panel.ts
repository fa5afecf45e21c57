import { html } from 'htm/preact';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { quoted } from '../../pages/browser/parts.ts';

/** Says what went wrong, also to those who listen; empty where nothing did. */
export function problemLine(problem: string | undefined): JSX.Element {
  return html`<p role="alert" class="outcome is-drift">${problem && quoted(problem)}</p>`;
}

/** Whether a key closes the place that it is pressed in, and not a dialog or a popover above it. */
export function isClosing({ key }: KeyboardEvent): boolean {
  return key === 'Escape' && !document.querySelector(':popover-open, dialog[open]');
}

type Section = {
  id: string;
  title: string;
  /** The result of the last action in the panel. */
  said: string;
};

/** A titled section of a panel that says what was done in it. */
export function panelSection({ id, title, said }: Section, content: JSX.Element): JSX.Element {
  return html`
    <section class="stack" aria-labelledby=${id}>
      <div class="section-title">
        <h3 id=${id}>${quoted(title)}</h3>
        <p role="status" class="outcome">${said !== '' && quoted(said)}</p>
      </div>
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

type Form = { id: string; title: string; onKeyDown?: (event: KeyboardEvent) => void };

/** A form with a title, which may take the focus, and whose buttons send it. */
export function cardForm({ id, title, onKeyDown }: Form, content: JSX.Element): JSX.Element {
  const submit = (event: Event) => event.preventDefault();
  return html`
    <form class="card stack" aria-labelledby=${id} onSubmit=${submit} onKeyDown=${onKeyDown}>
      <h3 id=${id} tabindex="-1">${quoted(title)}</h3>
      ${content}
    </form>
  `;
}

type Named = {
  name: string;
  /** An id that distinguishes the card from cards with the same name. */
  id?: string;
  /** A special note about the card, if any. */
  note?: string | undefined;
  holds: string;
  more: string | JSX.Element;
};

/** A card in a list that names a thing and says what it holds, with its buttons. */
export function namedCard(
  { name, id = name, note, holds, more }: Named,
  buttons: readonly (JSX.Element | false)[],
): JSX.Element {
  return html`
    <li key=${id} class="card columns">
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
  /** The plural noun for the listed items, e.g. `keys`. */
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
