import { addCopyButtons } from '../../common/look/browser/copy.ts';

startSearch();

// Of a long list, what is around this page is worth seeing.
const current = document.querySelector<HTMLElement>('nav [aria-current]');
const list = current?.closest('nav');
if (current && list && current.offsetTop > list.clientHeight)
  list.scrollTop = current.offsetTop - list.clientHeight / 2;

/** Opens the folded section that a link within the page targets. */
function reveal(): void {
  const [, id = ''] = /^#([\w.-]+)$/.exec(location.hash) ?? [];
  const aim = document.getElementById(id);
  for (let outer = aim?.closest('details'); outer; outer = outer.parentElement?.closest('details'))
    outer.open = true;
  aim?.scrollIntoView();
}
if (location.hash !== '') reveal();
addEventListener('hashchange', reveal);

addCopyButtons(document);

/**
 * Starts the search of a page. The first page shows only operations with all words; every other
 * page leads to the first.
 */
function startSearch(): void {
  const search = document.querySelector<HTMLFormElement>('#search');
  const field = document.querySelector<HTMLInputElement>('#words');
  const found = document.querySelector<HTMLOutputElement>('#found');
  if (!search || !field) return;
  search.hidden = false;
  field.value = new URLSearchParams(location.search).get('q') ?? '';
  const apply = () => found && showFound(found, field.value);
  apply();
  field.addEventListener('input', apply);
  search.addEventListener('submit', (event) => {
    event.preventDefault();
    const first = document.querySelector<HTMLAnchorElement>('[data-item]:not([hidden]) a');
    if (found) first?.click();
    else location.href = `${search.dataset.root}index.html?q=${encodeURIComponent(field.value)}`;
  });
  addEventListener('keydown', (event) => {
    const isTyping = (event.target as Element | null)?.closest('input, textarea, select');
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
    event.preventDefault();
    field.focus();
  });
}

/** Hides the operations that do not hold all words, and counts the others. */
function showFound(found: HTMLOutputElement, text: string): void {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const group of document.querySelectorAll<HTMLElement>('[data-group]')) {
    const rows = [...group.querySelectorAll<HTMLElement>('[data-item]')];
    for (const row of rows) {
      const content = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => content.includes(word));
    }
    const left = rows.filter(({ hidden }) => !hidden).length;
    group.hidden = left === 0;
    count += left;
  }
  found.textContent = `${count} ${count === 1 ? 'operation' : 'operations'}`;
  if (words.length === 0) found.textContent = '';
  else if (scrollY > found.offsetTop) found.scrollIntoView();
}
