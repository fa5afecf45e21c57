import { html } from '../../../common/look/markup.ts';
import type { TextAnswer } from '../../answers/answer.ts';
import type { CurlTrust } from '../../curl/curl-trust.ts';
import type { ApiKey } from '../../limits/plans.ts';
import { modulePath } from '../pages/assets.ts';
import { toPage } from '../pages/page.ts';

type Options = {
  keys: readonly ApiKey[];
  /** Whether the keys are the built-in ones, which are no secrets. */
  demoKeys: boolean;
  curlTrust: CurlTrust;
  /** Present if the process serves several APIs. */
  siblings?: { api: string; names: readonly string[]; origin: () => string };
};

/**
 * The page at `/__admin/console` of an origin, which a script fills. It is open to everybody, so it
 * may hold demo keys, which are no secrets, and no others.
 */
export function toConsolePage(
  origin: string,
  { keys, demoKeys, curlTrust, siblings }: Options,
): TextAnswer {
  const shown = demoKeys ? keys.map(({ name, key }) => [name, key]) : [];
  const apis = siblings && {
    ...{ api: siblings.api, names: siblings.names, origin: siblings.origin() },
  };
  return toPage({
    title: 'Console: petstore-twin',
    root: '../',
    styles: ['mock/extras/console/browser/console.css'],
    modules: [modulePath('mock/extras/console/browser/main')],
    body: html`<div id="console" data-keys="${JSON.stringify(Object.fromEntries(shown))}" data-trust="${JSON.stringify(curlTrust(origin))}" data-apis="${JSON.stringify(apis ?? null)}"><noscript><p class="wrap">The console needs JavaScript.</p></noscript></div>`,
  });
}
