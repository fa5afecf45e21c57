import { addCopyButtons } from '../../../../common/look/browser/copy.ts';

/** The URL of the page for the browser: behind a proxy, the URL may differ from the twin's own. */
const root = new URL('../../../../..', import.meta.url).href
  .replace(/\/$/, '')
  .replaceAll("'", '%27');
const { root: served = root } = document.getElementById('content')?.dataset ?? {};
if (served !== root)
  for (const text of document.querySelectorAll('[data-copy]'))
    text.textContent = text.textContent.replaceAll(served, root);
addCopyButtons(document);
