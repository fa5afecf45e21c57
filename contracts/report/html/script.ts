import { moduleExtension, readScript } from '../../../common/look/browser-code.ts';

/**
 * The page's script: the copying of curl lines, and what opens for a link. It never makes markup.
 */
export function readReportScript(): string {
  const copy = new URL(`../../../common/look/browser/copy${moduleExtension}`, import.meta.url);
  return readScript([copy], script);
}

const script = String.raw`
function reveal() {
  const aim = /^#[\w-]+$/.test(location.hash) && document.querySelector(location.hash);
  if (!aim) return;
  aim.closest('details')?.setAttribute('open', '');
  aim.scrollIntoView();
}
addEventListener('hashchange', reveal);
reveal();

addCopyButtons(document);
`;
