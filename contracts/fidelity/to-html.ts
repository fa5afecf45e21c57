import { createHash } from 'node:crypto';
import { count } from '../../common/cli/count.ts';
import { html, Markup } from '../../common/look/markup.ts';
import { code, number, quoted } from '../../common/look/parts.ts';
import { readLook } from '../../common/look/read-look.ts';
import { adviceOf } from './advice.ts';
import type { DifferenceRow, Fidelity, OperationRow } from './to-report.ts';

/** The report as one HTML page that needs nothing else, and runs nothing. */
export function toHtml(report: Fidelity): string {
  const { document, percent, answers, alike, before, operations, differences } = report;
  const style = readLook();
  const hash = `sha256-${createHash('sha256').update(style).digest('base64')}`;
  const title = `Fidelity ${percent} %`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(`default-src 'none'; style-src '${hash}'; base-uri 'none'; form-action 'none'`)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}: ${document.title} ${document.version}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<header class="masthead"><div class="wrap">
<p class="over">${quoted(document.title)} ${quoted(document.version)}</p>
<h1>${title}</h1>
<p>${number(alike)} of ${count(answers, 'answer')} of the mock are as recorded.${before !== undefined && html` With the document alone: ${before} %.`}</p>
</div></header>
<main class="wrap">
<section><h2>Operations</h2>
<table role="table" class="stacks"><thead role="rowgroup"><tr role="row">${headers(['Alike', 'Operation'])}</tr></thead>
<tbody role="rowgroup">${operations.map(toOperationRow)}</tbody></table></section>
<section><h2>Differences</h2>
<table role="table" class="stacks"><thead role="rowgroup"><tr role="row">${headers(['Operation', 'Difference', 'Recorded', 'Mock'])}</tr></thead>
<tbody role="rowgroup">${differences.map(toDifferenceRow)}</tbody></table></section>
</main>
</body>
</html>
`.text;
}

function headers(names: readonly string[]): Markup[] {
  return names.map((name) => html`<th role="columnheader" scope="col">${name}</th>`);
}

/** A cell of a table, with the name of its column where the table is narrow. */
function cell(name: string, content: Markup): Markup {
  return html`<td role="cell"><span class="cell-label">${name}</span>${content}</td>`;
}

function toOperationRow({ operation, answers, alike }: OperationRow): Markup {
  const share = html`${number(alike)} of ${number(answers)}`;
  return html`<tr role="row">${cell('Alike', share)}${cell('Operation', code(operation))}</tr>`;
}

function toDifferenceRow({ kind, operation, at, answers, first }: DifferenceRow): Markup {
  const where = html`${code(operation)}, ${count(answers, 'answer')}`;
  const what = html`${kind} ${at !== '' && code(at)}<br>${adviceOf(kind).replaceAll('`', '')}`;
  return html`<tr role="row">${cell('Operation', where)}${cell('Difference', what)}${cell('Recorded', quoted(first.recorded))}${cell('Mock', quoted(first.twin))}</tr>`;
}
