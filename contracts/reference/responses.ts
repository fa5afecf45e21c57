import { STATUS_CODES } from 'node:http';
import { type RawDocument, resolve } from '../description/schema.ts';
import { html, type Markup } from '../look/markup.ts';
import { code, quoted, section } from '../look/parts.ts';
import { toPlainText } from './json-view.ts';
import { markdown } from './markdown.ts';
import { mediaContents } from './media-contents.ts';
import { assumedMark, provenance } from './provenance.ts';
import { objectOf } from './schema-shape.ts';
import { schemaRow } from './schema-tree.ts';
import type { View } from './site.ts';

type Response = { status: string; node: RawDocument };

/** Every documented response of an operation, and apart from them the headers that all have. */
export function responsesSection(view: View, responses: unknown): Markup | false {
  const { raw } = view.site.document;
  const all = Object.entries<RawDocument>(objectOf(responses))
    .filter(([status]) => !status.startsWith('x-'))
    .map(([status, response]) => ({ status, node: resolve(raw, response) }));
  const shared = all.length > 1 ? sharedHeaders(view, all) : new Map<string, RawDocument>();
  const cards = all.map((response) => responseCard(view, response, shared));
  return (
    all.length > 0 &&
    html`${section('responses', 'Responses', '', html`<div class="stack">${cards}</div>`)}${
      shared.size > 0 &&
      section(
        'headers',
        'Headers of every response',
        'All responses of this operation carry these.',
        headerList(view, shared),
      )
    }`
  );
}

function responseCard(
  view: View,
  { status, node }: Response,
  shared: ReadonlyMap<string, RawDocument>,
): Markup {
  const own = new Map([...headersOf(view, node)].filter(([name]) => !shared.has(name)));
  const isSuccess = /^[23]/.test(status);
  return html`
<details class="card response is-${isSuccess ? 'kept' : 'vacuous'}" id="response-${status}"${isSuccess && html` open`}${assumedMark(view, node)}>
<summary><h3><span class="badge">${status}</span> ${STATUS_CODES[status] ?? (status === 'default' ? 'Any other status' : '')}</h3> <span class="quiet">${quoted(firstLine(node.description))}</span></summary>
${hasMore(node.description) && markdown(node.description)}
${provenance(view, node)}
${mediaContents(view, node.content)}
${own.size > 0 && html`<h4>Headers</h4>${headerList(view, own)}`}
${linkList(node)}
</details>`;
}

function headerList(view: View, headers: ReadonlyMap<string, RawDocument>): Markup {
  return html`<ul class="card nodes">${[...headers].map(([name, node]) => schemaRow(view, code(name), node))}</ul>`;
}

function headersOf({ site }: View, { headers }: RawDocument): Map<string, RawDocument> {
  return new Map(
    Object.entries<RawDocument>(objectOf(headers)).map(([name, node]) => [
      name,
      resolve(site.document.raw, node),
    ]),
  );
}

/** The headers that all responses describe by the same node. */
function sharedHeaders(view: View, responses: readonly Response[]): Map<string, RawDocument> {
  const [first = new Map<string, RawDocument>(), ...others] = responses.map(({ node }) =>
    headersOf(view, node),
  );
  return new Map(
    [...first].filter(([name, node]) => others.every((headers) => headers.get(name) === node)),
  );
}

function linkList({ links }: RawDocument): Markup | false {
  const entries = Object.entries(objectOf(links));
  return (
    entries.length > 0 &&
    html`<h4>Leads to</h4><ul>${entries.map(([name, link]) => html`<li>${code(name)} ${quoted(toPlainText(objectOf(link).description ?? objectOf(link).operationId ?? ''))}</li>`)}</ul>`
  );
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
