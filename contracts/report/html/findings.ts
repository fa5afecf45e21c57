import { STATUS_CODES } from 'node:http';
import { number } from '../../../common/look/amounts.ts';
import { hasUnseen, html, type Markup, preformatted } from '../../../common/look/markup.ts';
import { code, quoted, section } from '../../../common/look/parts.ts';
import type { Finding, RelatedFinding, Report, ReportedExchange } from '../events.ts';
import {
  groupFindings,
  isGating,
  listCurls,
  listOperations,
  type ReportOptions,
  toFailureText,
  toOperationName,
} from '../summary.ts';
import { badge, clauseLink, counted, docsLink, source } from './parts.ts';

/** The findings, grouped by verdict; short groups and those that may fail a run are open. */
export function findingsSection(report: Report, options: ReportOptions): Markup {
  const lists = groupFindings(report).map(({ verdict, meaning, findings }) => {
    const open =
      verdict === 'drift' ||
      verdict === 'unanswered' ||
      verdict === 'standard' ||
      findings.length < 4;
    const gating = findings.some((finding) => isGating(finding, options));
    return html`
<details class="group is-${verdict}"${open && html` open`}>
<summary><h3>${badge(verdict, findings.length)}</h3> <span class="meaning">${meaning}; ${gating ? 'this fails the run' : 'this does not fail the run'}</span></summary>
<ol class="stack">${findings.map((finding) => card(report, finding))}</ol>
</details>`;
  });
  return section(
    'findings',
    'Findings',
    report.findings.length === 0
      ? report.traffic
        ? 'None in the observed traffic.'
        : 'None: no clause fails, and the targets do not differ.'
      : 'One for each cause, with its clearest exchange.',
    html`<div class="stack">${lists}</div>`,
  );
}

function card(report: Report, finding: Finding): Markup {
  const position = report.findings.indexOf(finding) + 1;
  const { target, verdict, check, operation, clause, message, problems, count, exchange } = finding;
  return html`
<li class="card finding is-${verdict}" id="finding-${position}">
<h4>${quoted(message)}</h4>
${problems !== undefined && html`<ul class="problems">${problems.map((problem) => html`<li>${quoted(problem)}</li>`)}</ul>`}
<p class="quiet">${quoted(clause.text)} ${clause.basis === 'stated' && docsLink(clause.id, clause.url)}</p>
<ul class="meta">
<li>${badge(verdict)}</li>
<li><span class="label">Target</span> ${quoted(target)}</li>
<li><span class="label">Operation</span> ${quoted(finding.operations.length > 1 ? listOperations(finding) : toOperationName(operation))}</li>
<li><span class="label">Clause</span> ${clauseLink(report, clause.id)} ${source(clause)}</li>
${check !== clause.id && html`<li><span class="label">Check</span> ${code(check)}</li>`}
<li><span class="label">Seen in</span> ${counted(count, 'exchange')}</li>
<li><a class="anchor" href="#finding-${position}" aria-label="Link to finding ${position}">#${number(position)}</a></li>
</ul>
<dl class="sides">
<div><dt>${verdict === 'difference' ? 'Compared with' : 'Expected'}</dt><dd>${quoted(finding.expected)}</dd></div>
<div class="got"><dt>Got</dt><dd>${quoted(finding.actual)}</dd></div>
</dl>
${relatedList(report, finding)}
${exchange && evidence(finding, exchange)}
</li>`;
}

function relatedList(report: Report, { related }: Finding): Markup | false {
  const list = (title: string, ones: RelatedFinding[]) =>
    ones.length > 0 &&
    html`<div><dt>${title}</dt>${ones.map(
      ({ check, clause, message, count }) =>
        html`<dd>${clauseLink(report, check)} ${source(clause)} ${quoted(message)} <span class="quiet">${counted(count, 'time')}</span></dd>`,
    )}</div>`;
  return (
    related.length > 0 &&
    html`<dl class="related">
${list(
  'The same responses show',
  related.filter(({ isConsequence }) => !isConsequence),
)}
${list(
  'Causes',
  related.filter(({ isConsequence }) => isConsequence),
)}
</dl>`
  );
}

/** Returns the exchange that shows a finding, with its curl line. */
function evidence(finding: Finding, exchange: ReportedExchange): Markup {
  const curls = listCurls(finding);
  const { request, response } = exchange;
  const answer = response
    ? html`<pre tabindex="0" role="group" aria-label="Response"><b>${number(response.status)} ${STATUS_CODES[response.status]}</b>
${headerLines(response.headers)}${
  response.body !== '' &&
  html`
${preformatted(response.body)}`
}</pre>`
    : html`<p class="failure"><span aria-hidden="true">✕</span> Received ${quoted(toFailureText(exchange.failure))}</p>`;
  return html`
<details class="evidence">
<summary>Exchange <span class="quiet">${quoted(exchange.case)}</span></summary>
<div class="exchange">
<div><h5>Request</h5><pre tabindex="0" role="group" aria-label="Request"><b>${request.method} ${request.url}</b>
${headerLines(Object.entries(request.headers))}${
  request.body !== undefined &&
  html`
${preformatted(request.body)}`
}</pre></div>
<div><h5>Response</h5>${answer}</div>
</div>
${curls.length > 0 && curlLines(curls.join('\n'))}
</details>`;
}

function curlLines(curls: string): Markup {
  return html`<div class="again"><h5 data-copies>Send it again</h5><pre tabindex="0" role="group" aria-label="curl line"${!hasUnseen(curls) && html` data-copy="the curl line"`}>${preformatted(curls)}</pre></div>`;
}

function headerLines(headers: readonly (readonly [name: string, value: string])[]): Markup[] {
  return headers.map(
    ([name, value]) => html`<span class="name">${name}:</span> <bdi>${value}</bdi>\n`,
  );
}
