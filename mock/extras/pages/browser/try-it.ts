/** Fills the panels of a page that try an operation; a page without any loads nothing more. */
const places = document.querySelectorAll<HTMLElement>('[data-try-it]');
if (places.length > 0) {
  const { showPanel } = await import('./try-it-panel.ts');
  for (const place of places) showPanel(place);
}
