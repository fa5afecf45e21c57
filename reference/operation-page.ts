import { STATUS_CODES } from 'node:http';
import type { JsonObject } from '../common/json.ts';
import { html, type Markup } from '../common/look/markup.ts';
import { code, quoted, section } from '../common/look/parts.ts';
import type { Operation } from '../openapi/index.ts';
import { toPlainText } from './json-view.ts';
import { markdown } from './markdown.ts';
import { mediaContents, serviceCalls } from './media-contents.ts';
import { externalDocs, markers, methodBadge, removal } from './parts.ts';
import { assumedMark, provenance } from './provenance.ts';
import { listOf, objectOf } from './schema-shape.ts';
import { schemaRow } from './schema-tree.ts';
import { securityLine } from './security.ts';
import { nodeOf, type PageContent, titleOf, type View } from './site.ts';

/** The page of an operation: how it is called, and what it answers. */
export function toOperationPage(view: View, operation: Operation): PageContent {
  const { asOpenApi, schemas, basePath } = view.site.document;
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
${parametersSection(view, schemas.resolve(asOpenApi().paths[operation.path]), node)}
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
function bodySection(view: View, { requestBody }: JsonObject): Markup | false {
  if (requestBody === undefined) return false;
  const node = view.site.document.schemas.resolve(requestBody);
  const content = html`<div class="card"${assumedMark(view, node)}>${markdown(node.description)}${provenance(view, node)}${mediaContents(view, node.content)}</div>`;
  return section('body', 'Body', node.required === true ? 'Required.' : 'Optional.', content);
}

/** Calls that the service makes to an address that a caller gives. */
function callbacksSection(view: View, { callbacks }: JsonObject): Markup | false {
  const { schemas } = view.site.document;
  const cards = Object.entries<JsonObject>(objectOf(callbacks)).flatMap(([name, callback]) =>
    Object.entries<JsonObject>(objectOf(schemas.resolve(callback))).flatMap(([address, item]) =>
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

const places: Readonly<Record<string, string>> = {
  path: 'In the path',
  query: 'In the query',
  header: 'In headers',
  cookie: 'In cookies',
};

/** The parameters of an operation, those of its path too, by their places. */
function parametersSection(view: View, item: JsonObject, node: JsonObject): Markup | false {
  const { schemas } = view.site.document;
  const own = listOf(node.parameters).map((one) => schemas.resolve(one as JsonObject));
  const shared = listOf(item.parameters)
    .map((one) => schemas.resolve(one as JsonObject))
    .filter((one) => !own.some(({ name, in: place }) => name === one.name && place === one.in));
  const all = [...own, ...shared];
  const lists = Object.entries(places).map(([place, title]) => {
    const rows = all.filter((one) => one.in === place);
    return (
      rows.length > 0 &&
      html`<h3>${title}</h3><ul class="card nodes">${rows.map((one) => schemaRow(view, code(toPlainText(one.name)), one))}</ul>`
    );
  });
  return (
    all.length > 0 &&
    section('parameters', 'Parameters', '', html`<div class="stack">${lists}</div>`)
  );
}

/** Every documented response of an operation. */
function responsesSection(view: View, responses: unknown): Markup | false {
  const cards = Object.entries<JsonObject>(objectOf(responses))
    .filter(([status]) => !status.startsWith('x-'))
    .map(([status, response]) => responseCard(view, status, response));
  const list = html`<div class="stack">${cards}</div>`;
  return cards.length > 0 && section('responses', 'Responses', '', list);
}

function responseCard(view: View, status: string, response: JsonObject): Markup {
  const node = view.site.document.schemas.resolve(response);
  const isSuccess = /^[23]/.test(status);
  return html`
<details class="card response is-${isSuccess ? 'kept' : 'vacuous'}" id="response-${status}"${isSuccess && html` open`}${assumedMark(view, node)}>
<summary><h3><span class="badge">${status}</span> ${STATUS_CODES[status] ?? (status === 'default' ? 'Any other status' : '')}</h3> <span class="quiet">${quoted(firstLine(node.description))}</span></summary>
${hasMore(node.description) && markdown(node.description)}
${provenance(view, node)}
${mediaContents(view, node.content)}
${headerList(view, node)}
</details>`;
}

function headerList(view: View, { headers }: JsonObject): Markup | false {
  const rows = Object.entries<JsonObject>(objectOf(headers)).map(([name, header]) =>
    schemaRow(view, code(name), view.site.document.schemas.resolve(header)),
  );
  return rows.length > 0 && html`<h4>Headers</h4><ul class="card nodes">${rows}</ul>`;
}

function firstLine(text: unknown): string {
  const [line = ''] = toPlainText(text ?? '')
    .trim()
    .split('\n');
  return line.length > 160 ? `${line.slice(0, 156)} ...` : line;
}

function hasMore(text: unknown): boolean {
  const whole = toPlainText(text ?? '').trim();
  return whole !== firstLine(text) || /[`*_[\]<&]/.test(whole);
}
