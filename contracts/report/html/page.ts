import { createHash } from 'node:crypto';
import { number } from '../../../common/look/amounts.ts';
import { moduleExtension, readScript } from '../../../common/look/browser-code.ts';
import { html, Markup } from '../../../common/look/markup.ts';
import { code, quoted } from '../../../common/look/parts.ts';
import { readLook } from '../../../common/look/read-look.ts';
import { readOwn } from '../../../common/look/read-own.ts';
import type { Report } from '../events.ts';
import { gapsOf } from '../gaps.ts';
import { toHeadline } from '../headline.ts';
import { isGating, listLeftOut, observedSilences, type ReportOptions } from '../summary.ts';
import { findingsSection } from './findings.ts';
import { counted, seconds } from './parts.ts';
import {
  clausesSection,
  gapsSection,
  operationsSection,
  silencesSection,
  targetsSection,
} from './sections.ts';

/** The heading instead of `clean` for traffic, which may not show everything. */
const seen = { title: 'No drift seen', symbol: '○', tone: 'known' };

const titles: Record<Report['verdict'], { title: string; symbol: string }> = {
  drift: { title: 'Drift', symbol: '✕' },
  unanswered: { title: 'Unanswered', symbol: '…' },
  clean: { title: 'Clean', symbol: '✓' },
  incomplete: { title: 'Incomplete', symbol: '?' },
};

/**
 * The report as one HTML page that needs nothing else and asks for nothing. Its policy lets run the
 * script and the style of this page alone, by their hashes, so that nothing from a target can act.
 */
export function toHtmlReport(report: Report, options: ReportOptions = { strict: false }): string {
  const { title } = headingOf(report);
  const style = readStyle();
  const script = readReportScript();
  const policy = [
    "default-src 'none'",
    `style-src '${toHash(style)}'`,
    `script-src '${toHash(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy.join('; '))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}: ${report.document.title} ${report.document.version}, ${report.startedAt.slice(0, 10)}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<a class="skip" href="#findings">Skip to the findings</a>
${masthead(report, options)}
${navigation(report)}
<main class="wrap">
${findingsSection(report, options)}
${targetsSection(report)}
${operationsSection(report)}
${clausesSection(report)}
${silencesSection(report)}
${gapsSection(report)}
</main>
${footer(report)}
<script>${new Markup(script)}</script>
</body>
</html>
`.text;
}

function toHash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** The title of a report, its symbol, and the class of its colours. */
function headingOf({ verdict, traffic }: Report): typeof seen {
  return verdict === 'clean' && traffic ? seen : { ...titles[verdict], tone: verdict };
}

function masthead(report: Report, options: ReportOptions): Markup {
  const { document, incomplete, plan, traffic } = report;
  const { title, symbol, tone } = headingOf(report);
  const gating = report.findings.filter((finding) => isGating(finding, options));
  const broken = [
    ...new Set(
      gating.filter(({ verdict: one }) => one !== 'unanswered').map(({ clause }) => clause.id),
    ),
  ];
  const first = (id: string) =>
    report.findings.findIndex((finding) => finding.clause.id === id && isGating(finding, options)) +
    1;
  const leftOut = listLeftOut(report);
  const chips = html`<ul class="broken" aria-label="Broken clauses">${broken.map((id) => html`<li><a href="#finding-${first(id)}">${code(id)}</a></li>`)}</ul>`;
  return html`
<header class="masthead is-${tone}">
<div class="wrap">
<p class="over">${quoted(document.title)} ${quoted(document.version)} <span aria-hidden="true">·</span> contract report</p>
<h1><span class="symbol" aria-hidden="true">${symbol}</span>${title}</h1>
<p class="reason">${toHeadline(report, options)}</p>
${broken.length > 0 && chips}
${incomplete.length > 0 && html`<ul class="incomplete">${incomplete.map((why) => html`<li>${quoted(why)}</li>`)}</ul>`}
<dl class="facts">
<div><dt>Started</dt><dd><time datetime="${report.startedAt}">${moment(report.startedAt)}</time></dd></div>
<div><dt>Took</dt><dd>${seconds(report.seconds)}</dd></div>
${
  plan &&
  html`<div><dt>Plan</dt><dd>${code(plan.hash)}</dd></div>
<div><dt>Seed</dt><dd>${code(String(plan.seed))}</dd></div>
<div><dt>Cases</dt><dd>${number(plan.cases)}</dd></div>`
}
${traffic?.until !== undefined && html`<div><dt>Until</dt><dd><time datetime="${traffic.until}">${moment(traffic.until)}</time></dd></div>`}
${leftOut !== undefined && html`<div><dt>Calls left out</dt><dd>${quoted(leftOut)}</dd></div>`}
</dl>
</div>
</header>`;
}

function navigation(report: Report): Markup {
  const { targets, operations, findings, clauses } = report;
  const sections: [id: string, title: string, items: readonly unknown[]][] = [
    ['findings', 'Findings', findings],
    ['targets', 'Targets', targets],
    ['operations', 'Operations', operations],
    ['clauses', 'Clauses', clauses],
    ['silences', 'Silence map', observedSilences(report)],
    ['gaps', 'Gaps', gapsOf(report)],
  ];
  const links = sections.map(
    ([id, title, items]) =>
      html`<li><a href="#${id}">${title} <span class="count">${number(items.length)}</span></a></li>`,
  );
  return html`<nav aria-label="Sections"><ul class="wrap">${links}</ul></nav>`;
}

function footer({ plan, clauses }: Report): Markup {
  const replay =
    plan &&
    html`The same seed makes the same plan: ${code(`--seed ${plan.seed}`)} replays plan ${code(plan.hash)}, with ${counted(plan.cases, 'case')} for ${counted(clauses.length, 'clause')}.`;
  return html`
<footer>
<div class="wrap">
<p>${replay}
Invisible characters are shown as <span class="unseen">\\u202e</span>. Keys are shown as ${code('$KEY')}.</p>
</div>
</footer>`;
}

function moment(startedAt: string): string {
  const date = new Date(startedAt);
  if (Number.isNaN(date.getTime())) return startedAt;
  return `${date.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })} UTC`;
}

/** The style of the page: the look of all pages, and what the report has of its own. */
function readStyle(): string {
  return `${readLook()}\n${readOwn(new URL('report.css', import.meta.url))}`;
}

/**
 * The page's script: the copying of curl lines, and what opens for a link. It never makes markup.
 */
function readReportScript(): string {
  const copy = new URL(`../../../common/look/browser/copy${moduleExtension}`, import.meta.url);
  return readScript([copy], script);
}

const script = String.raw`
function reveal() {
  const aim = /^#[\w-]+$/.test(location.hash) && document.querySelector(location.hash);
  if (!aim) return;
  aim.closest('details')?.setAttribute('open', '');
  aim.scrollIntoView();
}
addEventListener('hashchange', reveal);
reveal();

addCopyButtons(document);
`;
