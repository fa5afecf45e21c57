import type { Request } from 'express';
import type { ApiDocument, Operation } from '../../contracts/description/document.ts';
import { html, type Markup } from '../../contracts/look/markup.ts';
import { code, quoted, section } from '../../contracts/look/parts.ts';
import type { TextAnswer } from '../answers/answer.ts';
import type { CurlTrust } from '../curl/curl-trust.ts';
import { createToExampleCall } from '../curl/example-calls.ts';
import { toCurl } from '../curl/to-curl.ts';
import type { CompileSchema } from '../json/validator.ts';
import type { ApiKey } from '../limits/plans.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import { modulePath } from './assets.ts';
import { toPage } from './page.ts';

export type StartPageOptions = {
  served: { document: ApiDocument; keys: readonly ApiKey[]; compileSchema: CompileSchema };
  /** Whether the keys are the built-in ones, which are no secrets. */
  demoKeys: boolean;
  curlTrust: CurlTrust;
};

type Visit = StartPageOptions & { sandbox: Sandbox; prefix: string };

/** The page at `/`: what is served where, with which keys, and how it is called. */
export async function toStartPage(
  request: Request,
  { served, demoKeys, curlTrust, sandbox, prefix }: Visit,
): Promise<TextAnswer> {
  const { document, keys } = served;
  const base = `${request.protocol}://${request.get('host')}${prefix}${document.basePath}`;
  const key = demoKeys ? (keys[0]?.key ?? '') : '$KEY';
  const toExampleCall = createToExampleCall(document, { store: sandbox.store, ...served });
  const toRow = async (operation: Operation): Promise<Markup> => {
    const call = await toExampleCall(operation);
    const line = call && toCurl(operation, call, { base, key, trust: curlTrust(base) });
    return html`<li class="card"><h3>${code(operation.id)}</h3><p class="sub">${code(`${operation.method} ${operation.path}`)}</p>${line !== undefined && html`<pre data-copy>${line}</pre>`}</li>`;
  };
  const operations = await Promise.all(document.operations.map(toRow));
  const body = html`
<header class="masthead is-kept"><div class="wrap">
<p class="over">petstore-twin</p>
<h1>${quoted(document.title)} ${quoted(document.version)}</h1>
<p class="reason">${code(base)}</p>
</div></header>
<main class="wrap">
${section('operations', 'Operations', 'How each operation is called.', html`<ul class="stack">${operations}</ul>`)}
</main>`;
  return toPage({
    title: `${document.title} ${document.version}: petstore-twin`,
    root: '',
    modules: [modulePath('start', 'copy')],
    body,
  });
}
