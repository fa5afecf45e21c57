import { addCopyButtons } from '../../../../contracts/look/browser/copy.ts';
import type { OperationView } from '../operation-view.ts';
import { isWord, noSamples, type Sample, toSamples } from '../samples.ts';

const main = document.querySelector<HTMLElement>('[data-root]');

/** Where the page is for the browser: a proxy may have it elsewhere than the twin thinks. */
const root = new URL('../..', import.meta.url).href.replace(/\/$/, '').replaceAll("'", '%27');

/** Names the place that the browser knows in all lines. */
function rebase(): void {
  const served = main?.dataset.root;
  if (served === undefined || served === root) return;
  for (const text of document.querySelectorAll<HTMLElement>('[data-copy]')) {
    const nodes = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
    for (let node = nodes.nextNode(); node; node = nodes.nextNode())
      node.nodeValue = (node.nodeValue ?? '').replaceAll(served, root);
  }
}

/** Fills an operation that is opened for the first time. */
async function load(details: HTMLDetailsElement): Promise<void> {
  const { operation: id = '' } = details.dataset;
  const place = details.querySelector<HTMLElement>('[data-load]');
  if (!place || place.dataset.load === 'begun') return;
  place.dataset.load = 'begun';
  place.textContent = 'Loading ...';
  try {
    const url = new URL(`../operation.json?id=${encodeURIComponent(id)}`, import.meta.url);
    const response = await fetch(url);
    if (!response.ok) throw new Error();
    const view = (await response.json()) as OperationView;
    const samples = show(toSamples(view, root + view.basePath));
    place.replaceWith(samples);
    addCopyButtons(samples);
  } catch {
    place.dataset.load = '';
    place.textContent = 'The lines cannot be loaded. Check that the twin is still running.';
  }
}

function show(samples: readonly Sample[]): HTMLElement {
  const shown = document.createElement('div');
  shown.className = samples.length === 0 ? 'none' : 'samples';
  if (samples.length === 0) shown.textContent = noSamples;
  shown.append(...samples.map(showSample));
  return shown;
}

function showSample({ name, label, about, parts }: Sample): HTMLElement {
  const [sample, title, lines] = ['div', 'p', 'pre'].map((tag) => document.createElement(tag)) as [
    HTMLElement,
    HTMLElement,
    HTMLElement,
  ];
  sample.className = 'sample';
  title.className = 'text-title';
  title.textContent = name;
  title.dataset.copies = '';
  lines.tabIndex = 0;
  lines.setAttribute('role', 'group');
  lines.setAttribute('aria-label', label);
  lines.dataset.copy = about;
  lines.append(...parts.map(showPart));
  sample.append(title, lines);
  return sample;
}

function showPart(part: string): Node | string {
  if (!isWord(part)) return part;
  const word = document.createElement('span');
  word.className = 'word';
  word.textContent = part;
  return word;
}

function search(form: HTMLFormElement): void {
  const input = form.querySelector('input');
  const output = form.querySelector('output');
  const all = [...document.querySelectorAll<HTMLElement>('[data-operation]')];
  const texts = all.map((one) => `${one.querySelector('summary')?.textContent}`.toLowerCase());
  form.hidden = false;
  form.addEventListener('submit', (event) => event.preventDefault());
  input?.addEventListener('input', () => {
    const wanted = input.value.toLowerCase().split(/\s+/);
    let shown = 0;
    for (const [at, one] of all.entries()) {
      one.hidden = !wanted.every((word) => texts[at]?.includes(word));
      if (!one.hidden) shown += 1;
    }
    if (output) output.value = input.value === '' ? '' : `${shown} of ${all.length} operations`;
  });
}

rebase();
addCopyButtons(document);
for (const form of document.querySelectorAll<HTMLFormElement>('[data-search]')) search(form);
for (const details of document.querySelectorAll<HTMLDetailsElement>('details[data-operation]'))
  details.addEventListener('toggle', () => details.open && void load(details));
