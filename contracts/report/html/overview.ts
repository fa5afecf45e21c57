import { html, type Markup } from '../../../common/look/markup.ts';
import { code, number, quoted, section } from '../../../common/look/parts.ts';
import { clauseVerdicts, type Report } from '../events.ts';
import { gapsOf } from '../gaps.ts';
import { groupFindings, toCell, toVerdictLabel } from '../summary.ts';
import { badge, counted, operationLabel, seconds, targetCells, targetTable } from './parts.ts';

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
<th role="rowheader" scope="row">${quoted(operationLabel(id))}<span class="sub">${code(`${method} ${path}`)}</span></th>
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
