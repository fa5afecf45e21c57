import { STATUS_CODES } from 'node:http';
import type { JsonObject } from '../common/json.ts';
import { html, type Markup } from '../common/look/markup.ts';
import { code, quoted, section } from '../common/look/parts.ts';
import { toPlainText } from './json-view.ts';
import { markdown } from './markdown.ts';
import { mediaContents } from './media-contents.ts';
import { assumedMark, provenance } from './provenance.ts';
import { objectOf } from './schema-shape.ts';
import { schemaRow } from './schema-tree.ts';
import type { View } from './site.ts';

/** Every documented response of an operation. */
export function responsesSection(view: View, responses: unknown): Markup | false {
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
