import { html, type Markup } from '../../look/markup.ts';
import { quoted, section } from '../../look/parts.ts';
import type { Report, SectionStatements } from '../events.ts';
import { clauseLink, docsLink, sectionAnchor } from './parts.ts';

/**
 * What the interface states, by section, so that whoever gets this page alone can read what a
 * finding cites; nothing where the document does not say so.
 */
export function interfaceSection(report: Report): Markup | undefined {
  if (report.sections.length === 0) return undefined;
  const cards = report.sections.map((one) => card(report, one));
  return section(
    'interface',
    'Interface',
    'What each section states, and the clauses that check it.',
    html`<div class="cards sections">${cards}</div><p class="none" data-none="sections" hidden>No section matches the filter.</p>`,
  );
}

function card(report: Report, { id, title, statements, url }: SectionStatements): Markup {
  return html`
<article class="card" id="${sectionAnchor(id)}" data-item="sections">
<h3><span class="number">${/^\d/.test(id) ? `§${id}` : id}</span> ${quoted(title)}</h3>
<ul class="statements">${statements.map(
    ({ text, clauses }) =>
      html`<li>${quoted(text)}${clauses.length > 0 && html` <span class="sub">${clauses.map((clause) => html`${clauseLink(report, clause)} `)}</span>`}</li>`,
  )}</ul>
${docsLink(`§${id}`, url)}
</article>`;
}
