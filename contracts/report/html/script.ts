import { moduleExtension, readScript } from '../../look/browser-code.ts';

/**
 * The page's script: filter and search, the copying of curl lines, and what opens for print. It
 * never makes markup.
 */
export function readReportScript(): string {
  const copy = new URL(`../../look/browser/copy${moduleExtension}`, import.meta.url);
  return readScript([copy], script);
}

const script = String.raw`
const form = document.getElementById('filter');
const [words, verdict, target, operation] = ['words', 'verdict', 'target', 'operation'].map((id) => document.getElementById(id));
const all = (selector) => [...document.querySelectorAll(selector)];
const items = all('[data-item]').map((element) => ({
  element,
  kind: element.dataset.item,
  text: element.textContent.toLowerCase(),
  at: element.dataset.at?.split(' ').map((pair) => pair.split(':')),
  operation: element.dataset.operation,
}));
const groups = all('[data-group]');
const kinds = [...new Set(items.map(({ kind }) => kind))];
let wasOpen;

function matches(item, wanted) {
  if (!wanted.every((word) => item.text.includes(word))) return false;
  if (item.operation !== undefined && operation.value !== '' && !item.operation.split(' ').includes(operation.value)) return false;
  if (!item.at) return true;
  return item.at.some(([at, what]) => (target.value === '' || at === target.value) && (verdict.value === '' || what === verdict.value));
}

function apply() {
  const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  const active = wanted.length > 0 || [verdict, target, operation].some(({ value }) => value !== '');
  for (const item of items) item.element.hidden = active && !matches(item, wanted);
  if (active && !wasOpen) wasOpen = groups.map(({ open }) => open);
  groups.forEach((group, index) => {
    const left = group.querySelector('[data-item]:not([hidden])') !== null;
    group.hidden = active && !left;
    if (active) group.open = left;
    else if (wasOpen) group.open = wasOpen[index];
  });
  if (!active) wasOpen = undefined;
  const counts = kinds.map((kind) => {
    const ofKind = items.filter((item) => item.kind === kind);
    const left = ofKind.filter(({ element }) => !element.hidden).length;
    const none = document.querySelector('[data-none="' + kind + '"]');
    if (none) none.hidden = left > 0;
    return left + ' of ' + ofKind.length + ' ' + kind;
  });
  document.getElementById('shown').textContent = active ? 'Shown: ' + counts.join(', ') : '';
}

form.hidden = false;
form.addEventListener('input', () => {
  apply();
  const findings = document.getElementById('findings');
  if (findings.getBoundingClientRect().top < 0) findings.scrollIntoView();
});
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('reset', () => setTimeout(apply));
for (const link of all('[data-verdict]'))
  link.addEventListener('click', () => {
    words.value = '';
    verdict.value = link.dataset.verdict;
    target.value = link.dataset.target;
    operation.value = link.dataset.operation;
    apply();
  });

function reveal() {
  const aim = /^#[\w-]+$/.test(location.hash) && document.querySelector(location.hash);
  if (!aim) return;
  if (aim.hidden) form.reset();
  setTimeout(() => {
    aim.closest('[data-group]')?.setAttribute('open', '');
    aim.scrollIntoView();
  });
}
addEventListener('hashchange', reveal);
reveal();

addCopyButtons(document);

let closed = [];
addEventListener('beforeprint', () => {
  closed = all('details[data-print]:not([open])');
  for (const one of closed) one.open = true;
});
addEventListener('afterprint', () => {
  for (const one of closed) one.open = false;
});
`;
