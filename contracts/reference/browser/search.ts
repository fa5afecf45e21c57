import type { SearchRow } from '../search-list.ts';

/** How many operations are listed below the field; the first page lists them all. */
const maxListed = 20;

/** What shows the operations that hold all words, and gives the link to the first of them. */
type ShowFound = (words: readonly string[]) => HTMLAnchorElement | undefined;

/**
 * Makes the search of a page work: the first page shows the operations that are found in the place of
 * all, every other one lists them below the field.
 */
export function startSearch(): void {
  const search = document.querySelector<HTMLFormElement>('#search');
  const field = document.querySelector<HTMLInputElement>('#words');
  const list = document.querySelector<HTMLElement>('#results');
  if (!search || !field) return;
  const { referenceOperations } = globalThis as { referenceOperations?: readonly SearchRow[] };
  const found = document.querySelector<HTMLOutputElement>('#found');
  const show = found
    ? createFilter(found)
    : createList(list, referenceOperations ?? [], search.dataset.root ?? '');
  const apply = () => show(field.value.toLowerCase().split(/\s+/).filter(Boolean));
  search.hidden = false;
  field.value = new URLSearchParams(location.search).get('q') ?? '';
  if (found) apply();
  field.addEventListener('input', () => {
    apply();
    if (found && scrollY > found.offsetTop) found.scrollIntoView();
  });
  search.addEventListener('submit', (event) => {
    event.preventDefault();
    if (field.value.trim() !== '') apply()?.click();
  });
  addEventListener('keydown', (event) => {
    const isTyping = (event.target as Element | null)?.closest('input, textarea, select');
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
    event.preventDefault();
    field.focus();
  });
  if (list) letLeave(search, field, list, apply);
}

/** Closes the list with Escape and where the focus goes elsewhere, and opens it in the field. */
function letLeave(
  search: HTMLFormElement,
  field: HTMLInputElement,
  list: HTMLElement,
  apply: () => void,
): void {
  const close = () => {
    list.hidden = true;
  };
  field.addEventListener('focus', apply);
  search.addEventListener('focusout', ({ relatedTarget }) => {
    if (!search.contains(relatedTarget as Node | null)) close();
  });
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      field.focus();
      close();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || list.hidden) return;
    event.preventDefault();
    const stops: HTMLElement[] = [field, ...list.querySelectorAll('a')];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    stops[Math.max(0, Math.min(at + step, stops.length - 1))]?.focus();
  });
}

/** Hides the operations of the first page that do not hold all words. */
function createFilter(found: HTMLOutputElement): ShowFound {
  const groups = [...document.querySelectorAll<HTMLElement>('[data-group]')].map((element) => ({
    element,
    rows: [...element.querySelectorAll<HTMLElement>('[data-item]')].map((row) => ({
      row,
      text: row.textContent.toLowerCase(),
    })),
  }));
  return (words) => {
    let count = 0;
    for (const { element, rows } of groups) {
      let left = 0;
      for (const { row, text } of rows) {
        row.hidden = !words.every((word) => text.includes(word));
        if (!row.hidden) left += 1;
      }
      element.hidden = left === 0;
      count += left;
    }
    found.textContent = words.length === 0 ? '' : countOperations(count);
    return document.querySelector<HTMLAnchorElement>('[data-item]:not([hidden]) a') ?? undefined;
  };
}

/** Lists the first operations that hold all words; `root` leads to the root of the reference. */
function createList(
  list: HTMLElement | null,
  operations: readonly SearchRow[],
  root: string,
): ShowFound {
  const rows = operations.map((row) => ({ row, text: row.slice(1).join('\n').toLowerCase() }));
  const [status, items] = [list?.querySelector('output'), list?.querySelector('ul')];
  return (words) => {
    if (!list || !status || !items) return undefined;
    const found = rows.filter(({ text }) => words.every((word) => text.includes(word)));
    list.hidden = words.length === 0;
    status.textContent = words.length === 0 ? '' : countOperations(found.length);
    const links =
      words.length === 0 ? [] : found.slice(0, maxListed).map(({ row }) => toLink(row, root));
    const query = `${root}index.html?q=${encodeURIComponent(words.join(' '))}`;
    const all = found.length > links.length ? [toElement('a', 'Show all', { href: query })] : [];
    items.replaceChildren(
      ...[...links, ...(links.length > 0 ? all : [])].map((link) => {
        const item = document.createElement('li');
        item.append(link);
        return item;
      }),
    );
    return links[0];
  };
}

function toLink([page, method, path, title]: SearchRow, root: string): HTMLAnchorElement {
  const link = toElement('a', '', { href: root + page });
  link.append(
    toElement('span', method, { className: 'quiet' }),
    ' ',
    toElement('code', path),
    ' ',
    toElement('bdi', title),
  );
  return link;
}

function toElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  text: string,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
): HTMLElementTagNameMap[Tag] {
  return Object.assign(document.createElement(tag), { textContent: text }, properties);
}

function countOperations(count: number): string {
  return count === 1 ? '1 operation' : `${count} operations`;
}
