import { addCopyButtons } from '../../look/browser/copy.ts';
import { startSearch } from './search.ts';

startSearch();

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
