import { number } from '../../../common/look/amounts.ts';
import { html, type Markup } from '../../../common/look/markup.ts';
import { code, quoted, section } from '../../../common/look/parts.ts';
import {
  type ClauseResult,
  type ClauseVerdict,
  clauseVerdicts,
  type Report,
  type SilenceResult,
} from '../events.ts';
import { gapsOf } from '../gaps.ts';
import { groupFindings, notObserved, toCell, toOperationName, toVerdictLabel } from '../summary.ts';
import {
  badge,
  clauseAnchor,
  counted,
  docsLink,
  seconds,
  source,
  sources,
  targetCells,
  targetTable,
} from './parts.ts';

/** The targets, a card each. */
export function targetsSection(report: Report): Markup {
  const cards = report.targets.map(({ name, url, requests, seconds: time, keys }) => {
    const clauses = clauseVerdicts.map((verdict) => ({
      verdict,
      count: report.clauses.filter(({ results }) => results[name]?.verdict === verdict).length,
    }));
    const groups = groupFindings({
      findings: report.findings.filter(({ target }) => target === name),
    });
    return html`
<article class="card target">
<h3>${quoted(name)}</h3>
<p class="url">${code(url)}</p>
<p class="kept"><strong>${number(clauses[0]?.count ?? 0)}</strong> of ${counted(report.clauses.length, 'clause')} passed</p>
<ul class="badges" aria-label="Clauses">${clauses.filter(({ count }) => count > 0).map(({ verdict, count }) => html`<li>${badge(verdict, count)}</li>`)}</ul>
<dl class="facts">
<div><dt>Requests</dt><dd>${number(requests)}</dd></div>
<div><dt>Time</dt><dd>${seconds(time)}</dd></div>
<div><dt>Keys</dt><dd>${keys.length === 0 ? 'none' : quoted(keys.join(', '))}</dd></div>
<div><dt>Findings</dt><dd>${groups.map(({ verdict, findings }) => `${number(findings.length)} ${toVerdictLabel(verdict)}`).join(', ') || 'none'}</dd></div>
</dl>
</article>`;
  });
  return section(
    'targets',
    'Targets',
    'The deployments, and how many clauses passed on each.',
    html`<div class="cards">${cards}</div>`,
  );
}

/** Returns the table of operations by target. */
export function operationsSection(report: Report): Markup {
  const names = report.targets.map(({ name }) => name);
  const rows = report.operations.map(
    ({ id, method, path, results }) => html`
<tr role="row">
<th role="rowheader" scope="row">${quoted(toOperationName(id))}<span class="sub">${code(`${method} ${path}`)}</span></th>
${targetCells(names, (name) => html`<span class="${results[name]?.findings ? 'failure' : 'quiet'}">${toCell(report, name, { id, results })}</span>`)}
</tr>`,
  );
  return section(
    'operations',
    'Operations',
    'The calls of each operation, and their findings.',
    targetTable({ kind: 'matrix', first: 'Operation', names, rows }),
  );
}

/** Returns the section of what was not judged, not called and not cleaned up. */
export function gapsSection(report: Report): Markup {
  const gaps = gapsOf(report).map(
    ({ title, meaning, lines }) => html`
<details class="card">
<summary><h3>${title.charAt(0).toUpperCase()}${title.slice(1)} (${number(lines.length)})</h3></summary>
<p class="quiet">${quoted(meaning)}</p>
<ul class="questions">${lines.map((line) => html`<li>${quoted(line)}</li>`)}</ul>
</details>`,
  );
  return section(
    'gaps',
    'Gaps',
    gaps.length === 0
      ? 'None: every clause was decided, every operation called, and every created item deleted.'
      : 'Undecided clauses, operations that were not called, and items that were not deleted.',
    html`<div class="stack">${gaps}</div>`,
  );
}

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
