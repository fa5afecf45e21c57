import { addCopyButtons } from '../../look/browser/copy.ts';

const search = document.querySelector<HTMLFormElement>('#search');
const words = document.querySelector<HTMLInputElement>('#words');
const found = document.querySelector<HTMLOutputElement>('#found');
const groups = [...document.querySelectorAll<HTMLElement>('[data-group]')].map((element) => ({
  element,
  rows: [...element.querySelectorAll<HTMLElement>('[data-item]')].map((row) => ({
    row,
    text: row.textContent.toLowerCase(),
  })),
}));

/** Shows the operations that hold all words; the page of an operation has none of them. */
function apply(query: string): void {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const { element, rows } of groups) {
    let left = 0;
    for (const { row, text } of rows) {
      row.hidden = !wanted.every((word) => text.includes(word));
      if (!row.hidden) left += 1;
    }
    element.hidden = left === 0;
    count += left;
  }
  if (found)
    found.textContent =
      wanted.length === 0 ? '' : count === 1 ? '1 operation' : `${count} operations`;
}

if (search && words) {
  search.hidden = false;
  const query = new URLSearchParams(location.search).get('q');
  if (found && query) {
    words.value = query;
    apply(query);
  }
  words.addEventListener('input', () => {
    apply(words.value);
    if (found && scrollY > found.offsetTop) found.scrollIntoView();
  });
  search.addEventListener('submit', (event) => {
    event.preventDefault();
    const first = document.querySelector<HTMLAnchorElement>('[data-item]:not([hidden]) a');
    if (first) first.click();
    else if (!found)
      location.assign(`${search.dataset.index}?q=${encodeURIComponent(words.value)}`);
  });
  addEventListener('keydown', (event) => {
    const isTyping = (event.target as Element | null)?.closest('input, textarea, select');
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
    event.preventDefault();
    words.focus();
  });
}

const highlight = document.querySelector<HTMLInputElement>('#highlight-assumed');
if (highlight) {
  const name = 'petstore-twin:highlight-assumed';
  try {
    highlight.checked = sessionStorage.getItem(name) === 'true';
    highlight.addEventListener('change', () => {
      sessionStorage.setItem(name, String(highlight.checked));
    });
  } catch {
    // A browser that stores nothing forgets the switch on the next page.
  }
}

// Of a long list, what is around this page is worth seeing.
const current = document.querySelector<HTMLElement>('nav [aria-current]');
const list = current?.closest('nav');
if (current && list && current.offsetTop > list.clientHeight)
  list.scrollTop = current.offsetTop - list.clientHeight / 2;

/** Opens what a link within the page leads to, where it is folded. */
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
