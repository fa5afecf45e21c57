import type { Operation } from '../description/document.ts';
import { html, type Markup } from '../look/markup.ts';
import { code, quoted, section } from '../look/parts.ts';
import { markdown } from './markdown.ts';
import { markers, methodBadge, removal } from './parts.ts';
import { assumedMark, provenance } from './provenance.ts';
import { nodeOf, type OperationGroup, operationHref, type PageContent, type View } from './site.ts';

/** A part of the first page; a document that has nothing for it has no such part. */
type Part = (view: View) => Markup | false;

/** The parts of the first page, in their order. */
const parts: readonly Part[] = [operationsPart];

/** The first page: what the interface is, and all of its operations. */
export function toIndexPage(view: View): PageContent {
  const { document } = view.site;
  const info = document.raw.info ?? {};
  const body = html`
<header class="title"${assumedMark(view, info)}>
<h1>${quoted(document.title)} <span class="version">${quoted(document.version)}</span></h1>
${typeof info.summary === 'string' && html`<p class="reason">${quoted(info.summary)}</p>`}
${markdown(info.description, { heading: 2 })}
${provenance(view, info)}
<p class="quiet">The document: <a href="openapi.yaml">YAML</a>, <a href="openapi.json">JSON</a>.</p>
</header>
${parts.map((part) => part(view))}`;
  return { title: '', body };
}

function operationsPart(view: View): Markup {
  const groups = view.site.groups.map((group) => groupCard(view, group));
  return section(
    'operations',
    'Operations',
    'What the interface can be asked.',
    html`<div class="stack">${groups}</div><p class="none" id="no-operation" hidden>No operation matches.</p>`,
  );
}

function groupCard(view: View, { id, title, description, operations }: OperationGroup): Markup {
  return html`
<div class="operations" id="${id}" data-group>
${title !== '' && html`<h3>${quoted(title)}</h3>`}
${markdown(description)}
<ul class="card rows">${operations.map((operation) => operationRow(view, operation))}</ul>
</div>`;
}

function operationRow(view: View, operation: Operation): Markup {
  const { summary } = nodeOf(view, operation);
  const { id, method, path } = operation;
  const gone = removal(operation, view.now);
  return html`
<li data-item><a href="${operationHref(view, operation)}">${methodBadge(method)} ${code(path)} <span class="summary">${quoted(String(summary ?? id))}</span></a> ${markers(operation)}${gone !== undefined && html` <span class="quiet">${gone}</span>`}<span class="sub">${quoted(id)}</span></li>`;
}
