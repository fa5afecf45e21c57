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
<main class="wrap">
<p class="over">${quoted(document.title)} ${quoted(document.version)}</p>
<h1>${title}</h1>
<p>${number(alike)} of ${count(answers, 'answer')} of the mock are as recorded.${before !== undefined && html` With the document alone: ${before} %.`}</p>
<h2>Operations</h2>
<table><thead><tr><th scope="col">Alike</th><th scope="col">Operation</th></tr></thead>
<tbody>${operations.map(toOperationRow)}</tbody></table>
<h2>Differences</h2>
<table><thead><tr><th scope="col">Answers</th><th scope="col">Operation</th><th scope="col">Difference</th><th scope="col">Recorded</th><th scope="col">Mock</th></tr></thead>
<tbody>${differences.map(toDifferenceRow)}</tbody></table>
</main>
</body>
</html>
`.text;
}

function toOperationRow({ operation, answers, alike }: OperationRow): Markup {
  return html`<tr><td>${number(alike)} of ${number(answers)}</td><td>${code(operation)}</td></tr>`;
}

function toDifferenceRow({ kind, operation, at, answers, first }: DifferenceRow): Markup {
  return html`<tr><td>${number(answers)}</td><td>${code(operation)}</td><td>${kind} ${at !== '' && code(at)}<br>${adviceOf(kind)}</td><td>${quoted(first.recorded)}</td><td>${quoted(first.twin)}</td></tr>`;
}
