import type { Section, Silence } from '../description/document.ts';
import { sectionsOf } from '../description/sections.ts';
import { html, type Markup } from '../look/markup.ts';
import { code, quoted, section } from '../look/parts.ts';
import { sourceLinks } from './provenance.ts';
import type { View } from './site.ts';

/** What each section of the interface states; its number is its address, as in `#4.2`. */
export function sectionsPart(view: View): Markup | false {
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
export function clausesPart(view: View): Markup | false {
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
