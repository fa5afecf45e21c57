import { describePinned, type Pin } from '../description/pinned.ts';
import { html, type Markup } from '../look/markup.ts';
import { code, quoted } from '../look/parts.ts';
import { sourceLinks } from './provenance.ts';
import type { PageContent, View } from './site.ts';

/** The page of what the interface leaves open, and what the twin does there. */
export function toSilencesPage(view: View): PageContent {
  const { pinned } = view.site.document;
  const rows = view.site.document.silences.map(
    ({ id, source, question, twin, assumed, pin }) => html`
<tr id="${id}" role="row">
<th scope="row" role="rowheader">${quoted(question)}<span class="sub">${code(id)} ${sourceLinks(view, source)}</span></th>
<td role="cell"><span class="cell-label">The twin</span>${pin ? html`${answerOf(pin)}<span class="sub">Unless pinned: ${quoted(twin)}</span>` : quoted(twin)}</td>
<td role="cell"><span class="cell-label">Reason</span>${pin ? evidenceOf(pin) : quoted(assumed)}</td>
</tr>`,
  );
  const body = html`
<header class="title">
<h1>Silences</h1>
<p class="reason">What the interface leaves open, what the twin does there, and why. None of it is ever judged.${pinned && ` Pinned: ${describePinned(view.site.document)}.`}</p>
</header>
<table class="stacks" role="table">
<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">Question</th><th scope="col" role="columnheader">The twin</th><th scope="col" role="columnheader">Reason</th></tr></thead>
<tbody role="rowgroup">${rows}</tbody>
</table>`;
  return { title: 'Silences', body };
}

/** Why a silence is pinned: the exchanges that show it. */
function evidenceOf({ evidence, times, confidence, unsure, unpinned }: Pin): Markup {
  const seen = [
    times === undefined ? 'Seen' : `Seen ${times} ${times === 1 ? 'time' : 'times'}`,
    ...(confidence === undefined ? [] : [`confidence ${confidence}`]),
  ].join(', ');
  const shown = evidence.slice(0, maxEvidence);
  const doubt = unsure && html`<span class="sub">Unsure: ${quoted(unsure)}</span>`;
  const rest = unpinned && html`<span class="sub">Not pinned: ${quoted(unpinned)}</span>`;
  return html`${seen}${doubt}${rest}${shown.map((line) => html`<span class="sub">${quoted(line)}</span>`)}`;
}

const maxEvidence = 3;

/** An answer in words, and as it stands in the file of pins where that says more. */
function answerOf({ answer, summary }: Pin): Markup {
  const line = toLine(answer);
  const shown = line.length > maxAnswer ? `${line.slice(0, maxAnswer)}…` : line;
  if (summary === undefined || typeof answer === 'string') return code(shown);
  return html`${quoted(summary)}<span class="sub">${code(shown)}</span>`;
}

const maxAnswer = 200;

/** An answer as it stands in the file of pins, in one line. */
function toLine(answer: unknown): string {
  if (typeof answer === 'string') return answer;
  return JSON.stringify(answer, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner));
}
