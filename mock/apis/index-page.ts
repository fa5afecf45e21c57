import type { IncomingMessage } from 'node:http';
import { html } from '../../common/look/markup.ts';
import { quoted } from '../../common/look/parts.ts';
import type { DocumentHead } from '../../openapi/index.ts';
import { type Answer, type TextAnswer, toJsonAnswer } from '../answers/answer.ts';
import { toPage } from '../extras/pages/page.ts';

/** An API of a process that serves several. */
export type ServedApi = DocumentHead & {
  name: string;
  /** The document, a file or its URL. */
  spec: string;
  /** The origin of its own port, if it has one. */
  origin?: string;
};

/** Returns the list of APIs: a page for browsers, and JSON for others. */
export function toIndex(
  { method = '', headers }: IncomingMessage,
  apis: readonly ServedApi[],
): Answer | TextAnswer {
  const views = apis.map(({ name, title, version, basePath, origin }) => ({
    ...{ name, title, version, path: `/${name}${basePath}` },
    ...(origin !== undefined && { origin }),
  }));
  if (!['GET', 'HEAD'].includes(method) || !headers.accept?.includes('text/html'))
    return toJsonAnswer({ apis: views });
  const cards = views.map(
    ({ name, title, version, path }) => html`
<section class="card"><h2><a href="${name}/">${name}</a></h2><p>${quoted(`${title} ${version}`)}, <code>${path}</code></p>
<p><a href="${name}/__docs/">Reference</a>, <a href="${name}/__admin/console">Console</a></p></section>`,
  );
  return toPage({
    title: 'APIs: petstore-twin',
    root: '',
    styles: ['mock/extras/pages/browser/start.css'],
    body: html`
<header class="masthead"><div class="wrap"><p class="over">petstore-twin is running</p><h1>${String(apis.length)} APIs</h1></div></header>
<main class="wrap"><section><div class="stack">${cards}</div></section></main>`,
  });
}
