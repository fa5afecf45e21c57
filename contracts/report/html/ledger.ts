import { html, type Markup } from '../../../common/look/markup.ts';
import { code, number, quoted, section } from '../../../common/look/parts.ts';
import type { ClauseResult, ClauseVerdict, Report, SilenceResult } from '../events.ts';
import { notObserved } from '../summary.ts';
import {
  badge,
  clauseAnchor,
  docsLink,
  source,
  sources,
  targetCells,
  targetTable,
} from './parts.ts';

/** Returns the table of clauses with their verdicts by target. */
export function clausesSection(report: Report): Markup {
  const names = report.targets.map(({ name }) => name);
  const rows = report.clauses.map(
    (clause) => html`
<tr role="row"${mark(clause)} id="${clauseAnchor(clause.id)}">
<th role="rowheader" scope="row"><span class="clause">${quoted(clause.text)}</span><span class="sub">${code(clause.id)} ${source(clause)} ${clause.basis === 'stated' && docsLink(clause.id, clause.url)}</span></th>
${targetCells(names, (name) => clauseCell(clause.results[name]))}
</tr>`,
  );
  return section(
    'clauses',
    'Clauses',
    'Each clause with its verdict, and the number of exchanges that it was checked on.',
    targetTable({ kind: 'ledger', first: 'Clause', names, rows }),
  );
}

const broken: ClauseVerdict[] = ['drift', 'standard', 'undocumented', 'known'];

/** Marks the row of a clause that is broken somewhere by the heaviest verdict. */
function mark({ results }: ClauseResult): Markup | undefined {
  const heaviest = broken.find((verdict) =>
    Object.values(results).some((result) => result.verdict === verdict),
  );
  return heaviest && html` class="is-${heaviest}"`;
}

function clauseCell(result: ClauseResult['results'][string] | undefined): Markup {
  if (!result) return html`<span class="quiet">not judged</span>`;
  const { verdict, held, reason } = result;
  return html`${badge(verdict)}<span class="sub">${held === 0 ? 'never checked' : `checked ${number(held)}×`}</span>${reason !== undefined && html`<span class="sub">${quoted(reason)}</span>`}`;
}

/**
 * Returns the section of the silences, and what each target does. Silences in which targets differ
 * come first, unobserved ones last.
 */
export function silencesSection(report: Report): Markup {
  const names = report.targets.map(({ name }) => name);
  const kindsOf = ({ observed: by }: SilenceResult) =>
    new Set(Object.values(by).filter((what) => what !== notObserved)).size;
  const sorted = report.silences.toSorted((left, right) => kindsOf(right) - kindsOf(left));
  const rows = sorted.map((silence) => {
    const differs = kindsOf(silence) > 1;
    return html`
<tr role="row"${differs && html` class="differs"`}>
<th role="rowheader" scope="row">${quoted(silence.question)}<span class="sub">${code(silence.id)} ${sources(silence.source)} ${docsLink(silence.id, silence.url)}</span>${differs && html`<span class="badge is-difference"><span aria-hidden="true">≠</span> targets differ</span>`}</th>
${targetCells(names, (name) => observed(silence.observed[name]))}
</tr>`;
  });
  return section(
    'silences',
    'Silence map',
    'Unspecified behaviour of each target. Nothing here is judged.',
    targetTable({ kind: 'silences', first: 'Question', names, rows }),
  );
}

function observed(what: string | undefined): Markup {
  return what === undefined || what === notObserved
    ? html`<span class="quiet">${notObserved}</span>`
    : quoted(what);
}
