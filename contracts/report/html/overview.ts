import { html, type Markup } from '../../look/markup.ts';
import { code, number, quoted, section } from '../../look/parts.ts';
import { type ClauseVerdict, clauseVerdicts, type Report, type Residue } from '../events.ts';
import {
  callsElsewhere,
  domainsOf,
  groupFindings,
  isTraffic,
  leftAloneText,
  toLeftLines,
  toNotCalledText,
  toResidueText,
} from '../summary.ts';
import {
  badge,
  counted,
  operationLabel,
  operationNames,
  seconds,
  targetCells,
  targetNames,
  targetTable,
} from './parts.ts';

/** The targets, a card each. */
export function targetsSection(report: Report): Markup {
  const cards = report.targets.map(({ name, url, requests, seconds: time, keys }) => {
    const results = report.clauses.map(({ results: all }) => all[name]?.verdict);
    const clauses = clauseVerdicts.map((verdict) => ({
      verdict,
      count: results.filter((one) => one === verdict).length,
    }));
    const kept = clauses[0]?.count ?? 0;
    const groups = groupFindings({
      ...report,
      findings: report.findings.filter(({ target }) => target === name),
    });
    return html`
<article class="card target">
<h3>${quoted(name)}</h3>
<p class="url">${code(url)}</p>
<p class="kept"><strong>${number(kept)}</strong> of ${counted(report.clauses.length, 'clause')} kept</p>
${bar(clauses)}
<ul class="badges" aria-label="Clauses">${clauses.filter(({ count }) => count > 0).map(({ verdict, count }) => html`<li>${badge(verdict, count)}</li>`)}</ul>
<dl class="facts">
<div><dt>Requests</dt><dd>${number(requests)}</dd></div>
<div><dt>Time</dt><dd>${seconds(time)}</dd></div>
${domainsOf(report) === undefined && html`<div><dt>Keys</dt><dd>${keys.length === 0 ? 'none' : quoted(keys.join(', '))}</dd></div>`}
<div><dt>Findings</dt><dd>${groups.map(({ verdict, findings }) => `${number(findings.length)} ${verdict}`).join(', ') || 'none'}</dd></div>
</dl>
</article>`;
  });
  return section(
    'targets',
    'Targets',
    `What was ${isTraffic(report) || domainsOf(report) ? 'judged' : 'verified'}, and how much of the contract each target kept.`,
    html`<div class="cards">${cards}</div>`,
  );
}

/** The shares of the verdicts as a bar; the numbers stand beside it as text. */
function bar(parts: readonly { verdict: ClauseVerdict; count: number }[]): Markup {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  let from = 0;
  const pieces = parts.map(({ verdict, count }) => {
    const piece = html`<rect class="is-${verdict}" x="${from}" y="0" width="${count}" height="1"/>`;
    from += count;
    return count === 0 ? undefined : piece;
  });
  return html`<svg class="bar" viewBox="0 0 ${Math.max(total, 1)} 1" preserveAspectRatio="none" aria-hidden="true">${pieces}</svg>`;
}

/** Operations x targets. */
export function operationsSection(report: Report): Markup {
  const names = report.targets.map(({ name }) => name);
  const elsewhere = callsElsewhere(report);
  const ids = report.operations.map(({ id }) => id);
  const isCalledElsewhere =
    Object.values(elsewhere).some(({ calls }) => calls > 0) ||
    report.findings.some(({ operations }) => operations.some(({ id }) => !ids.includes(id)));
  const listed = [
    ...report.operations,
    ...(isCalledElsewhere ? [{ id: '', method: '', path: '', results: elsewhere }] : []),
  ];
  const rows = listed.map(
    ({ id, method, path, results }) => html`
<tr role="row">
<th role="rowheader" scope="row">${quoted(operationLabel(id))}<span class="sub">${id === '' ? 'unknown paths and methods' : code(`${method} ${path}`)}</span></th>
${targetCells(names, (name) => operationCell(report, { name, id, calls: results[name]?.calls ?? 0 }))}
</tr>`,
  );
  return section(
    'operations',
    'Operations',
    'Findings on each operation, and how often it was called.',
    targetTable({ kind: 'matrix', first: 'Operation', names, rows }),
  );
}

type Cell = { name: string; id: string; calls: number };

function operationCell(report: Report, { name, id, calls }: Cell): Markup {
  const known = report.operations.map((operation) => operation.id);
  const row = (operation: string) => (known.includes(operation) ? operation : '');
  const ofCell = report.findings.filter(
    ({ target, operations }) =>
      target === name && operations.some((operation) => row(operation.id) === id),
  );
  const groups = groupFindings({ ...report, findings: ofCell });
  if (calls === 0 && groups.length === 0) return html`<span class="quiet">not called</span>`;
  const sub = html`<span class="sub">${counted(calls, 'call')}</span>`;
  // Most checks look at operations only, and none says which calls beside them were unanswered.
  if (groups.length === 0 && id === '') return sub;
  if (groups.length === 0) return html`<span class="quiet">no drift</span>${sub}`;
  const at = html`data-target="${targetNames(report).indexOf(name)}" data-operation="${operationNames(report).indexOf(id)}"`;
  return html`<span class="badges">${groups.map(
    ({ verdict, findings }) =>
      html`<a href="#findings" data-verdict="${verdict}" ${at}>${badge(verdict, findings.length)}</a>`,
  )}</span>${sub}`;
}

/** The operations that have no cases. */
export function notCalledSection({ notCalled }: Report): Markup {
  return section(
    'not-called',
    'Not called',
    notCalled.length === 0
      ? 'Every operation of the document has cases.'
      : 'Operations in the document that verify does not call.',
    html`<ul class="questions">${notCalled.map((one) => html`<li>${quoted(toNotCalledText(one))}</li>`)}</ul>`,
  );
}

/** What the run left behind on the targets. */
export function residueSection({ residue, leftAlone = [] }: Report): Markup {
  const groups = [
    ...Map.groupBy(residue, ({ target, operation }) =>
      JSON.stringify([target, operation]),
    ).values(),
  ];
  const lists = groups.map((group) => {
    const { target, operation } = group[0] as (typeof residue)[number];
    return html`
<details class="card" data-print>
<summary><h3>${quoted(target)}: ${number(group.length)} by ${code(operation)}</h3></summary>
<ul class="ids">${group.map(leftItem)}</ul>
</details>`;
  });
  return section(
    'residue',
    'Not cleaned up',
    residue.length === 0 ? 'The run created nothing.' : toResidueText({ residue }),
    html`<div class="stack">${lists}</div>${
      leftAlone.length > 0 &&
      html`<p>${leftAloneText}</p><ul class="questions">${toLeftLines(leftAlone).map((line) => html`<li>${quoted(line)}</li>`)}</ul>`
    }`,
  );
}

function leftItem({ id = 'unknown id', reason, sent }: Residue): Markup {
  const why = [reason, sent && `sent: ${sent}`].filter(Boolean).join('; ');
  return html`<li>${code(id)}${why && html`: ${quoted(why)}`}</li>`;
}
