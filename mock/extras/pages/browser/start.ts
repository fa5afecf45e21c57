import { addCopyButtons } from '../../../../common/look/browser/copy.ts';

/** Where the page is for the browser: a proxy may have it elsewhere than the twin thinks. */
const root = new URL('../../../../..', import.meta.url).href
  .replace(/\/$/, '')
  .replaceAll("'", '%27');
const { root: served = root } = document.getElementById('content')?.dataset ?? {};
if (served !== root)
  for (const text of document.querySelectorAll('[data-copy]'))
    text.textContent = text.textContent.replaceAll(served, root);
addCopyButtons(document);
