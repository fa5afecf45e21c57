import type { Operation } from '../description/document.ts';
import { type RawDocument, resolve } from '../description/schema.ts';
import { html, type Markup } from '../look/markup.ts';
import { code, quoted, section } from '../look/parts.ts';
import { jsonView } from './json-view.ts';
import { markdown } from './markdown.ts';
import { markers, methodBadge, removal } from './parts.ts';
import { assumedMark, provenance } from './provenance.ts';
import { schemaTree } from './schema-tree.ts';
import { nodeOf, type PageContent, type View } from './site.ts';

/** The page of an operation: how it is called, and what it answers. */
export function toOperationPage(view: View, operation: Operation): PageContent {
  const node = nodeOf(view, operation);
  const title = String(node.summary ?? operation.id);
  const gone = removal(operation, view.now);
  const body = html`
<header class="title"${assumedMark(view, node)}>
<h1>${quoted(title)}</h1>
<p class="call">${methodBadge(operation.method)} ${code(view.site.document.basePath + operation.path)}</p>
<p class="badges">${markers(operation)}</p>
${gone !== undefined && html`<p class="removal">${gone}</p>`}
${markdown(node.description)}
${provenance(view, node)}
</header>
${parametersSection(view, operation)}
${bodySection(view, node)}
${!operation.hidesTryIt && html`<div data-try-it="${operation.id}"></div>`}
${responsesSection(view, node)}`;
  return { title, body, operation };
}

function parametersSection(view: View, { parameters }: Operation): Markup | false {
  const rows = parameters.map(
    ({ name, in: place, required, schema }) =>
      html`<li>${code(name)} <span class="quiet">${place}${required && ', required'}</span>${schemaTree(view, schema)}</li>`,
  );
  return (
    parameters.length > 0 &&
    section(
      'parameters',
      'Parameters',
      'What a call says besides its body.',
      html`<ul>${rows}</ul>`,
    )
  );
}

function bodySection(view: View, { requestBody }: RawDocument): Markup | false {
  if (requestBody === undefined) return false;
  const node = resolve(view.site.document.raw, requestBody);
  return section('body', 'Body', String(node.description ?? ''), contents(view, node));
}

function responsesSection(view: View, { responses = {} }: RawDocument): Markup {
  const cards = Object.entries<RawDocument>(responses).map(([status, response]) => {
    const node = resolve(view.site.document.raw, response);
    return html`<div class="card"${assumedMark(view, node)}><h3>${status}</h3>${markdown(node.description)}${provenance(view, node)}${contents(view, node)}</div>`;
  });
  return section(
    'responses',
    'Responses',
    'What comes back.',
    html`<div class="stack">${cards}</div>`,
  );
}

function contents(view: View, { content = {} }: RawDocument): Markup {
  const parts = Object.entries<RawDocument>(content).map(
    ([mediaType, { schema = {}, examples = {} }]) =>
      html`<h3>${code(mediaType)}</h3>${schemaTree(view, schema)}${Object.values<RawDocument>(examples).map(({ value }) => html`<pre>${jsonView(value)}</pre>`)}`,
  );
  return html`${parts}`;
}
