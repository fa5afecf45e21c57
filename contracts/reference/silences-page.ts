import { html } from '../look/markup.ts';
import { code, quoted } from '../look/parts.ts';
import { sourceLinks } from './provenance.ts';
import type { PageContent, View } from './site.ts';

/** The page of what the interface leaves open, and what the twin does there. */
export function toSilencesPage(view: View): PageContent {
  const rows = view.site.document.silences.map(
    ({ id, source, question, twin, assumed }) => html`
<tr id="${id}" role="row">
<th scope="row" role="rowheader">${quoted(question)}<span class="sub">${code(id)} ${sourceLinks(view, source)}</span></th>
<td role="cell"><span class="cell-label">The twin</span>${quoted(twin)}</td>
<td role="cell"><span class="cell-label">Reason</span>${quoted(assumed)}</td>
</tr>`,
  );
  const body = html`
<header class="title">
<h1>Silences</h1>
<p class="reason">What the interface leaves open, what the twin does there, and why. None of it is ever judged.</p>
</header>
<table class="stacks" role="table">
<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Question</th><th scope="col" role="columnheader">The twin</th><th scope="col" role="columnheader">Reason</th></tr></thead>
<tbody role="rowgroup">${rows}</tbody>
</table>`;
  return { title: 'Silences', body };
}
