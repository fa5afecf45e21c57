import type { JsonObject } from '../common/json.ts';
import { number } from '../common/look/amounts.ts';
import { html, type Markup } from '../common/look/markup.ts';
import { code, quoted, section } from '../common/look/parts.ts';
import { sectionsOf } from '../common/look/source-parts.ts';
import type { Operation, Section, Silence } from '../openapi/index.ts';
import { notWritable } from './document-files.ts';
import { toPlainText } from './json-view.ts';
import { markdown } from './markdown.ts';
import { serviceCalls } from './media-contents.ts';
import { externalDocs, markers, methodBadge, removal } from './parts.ts';
import { assumedMark, provenance, sourceLinks } from './provenance.ts';
import { listOf, objectOf } from './schema-shape.ts';
import { schemaLink } from './schema-words.ts';
import { securityPart } from './security.ts';
import {
  type OperationGroup,
  operationHref,
  type PageContent,
  titleOf,
  type View,
} from './site.ts';

/** A part of the first page; a document that has nothing for it has no such part. */
type Part = (view: View) => Markup | false;

/** The parts of the first page, in their order. */
const parts: readonly Part[] = [
  operationsPart,
  webhooksPart,
  serversPart,
  securityPart,
  rateLimitsPart,
  schemasPart,
  sectionsPart,
  clausesPart,
];

/** The first page: what the interface is, and all of its operations. */
export function toIndexPage(view: View): PageContent {
  const { document } = view.site;
  const info = objectOf(document.asOpenApi().info);
  const body = html`
<header class="title"${assumedMark(view, info)}>
<h1>${quoted(document.title)} <span class="version">${quoted(document.version)}</span></h1>
${typeof info.summary === 'string' && html`<p class="reason">${quoted(info.summary)}</p>`}
${markdown(info.description, { heading: 2 })}
${provenance(view, info)}
${externalDocs(document.asOpenApi())}
<p class="quiet">${view.site.hasFiles ? html`The document: <a href="openapi.yaml">YAML</a>, <a href="openapi.json">JSON</a>.` : notWritable}</p>
</header>
${parts.map((part) => part(view))}`;
  return { title: '', body };
}

function operationsPart(view: View): Markup {
  const groups = view.site.groups.map((group) => groupCard(view, group));
  return section(
    'operations',
    'Operations',
    '',
    html`<output id="found" for="words"></output><div class="stack">${groups}</div>`,
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
  const { id, method, path } = operation;
  const title = titleOf(view, operation);
  const gone = removal(operation, view.now);
  const sub = [...(title === id ? [] : [id]), ...(gone === undefined ? [] : [gone])].join('. ');
  return html`
<li data-item><a href="${operationHref(view, operation)}">${methodBadge(method)} ${code(path)} <span class="summary">${quoted(title)}</span></a> ${markers(operation, view.now)}${sub !== '' && html`<span class="sub">${quoted(sub)}</span>`}</li>`;
}

/** Webhooks are no operations: nobody calls them but the service. */
function webhooksPart(view: View): Markup | false {
  const webhooks = Object.entries<JsonObject>(objectOf(view.site.document.asOpenApi().webhooks));
  const cards = webhooks.flatMap(([name, item]) => serviceCalls(view, item, { name }));
  const note = `The service makes these calls itself.${view.site.twin ? ' The mock makes none.' : ''}`;
  const list = html`<div class="stack">${cards}</div>`;
  return cards.length > 0 && section('webhooks', 'Webhooks', note, list);
}

function serversPart(view: View): Markup | false {
  const rows = listOf(view.site.document.asOpenApi().servers).map((one) => {
    const node = objectOf(one);
    return html`<li class="card"${assumedMark(view, node)}><p>${code(toPlainText(node.url))}</p>${markdown(node.description)}${provenance(view, node)}</li>`;
  });
  return rows.length > 0 && section('servers', 'Servers', '', html`<ul class="cards">${rows}</ul>`);
}

function rateLimitsPart(view: View): Markup | false {
  const { plans, asOpenApi } = view.site.document;
  const node = objectOf(asOpenApi()['x-rate-limits']);
  const rows = Object.entries(plans).map(
    ([name, figures]) =>
      html`<tr role="row"><th scope="row" role="rowheader">${quoted(name)}</th>${[figures === 'custom' ? undefined : figures.perMinute, figures === 'custom' ? undefined : figures.perDay].map((figure, index) => html`<td role="cell"><span class="cell-label">${index === 0 ? 'A minute' : 'A day'}</span>${figure === undefined ? 'custom' : number(figure)}</td>`)}</tr>`,
  );
  return (
    rows.length > 0 &&
    section(
      'rate-limits',
      'Rate limits',
      '',
      html`<div${assumedMark(view, node)}><table class="stacks" role="table"><thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Plan</th><th scope="col" role="columnheader">Requests a minute</th><th scope="col" role="columnheader">Requests a day</th></tr></thead><tbody role="rowgroup">${rows}</tbody></table>${provenance(view, node)}</div>`,
    )
  );
}

function schemasPart(view: View): Markup | false {
  const { site } = view;
  const { schemas, asOpenApi } = site.document;
  const { components } = asOpenApi();
  const rows = [...site.paths.schemas.keys()].map((name) => {
    const { description } = objectOf(schemas.resolve(components.schemas[name]));
    const [line = ''] = typeof description === 'string' ? description.split('\n') : [];
    return html`<li>${schemaLink(view, name)} <span class="quiet">${quoted(line.slice(0, 120))}</span></li>`;
  });
  const list = html`<ul class="card schemas">${rows}</ul>`;
  const content =
    rows.length > 30
      ? html`<details><summary>${number(rows.length)} schemas</summary>${list}</details>`
      : list;
  return rows.length > 0 && section('schemas', 'Schemas', '', content);
}

/** Returns what each section of the interface states; its number is its anchor, as in `#4.2`. */
function sectionsPart(view: View): Markup | false {
  const { sections } = view.site.document;
  return (
    sections.length > 0 &&
    section(
      'sections',
      'Sections',
      'What the interface states. After a statement stand the clauses that the contract suite checks for it.',
      html`<div class="stack">${sections.map((one) => card(view, one))}</div>`,
    )
  );
}

/** The clauses that the contract suite checks; the id of each is its address. */
function clausesPart(view: View): Markup | false {
  const { clauses } = view.site.document;
  const rows = clauses.map(
    ({ id, source, text }) =>
      html`<li id="${id}"><a class="anchor" href="#${id}">${code(id)}</a> ${quoted(text)} <span class="sub">${sourceLinks(view, source)}</span></li>`,
  );
  return (
    clauses.length > 0 &&
    section(
      'clauses',
      'Clauses',
      'What the contract suite checks of a deployment, by the name that its findings have.',
      html`<ul class="card rows clauses">${rows}</ul>`,
    )
  );
}

function card({ site: { document } }: View, { id, title, statements }: Section): Markup {
  const silences = document.silences.filter(({ source }) => sectionsOf(source).includes(id));
  return html`
<article class="card" id="${id}">
<h3><a class="anchor" href="#${id}"><span class="number">§${id}</span> ${quoted(title)}</a></h3>
<ul class="statements">${statements.map(
    ({ text, clauses }) =>
      html`<li>${quoted(text)}${clauses.length > 0 && html` <span class="sub">${clauses.map(clauseLink)}</span>`}</li>`,
  )}</ul>
${silences.length > 0 && openQuestions(silences)}
</article>`;
}

function clauseLink(id: string): Markup {
  return html`<a href="#${id}">${code(id)}</a> `;
}

function openQuestions(silences: readonly Silence[]): Markup {
  return html`<h4>Left open</h4><ul class="statements">${silences.map(({ id, question }) => html`<li><a href="silences.html#${id}">${quoted(question)}</a></li>`)}</ul>`;
}
