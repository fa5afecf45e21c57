import MiniSearch from 'minisearch';
import { addCopyButtons } from '../../../common/look/browser/copy.ts';
import type { Section } from '../page.ts';

declare global {
  /** Set by sections.js, which is loaded when somebody searches. */
  var sections: Section[] | undefined;
}

const maxFound = 12;

addCopyButtons(document);
// The list of pages is folded where the style sheet shows it above the page.
const list = document.querySelector<HTMLDetailsElement>('nav details');
const isWide = matchMedia('(min-width: 60.01rem)');
const fold = () => list && (list.open = isWide.matches);
fold();
isWide.addEventListener('change', fold);
const current = document.querySelector<HTMLElement>('nav [aria-current]');
const nav = current?.closest('nav');
if (current && nav) nav.scrollTop = current.offsetTop - nav.clientHeight / 2;

const form = document.querySelector<HTMLFormElement>('#search');
const field = document.querySelector<HTMLInputElement>('#words');
const found = document.querySelector<HTMLElement>('#found');
if (form && field && found) startSearch(form, field, found);

function startSearch(form: HTMLFormElement, field: HTMLInputElement, found: HTMLElement): void {
  form.hidden = false;
  let index: Promise<MiniSearch<Section>> | undefined;
  const show = async () => {
    index ??= loadIndex();
    const words = field.value;
    const results = words.trim() === '' ? [] : (await index).search(words).slice(0, maxFound);
    // Another letter may have been typed meanwhile.
    if (words !== field.value) return;
    found.hidden = words.trim() === '';
    found.replaceChildren(results.length === 0 ? `Nothing has "${words}".` : toList(results));
  };
  field.addEventListener('input', show);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    found.querySelector('a')?.click();
  });
  found.addEventListener('click', () => {
    field.value = '';
    found.hidden = true;
  });
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      field.value = '';
      found.hidden = true;
    }
    const isTyping = (event.target as Element | null)?.closest('input, textarea');
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
    event.preventDefault();
    field.focus();
  });
}

function toList(results: readonly { [name: string]: unknown }[]): HTMLElement {
  const list = document.createElement('ul');
  for (const { id, title, page } of results) {
    const link = document.createElement('a');
    link.href = `${id}`;
    link.textContent = title === page ? `${title}` : `${page}: ${title}`;
    const item = document.createElement('li');
    item.append(link);
    list.append(item);
  }
  return list;
}

/** Every section of the documentation, by the words of its heading and of what is below it. */
async function loadIndex(): Promise<MiniSearch<Section>> {
  await new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = 'assets/sections.js';
    script.addEventListener('load', resolve);
    script.addEventListener('error', reject);
    document.head.append(script);
  });
  const index = new MiniSearch<Section>({
    fields: ['title', 'page', 'text'],
    storeFields: ['title', 'page'],
    searchOptions: { prefix: true, fuzzy: 0.1, combineWith: 'AND', boost: { title: 4, page: 2 } },
  });
  index.addAll(globalThis.sections ?? []);
  return index;
}
