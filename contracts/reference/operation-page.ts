import type { Operation } from '../description/document.ts';
import { type RawDocument, resolve } from '../description/schema.ts';
import { html, type Markup } from '../look/markup.ts';
import { code, quoted, section } from '../look/parts.ts';
import { markdown } from './markdown.ts';
import { mediaContents } from './media-contents.ts';
import { parametersSection } from './parameters.ts';
import { externalDocs, markers, methodBadge, removal } from './parts.ts';
import { assumedMark, provenance } from './provenance.ts';
import { responsesSection } from './responses.ts';
import { objectOf } from './schema-shape.ts';
import { securityLine } from './security.ts';
import { serviceCalls } from './service-calls.ts';
import { nodeOf, type PageContent, titleOf, type View } from './site.ts';

/** The page of an operation: how it is called, and what it answers. */
export function toOperationPage(view: View, operation: Operation): PageContent {
  const { raw, basePath } = view.site.document;
  const node = nodeOf(view, operation);
  const gone = removal(operation, view.now);
  const marks = markers(operation, view.now);
  const title = titleOf(view, operation);
  const id = title !== operation.id && html`<span class="quiet">${quoted(operation.id)}</span> `;
  const body = html`
<header class="title"${assumedMark(view, node)}>
<h1>${quoted(title)}</h1>
<p class="call">${methodBadge(operation.method)} ${code(basePath + operation.path)}</p>
${(id !== false || marks.length > 0) && html`<p class="badges">${id}${marks}</p>`}
${gone !== undefined && html`<p class="removal">${gone}</p>`}
${markdown(node.description, { heading: 2 })}
${externalDocs(node)}
${securityLine(view, node)}
${provenance(view, node)}
</header>
${parametersSection(view, resolve(raw, raw.paths[operation.path]), node)}
${bodySection(view, node)}
${tryIt(view, operation)}
${responsesSection(view, node.responses)}
${callbacksSection(view, node)}`;
  return { title, body, operation };
}

/** The place of the panel that tries the operation: a twin fills it, a static site has it empty. */
function tryIt({ site }: View, { id, hidesTryIt }: Operation): Markup | false {
  if (!hidesTryIt) return html`<div data-try-it="${id}"></div>`;
  return (
    site.twin !== undefined &&
    html`<p class="note">The document hides the try-it panel of this operation (${code('x-hideTryItPanel')}).</p>`
  );
}

/** The body of an operation's request; nothing where it takes none. */
function bodySection(view: View, { requestBody }: RawDocument): Markup | false {
  if (requestBody === undefined) return false;
  const node = resolve(view.site.document.raw, requestBody);
  const content = html`<div class="card"${assumedMark(view, node)}>${markdown(node.description)}${provenance(view, node)}${mediaContents(view, node.content)}</div>`;
  return section('body', 'Body', node.required === true ? 'Required.' : 'Optional.', content);
}

/** Calls that the service makes to an address that a caller gives. */
function callbacksSection(view: View, { callbacks }: RawDocument): Markup | false {
  const { raw } = view.site.document;
  const cards = Object.entries<RawDocument>(objectOf(callbacks)).flatMap(([name, callback]) =>
    Object.entries<RawDocument>(objectOf(resolve(raw, callback))).flatMap(([address, item]) =>
      serviceCalls(view, item, { name, address }),
    ),
  );
  return (
    cards.length > 0 &&
    section(
      'callbacks',
      'Callbacks',
      'The service makes these calls itself.',
      html`<div class="stack">${cards}</div>`,
    )
  );
}
