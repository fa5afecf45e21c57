import { html } from '../../contracts/look/markup.ts';
import type { TextAnswer } from '../answers/answer.ts';
import type { ApiKey } from '../limits/plans.ts';
import { modulePath } from '../pages/assets.ts';
import { toPage } from '../pages/page.ts';

/**
 * The page at `/__admin/console`, which a script fills. It is open to everybody, so it may hold
 * demo keys, which are no secrets, and no others.
 */
export function toConsolePage(demoKeys: readonly ApiKey[]): TextAnswer {
  const keys = JSON.stringify(Object.fromEntries(demoKeys.map(({ name, key }) => [name, key])));
  return toPage({
    title: 'Console: petstore-twin',
    root: '../',
    styles: [
      'console/console.css',
      'console/control.css',
      'console/data.css',
      'console/requests.css',
    ],
    modules: [modulePath('console', 'main')],
    body: html`<div id="console" data-keys="${keys}"><noscript><p class="wrap">The console needs JavaScript.</p></noscript></div>`,
  });
}
