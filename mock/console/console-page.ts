import { html } from '../../contracts/look/markup.ts';
import type { TextAnswer } from '../answers/answer.ts';
import { modulePath } from '../pages/assets.ts';
import { toPage } from '../pages/page.ts';

/** The page at `/__admin/console`, which a script fills. */
export function toConsolePage(): TextAnswer {
  return toPage({
    title: 'Console: petstore-twin',
    root: '../',
    styles: ['console/console.css', 'console/data.css'],
    modules: [modulePath('console', 'main')],
    body: html`<div id="console"><noscript><p class="wrap">The console needs JavaScript.</p></noscript></div>`,
  });
}
