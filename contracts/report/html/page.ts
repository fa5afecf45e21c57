import { createHash } from 'node:crypto';
import { html, Markup } from '../../look/markup.ts';
import { code, number, quoted, section } from '../../look/parts.ts';
import { readLook } from '../../look/read-look.ts';
import { readOwn } from '../../look/read-own.ts';
import type { Report, SectionStatements } from '../events.ts';
import { toHeadline } from '../headline.ts';
import {
  domainsOf,
  groupFindings,
  isGating,
  isTraffic,
  listLeftOut,
  observedSilences,
  type ReportOptions,
} from '../summary.ts';
import { findingsSection } from './findings.ts';
import { clausesSection, silencesSection } from './ledger.ts';
import { notCalledSection, operationsSection, residueSection, targetsSection } from './overview.ts';
import {
  badge,
  clauseLink,
  counted,
  docsLink,
  operationLabel,
  operationNames,
  seconds,
  sectionAnchor,
  targetNames,
} from './parts.ts';
import { readReportScript } from './script.ts';

/** What stands for `clean` where others made the calls: nothing says that it is all there is. */
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
<title>${title}: ${report.document.title} ${report.document.version}, ${day(report)}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<a class="skip" href="#findings">Skip to the findings</a>
${masthead(report, options)}
${navigation(report)}
<main class="wrap">
${targetsSection(report)}
${domainsOf(report) === undefined && operationsSection(report)}
${filter(report)}
${findingsSection(report, options)}
${clausesSection(report)}
${silencesSection(report)}
${interfaceSection(report)}
${
  report.plan &&
  html`${notCalledSection(report)}
${residueSection(report)}`
}
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
function headingOf(report: Report): typeof seen {
  const { verdict } = report;
  return verdict === 'clean' && isTraffic(report) ? seen : { ...titles[verdict], tone: verdict };
}

function masthead(report: Report, options: ReportOptions): Markup {
  const { document, incomplete, plan, traffic } = report;
  const domains = domainsOf(report);
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
${
  domains &&
  html`<div><dt>Name servers</dt><dd>${code(domains.nameServers.join(', '))}</dd></div>
<div><dt>Platform</dt><dd>${domains.platform === undefined ? 'not given' : code(domains.platform)}</dd></div>`
}
${leftOut !== undefined && html`<div><dt>Calls left out</dt><dd>${quoted(leftOut)}</dd></div>`}
</dl>
</div>
</header>`;
}

function navigation(report: Report): Markup {
  const { targets, operations, findings, clauses, notCalled, residue, plan } = report;
  const sections: [id: string, title: string, items: readonly unknown[]][] = [
    ['targets', 'Targets', targets],
    ...(domainsOf(report) === undefined
      ? [['operations', 'Operations', operations] satisfies [string, string, unknown[]]]
      : []),
    ['findings', 'Findings', findings],
    ['clauses', 'Clauses', clauses],
    ['silences', 'Silence map', observedSilences(report)],
    ...(report.sections.length > 0
      ? [['interface', 'Interface', report.sections] satisfies (typeof sections)[number]]
      : []),
    ...(plan === undefined
      ? []
      : ([
          ['not-called', 'Not called', notCalled],
          ['residue', 'Not cleaned up', residue],
        ] satisfies typeof sections)),
  ];
  const links = sections.map(
    ([id, title, items]) =>
      html`<li><a href="#${id}">${title} <span class="count">${number(items.length)}</span></a></li>`,
  );
  return html`<nav aria-label="Sections"><ul class="wrap">${links}</ul></nav>`;
}

/** Hidden until the script shows it: without a script there is no filter, and the page is whole. */
function filter(report: Report): Markup {
  const verdicts = [
    ...groupFindings(report).map(({ verdict }) => verdict),
    ...report.clauses.flatMap(({ results }) =>
      Object.values(results).map(({ verdict }) => verdict),
    ),
  ];
  const option = (value: string | number, label: string) =>
    html`<option value="${value}">${label}</option>`;
  return html`
<form class="filter" id="filter" role="search" aria-label="Filter of the report" hidden>
<p class="field search"><label for="words">Search</label><input id="words" type="search" autocomplete="off" spellcheck="false" placeholder="in findings, clauses and silences"></p>
<p class="field"><label for="verdict">Verdict</label><select id="verdict">${option('', 'all')}${[...new Set(verdicts)].map((one) => option(one, one))}</select></p>
<p class="field"><label for="target">Target</label><select id="target">${option('', 'all')}${targetNames(report).map((name, index) => option(index, name))}</select></p>
<p class="field"${domainsOf(report) && html` hidden`}><label for="operation">Operation</label><select id="operation">${option('', 'all')}${operationNames(report).map((name, index) => option(index, operationLabel(name)))}</select></p>
<p class="field"><button type="reset">Clear</button></p>
<output id="shown" for="words verdict target operation"></output>
</form>`;
}

function footer(report: Report): Markup {
  const { plan, traffic, clauses } = report;
  const domains = domainsOf(report);
  const replay =
    plan &&
    html`The same seed makes the same plan: ${code(`--seed ${plan.seed}`)} replays plan ${code(plan.hash)}, with ${counted(plan.cases, 'case')} for ${counted(clauses.length, 'clause')}.`;
  const ofTraffic =
    traffic &&
    html`
<div><dt>${badge('unobserved')}</dt><dd>No call of this traffic asked for it. This never counts as kept.</dd></div>
<div><dt>${badge('client')}</dt><dd>A client does what the interface asks it not to do. This never fails a run.</dd></div>`;
  const ofDomains =
    domains &&
    html`
<div><dt>${badge('unobserved')}</dt><dd>It cannot be seen from outside, or was not asked for. This never counts as kept.</dd></div>`;
  return html`
<footer>
<div class="wrap">
<h2>How to read this</h2>
<dl class="words">
<div><dt>${badge('kept')}</dt><dd>Every answer that the clause applies to kept it.</dd></div>
<div><dt>${badge('drift')}</dt><dd>A clause that the interface states is broken. This fails a run.</dd></div>
<div><dt>${badge('unanswered')}</dt><dd>Calls got no complete answer in time, or one too large to read. That breaks no clause, but fails a run.</dd></div>
<div><dt>${badge('standard')}</dt><dd>A MUST of an RFC is broken where the interface is silent. This fails a run with --strict.</dd></div>
<div><dt>${badge('undocumented')}</dt><dd>The document does not describe what an operation answers, such as a status. This fails a run with --strict.</dd></div>
<div><dt>${badge('disagreement')}</dt><dd>The suite and the validators of prism-http judge a response differently.</dd></div>
<div><dt>${badge('moved')}</dt><dd>Where nothing is stated, the target does not do what it is pinned to. This fails a run with --strict.</dd></div>
<div><dt>${badge('difference')}</dt><dd>The targets differ where nothing is stated.</dd></div>
<div><dt>${badge('known')}</dt><dd>The baseline lists it, with a reason, an owner and an expiry date.</dd></div>
<div><dt>${badge('inconclusive')}</dt><dd>It could not be decided. This never counts as kept.</dd></div>
<div><dt>${badge('vacuous')}</dt><dd>There was nothing to judge. This never counts as kept.</dd></div>${ofTraffic}${ofDomains}
</dl>
<p>${replay}
Invisible characters are shown as <span class="unseen">\\u202e</span>. Keys are shown as ${code('$KEY')}.</p>
</div>
</footer>`;
}

function day({ startedAt }: Report): string {
  return startedAt.slice(0, 10);
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
 * What the interface states, by section, so that whoever gets this page alone can read what a
 * finding cites; nothing where the document does not say so.
 */
function interfaceSection(report: Report): Markup | undefined {
  if (report.sections.length === 0) return undefined;
  const cards = report.sections.map((one) => card(report, one));
  return section(
    'interface',
    'Interface',
    'What each section states, and the clauses that check it.',
    html`<div class="cards sections">${cards}</div><p class="none" data-none="sections" hidden>No section matches the filter.</p>`,
  );
}

function card(report: Report, { id, title, statements, url }: SectionStatements): Markup {
  return html`
<article class="card" id="${sectionAnchor(id)}" data-item="sections">
<h3><span class="number">${/^\d/.test(id) ? `§${id}` : id}</span> ${quoted(title)}</h3>
<ul class="statements">${statements.map(
    ({ text, clauses }) =>
      html`<li>${quoted(text)}${clauses.length > 0 && html` <span class="sub">${clauses.map((clause) => html`${clauseLink(report, clause)} `)}</span>`}</li>`,
  )}</ul>
${docsLink(`§${id}`, url)}
</article>`;
}
