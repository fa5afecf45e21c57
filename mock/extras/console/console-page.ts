import type { ApiDocument } from '../../../contracts/description/document.ts';
import { html } from '../../../contracts/look/markup.ts';
import type { TextAnswer } from '../../answers/answer.ts';
import type { CurlTrust } from '../../curl/curl-trust.ts';
import type { ApiKey } from '../../limits/plans.ts';
import { modulePath } from '../pages/assets.ts';
import { toPage } from '../pages/page.ts';

type Options = {
  document: Pick<ApiDocument, 'operations'>;
  keys: readonly ApiKey[];
  /** Whether the keys are the built-in ones, which are no secrets. */
  demoKeys: boolean;
  curlTrust: CurlTrust;
};

/**
 * The page at `/__admin/console` of an origin, which a script fills. It is open to everybody, so it
 * may hold demo keys, which are no secrets, and no others.
 */
export function toConsolePage(
  origin: string,
  { document: { operations }, keys, demoKeys, curlTrust }: Options,
): TextAnswer {
  const shown = demoKeys ? keys.map(({ name, key }) => [name, key]) : [];
  const example =
    operations.find(({ method, deprecated }) => method === 'GET' && !deprecated) ?? operations[0];
  return toPage({
    title: 'Console: petstore-twin',
    root: '../',
    styles: ['console/console.css'],
    modules: [modulePath('console', 'main')],
    body: html`<div id="console" data-keys="${JSON.stringify(Object.fromEntries(shown))}" data-trust="${JSON.stringify(curlTrust(origin))}"${example && html` data-example="${example.id}"`}><noscript><p class="wrap">The console needs JavaScript.</p></noscript></div>`,
  });
}
