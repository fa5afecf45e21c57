import { html } from 'htm/preact';
import { h, type JSX } from 'preact';
import type { Operation } from '../../pages/browser/admin.ts';
import { problemOfJson } from '../../pages/browser/exact-json.ts';
import { AreaField, fieldsOf } from '../../pages/browser/fields.ts';
import { quoted } from '../../pages/browser/parts.ts';
import { ActionButton, type ActionProps } from './action-button.ts';
import type { PanelState } from './state.ts';

/** A button that calls an operation of the admin. */
export const button = (props: ActionProps): JSX.Element => h(ActionButton, props);

/** Says what went wrong, also to those who listen; empty where nothing did. */
export function problemLine(problem: string | undefined): JSX.Element {
  return html`<p role="alert" class="outcome is-drift">${problem && quoted(problem)}</p>`;
}

/** Whether a key closes the place that it is pressed in, and not a dialog or a popover above it. */
export function isClosing({ key }: KeyboardEvent): boolean {
  return key === 'Escape' && !document.querySelector(':popover-open, dialog[open]');
}

/** Leads who opens an element with the keyboard to it, as the element's ref. */
export const takeFocus = (element: HTMLElement | null) => element?.focus();

/** A titled section of a panel that says what was done in it. */
export function panelSection(
  { said }: PanelState,
  { id, title }: { id: string; title: string },
  content: JSX.Element,
): JSX.Element {
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

type List<T> = {
  /** The plural noun for the listed items, e.g. `keys`. */
  about: string;
  label?: string;
  /** Stands in the place of an empty list. */
  none: string;
  /** Undefined before they are read. */
  items: readonly T[] | undefined;
  toCard: (item: T) => JSX.Element;
};

/** Lists the items of a panel, a page at a time. */
export function panelList<T>(state: PanelState, list: List<T>): JSX.Element | undefined {
  const { about, label = about.replace(/^./, (first) => first.toUpperCase()), none, items } = list;
  if (items?.length === 0) return html`<p class="none">${none}</p>`;
  const { shown, pager } = pagesOf(state, items ?? [], { about });
  return (
    items && html`<ul class="stack" aria-label=${label}>${shown.map(list.toCard)}</ul>${pager}`
  );
}

type Form = { id: string; title: string; onKeyDown?: (event: KeyboardEvent) => void };

/** A form with a title, whose buttons send it; one that is closed by a key takes the focus. */
export function cardForm({ id, title, onKeyDown }: Form, content: JSX.Element): JSX.Element {
  const submit = (event: Event) => event.preventDefault();
  return html`
    <form key=${title} class="card stack" aria-labelledby=${id} onSubmit=${submit} onKeyDown=${onKeyDown}>
      <h3 id=${id} tabindex="-1" ref=${onKeyDown && takeFocus}>${quoted(title)}</h3>
      ${content}
    </form>
  `;
}

/** The fields of a draft that is kept by a name, and what empties them. */
export function draftOf<Name extends string>(
  state: PanelState,
  name: string,
  initial: Readonly<Record<Name, string>>,
) {
  const [draft, setDraft] = state.keep(name, initial);
  const onChange = (changed: Partial<Record<Name, string>>) => setDraft({ ...draft, ...changed });
  const field = fieldsOf<Name>({ draft, onChange });
  return { draft, field, setDraft, clear: () => setDraft(initial) };
}

type JsonForm = {
  id: string;
  title: string;
  /** A hint for people who write the JSON. */
  hint?: string;
  /** The JSON to begin with; it is followed as it changes until somebody types. */
  text: string;
  /** The label of the button, and the operation for the written text. */
  label: string;
  toOperation: (text: string) => Operation;
  done?: string;
  onDone?: (value: unknown) => void;
  onCancel?: () => void;
  /** Further buttons below the text. */
  buttons?: JSX.Element;
};

/** A form for a thing of many fields: its JSON, which the twin judges. */
export function jsonForm(state: PanelState, form: JsonForm): JSX.Element {
  const { id, title, hint, label, toOperation, done, onDone, onCancel, buttons } = form;
  const [draft, setDraft] = state.keep<string | undefined>(`JSON of ${title}`, undefined);
  const text = draft ?? form.text;
  const problem = problemOfJson(text);
  const close = () => {
    setDraft(undefined);
    onCancel?.();
  };
  // What was typed is not lost by a key.
  const onKeyDown = (event: KeyboardEvent) => {
    if (draft === undefined && isClosing(event)) close();
  };
  return cardForm(
    { id, title, ...(onCancel && { onKeyDown }) },
    html`
      ${h(AreaField, {
        label: `${title}, as JSON`,
        hint,
        rows: Math.max(3, Math.min(24, text.split('\n').length + 1)),
        value: text,
        onValue: setDraft,
        problem,
      })}
      <div class="row">
        ${button({
          label,
          isSubmit: true,
          isDisabled: problem !== undefined,
          operation: toOperation(text),
          done,
          onDone: (value) => {
            setDraft(undefined);
            onDone?.(value);
          },
        })}
        ${buttons}
        ${onCancel && html`<button type="button" onClick=${close}>Close</button>`}
      </div>
    `,
  );
}

type CardContent = {
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
  { name, id = name, note, holds, more }: CardContent,
  buttons: readonly (JSX.Element | false)[],
): JSX.Element {
  return html`
    <li key=${id} class="card columns">
      <div>
        <h4>${quoted(name)}</h4>
        ${note !== undefined && html`<p class="sub">${quoted(note)}</p>`}
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
export function pagesOf<T>(
  state: PanelState,
  items: readonly T[],
  { about, size = 25 }: { about: string; size?: number },
): { shown: readonly T[]; pager: JSX.Element | false } {
  const [wanted, onPage] = state.keep(`page of ${about}`, 0);
  const page = Math.min(wanted, Math.max(0, Math.ceil(items.length / size) - 1));
  return {
    shown: items.slice(page * size, (page + 1) * size),
    pager: pager({ about, count: items.length, size, page, onPage }),
  };
}
