import { addCopyButtons } from '../../../../contracts/look/browser/copy.ts';
import type { OperationView } from '../operation-view.ts';
import { noSamples, type Sample, toSamples } from '../samples.ts';

/** Where the page is for the browser: a proxy may have it elsewhere than the twin thinks. */
const root = new URL('../../../../..', import.meta.url).href
  .replace(/\/$/, '')
  .replaceAll("'", '%27');

/** Fills an operation that is opened for the first time. */
async function load(details: HTMLDetailsElement): Promise<void> {
  const { operation: id = '' } = details.dataset;
  const place = details.querySelector<HTMLElement>('[data-load]');
  if (!place || place.dataset.load === 'begun') return;
  place.dataset.load = 'begun';
  try {
    const response = await fetch(`${root}/__pages/operation.json?id=${encodeURIComponent(id)}`);
    const view = (await response.json()) as OperationView;
    const samples = toSamples(view, root + view.basePath);
    place.textContent = samples.length === 0 ? noSamples : '';
    place.className = samples.length === 0 ? 'none' : 'samples';
    place.append(...samples.map(showSample));
    addCopyButtons(place);
  } catch {
    place.dataset.load = '';
    place.textContent = 'The lines cannot be loaded. Check that the twin is still running.';
  }
}

function showSample({ name, label, about, text }: Sample): HTMLElement {
  const title = toElement('p', { className: 'text-title', textContent: name });
  title.dataset.copies = '';
  const lines = toElement('pre', {
    tabIndex: 0,
    role: 'group',
    ariaLabel: label,
    textContent: text,
  });
  lines.dataset.copy = about;
  const sample = toElement('div', { className: 'sample' });
  sample.append(title, lines);
  return sample;
}

function toElement(tag: string, properties: Partial<HTMLElement>): HTMLElement {
  return Object.assign(document.createElement(tag), properties);
}

function search(form: HTMLFormElement): void {
  const input = form.querySelector('input');
  const output = form.querySelector('output');
  const all = [...document.querySelectorAll<HTMLElement>('[data-operation]')];
  form.hidden = false;
  form.addEventListener('submit', (event) => event.preventDefault());
  input?.addEventListener('input', () => {
    const wanted = input.value.toLowerCase().split(/\s+/);
    for (const one of all) {
      const text = one.querySelector('summary')?.textContent.toLowerCase() ?? '';
      one.hidden = !wanted.every((word) => text.includes(word));
    }
    const shown = all.filter(({ hidden }) => !hidden).length;
    if (output) output.value = input.value === '' ? '' : `${shown} of ${all.length} operations`;
  });
}

const base = document.querySelector<HTMLElement>('[data-base]');
if (base) base.textContent = root + base.dataset.base;
addCopyButtons(document);
for (const form of document.querySelectorAll<HTMLFormElement>('[data-search]')) search(form);
for (const details of document.querySelectorAll<HTMLDetailsElement>('details[data-operation]')) {
  details.addEventListener('toggle', () => details.open && void load(details));
  if (details.open) void load(details);
}
