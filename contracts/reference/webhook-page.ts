import { html } from '../look/markup.ts';
import { code, quoted } from '../look/parts.ts';
import { markdown } from './markdown.ts';
import { bodySection } from './operation-page.ts';
import { parametersSection } from './parameters.ts';
import { externalDocs, methodBadge } from './parts.ts';
import { assumedMark, provenance } from './provenance.ts';
import { responsesSection } from './responses.ts';
import type { PageContent, View } from './site.ts';
import type { Webhook } from './webhooks.ts';

/** What tells webhooks from operations. */
export function webhookNote({ site }: View): string {
  const who = 'The service makes these calls itself, to an address that was registered with it.';
  return site.twin ? `${who} The mock makes none.` : who;
}

/** The page of a webhook: what the service sends, and what it takes for an answer. */
export function toWebhookPage(view: View, webhook: Webhook): PageContent {
  const { name, method, item, node } = webhook;
  const title = typeof node.summary === 'string' ? node.summary : name;
  const body = html`
<header class="title"${assumedMark(view, node)}>
<p class="over quiet">Webhook</p>
<h1>${quoted(title)}</h1>
<p class="call">${methodBadge(method)} ${code(name)}</p>
${node.deprecated === true && html`<p class="badges"><span class="badge is-standard">Deprecated</span></p>`}
<p class="quiet">${webhookNote(view)}</p>
${markdown(node.description, { heading: 2 })}
${externalDocs(node)}
${provenance(view, node)}
</header>
${parametersSection(view, item, node)}
${bodySection(view, node)}
${responsesSection(view, node.responses)}`;
  return { title, body };
}
