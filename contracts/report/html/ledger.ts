import { html, type Markup } from '../../look/markup.ts';
import { code, number, quoted, section } from '../../look/parts.ts';
import type { ClauseResult, ClauseVerdict, Report, SilenceResult } from '../events.ts';
import { groupReasons, notObserved, observedSilences } from '../summary.ts';
import {
  badge,
  clauseAnchor,
  docsLink,
  source,
  sources,
  targetCells,
  targetNames,
  targetTable,
} from './parts.ts';

/** The ledger: each clause, and what became of it on each target. */
export function clausesSection(report: Report): Markup {
  const names = report.targets.map(({ name }) => name);
  const rows = report.clauses.map(
    (clause) => html`
<tr role="row"${mark(clause)} id="${clauseAnchor(clause.id)}" data-item="clauses" data-at="${names.map((name) => `${targetNames(report).indexOf(name)}:${clause.results[name]?.verdict}`).join(' ')}">
<th role="rowheader" scope="row"><span class="clause">${quoted(clause.text)}</span><span class="sub">${code(clause.id)} ${source(report, clause)} ${clause.basis === 'stated' && docsLink(clause.id, clause.url)}</span></th>
${targetCells(names, (name) => clauseCell(clause.results[name]))}
</tr>`,
  );
  return section(
    'clauses',
    'Clauses',
    'Every clause that was judged, its verdict, and how often it held.',
    html`${targetTable({ kind: 'ledger', first: 'Clause', names, rows })}
<p class="none" data-none="clauses" hidden>No clause matches the filter.</p>
${groupReasons(report.notApplicable).map(({ reason, ids }) => html`<p>Does not apply, as ${quoted(reason)}: ${quoted(ids.join(', '))}</p>`)}`,
  );
}

const broken: ClauseVerdict[] = ['drift', 'standard', 'undocumented', 'disagreement', 'known'];

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
  return html`${badge(verdict)}<span class="sub">${held === 0 ? 'never held' : `held ${number(held)}×`}</span>${reason !== undefined && html`<span class="sub">${quoted(reason)}</span>`}`;
}

/**
 * What each target does where the interface says nothing; first where they differ, last what nobody
 * observed.
 */
export function silencesSection(report: Report): Markup {
  const names = report.targets.map(({ name }) => name);
  const seen = (silence: SilenceResult) =>
    names
      .map((name) => silence.observed[name] ?? notObserved)
      .filter((observed) => observed !== notObserved);
  const differs = (silence: SilenceResult) => new Set(seen(silence)).size > 1;
  const shown = observedSilences(report);
  const unseen = report.silences.filter((silence) => !shown.includes(silence));
  const rows = [...shown.filter(differs), ...shown.filter((silence) => !differs(silence))].map(
    (silence) => html`
<tr role="row" data-item="silences"${differs(silence) && html` class="differs"`}>
<th role="rowheader" scope="row">${quoted(silence.question)}<span class="sub">${code(silence.id)} ${sources(report, silence.source)} ${docsLink(silence.id, silence.url)}</span>${differs(silence) && html`<span class="badge is-difference"><span aria-hidden="true">≠</span> targets differ</span>`}</th>
${targetCells(names, (name) => observed(silence.observed[name]))}
</tr>`,
  );
  const rest = html`
<details class="card" data-group data-print>
<summary><h3>Not observed in this run (${number(unseen.length)})</h3></summary>
<ul class="questions">${unseen.map(({ id, source: from, question, url }) => html`<li data-item="silences">${quoted(question)} <span class="sub">${code(id)} ${sources(report, from)} ${docsLink(id, url)}</span></li>`)}</ul>
</details>`;
  return section(
    'silences',
    'Silence map',
    'What the interface does not specify, and what each target does. Nothing here is judged.',
    html`${targetTable({ kind: 'silences', first: 'Question', names, rows })}
${unseen.length > 0 && rest}
<p class="none" data-none="silences" hidden>No silence matches the filter.</p>`,
  );
}

function observed(what: string | undefined): Markup {
  return what === undefined || what === notObserved
    ? html`<span class="quiet">${notObserved}</span>`
    : quoted(what);
}
