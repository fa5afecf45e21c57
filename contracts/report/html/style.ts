/** The page's style. Colours are named once and change with the reader's scheme. */
export const style = `
:root {
  --paper: #f7f7f5; --card: #ffffff; --ink: #1d2125; --soft: #565d64; --line: #dfe0dc; --code: #f1f1ee; --focus: #1a5fb4;
  --drift: #a3201a; --drift-bg: #fbeae8; --standard: #7d4a00; --standard-bg: #fbf0dc; --disagreement: #66399a; --disagreement-bg: #f2ebf9;
  --difference: #1b5a86; --difference-bg: #e5f0f8; --known: #4c545b; --known-bg: #ebedee; --kept: #1b663d; --kept-bg: #e4f3ea;
  --inconclusive: #6a5400; --inconclusive-bg: #f8f2d4; --vacuous: #565d64; --vacuous-bg: #eeeeeb;
  --mono: ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #15181b; --card: #1d2125; --ink: #e7e9ea; --soft: #a6adb4; --line: #343a40; --code: #15181b; --focus: #8ab8f0;
    --drift: #ff9f97; --drift-bg: #3a1f1e; --standard: #f2bd6b; --standard-bg: #3d2d12; --disagreement: #cfb0f5; --disagreement-bg: #33264a;
    --difference: #92c7ee; --difference-bg: #1a3346; --known: #b9c0c6; --known-bg: #2d3338; --kept: #86d3a6; --kept-bg: #17372a;
    --inconclusive: #e3cf6c; --inconclusive-bg: #38321a; --vacuous: #a6adb4; --vacuous-bg: #2a2f34;
  }
}
.is-drift { --tone: var(--drift); --tint: var(--drift-bg); }
.is-unanswered, .is-standard { --tone: var(--standard); --tint: var(--standard-bg); }
.is-disagreement { --tone: var(--disagreement); --tint: var(--disagreement-bg); }
.is-difference { --tone: var(--difference); --tint: var(--difference-bg); }
.is-known { --tone: var(--known); --tint: var(--known-bg); }
.is-kept, .is-clean { --tone: var(--kept); --tint: var(--kept-bg); }
.is-inconclusive, .is-incomplete { --tone: var(--inconclusive); --tint: var(--inconclusive-bg); }
.is-vacuous { --tone: var(--vacuous); --tint: var(--vacuous-bg); }

*, ::before, ::after { box-sizing: border-box; }
html { color-scheme: light dark; scroll-padding-top: 7.5rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; overflow-wrap: anywhere; }
h1, h2, h3, h4, h5, p, ul, ol, dl, dd { margin: 0; padding: 0; }
ul, ol { list-style: none; }
a { color: inherit; text-underline-offset: .2em; }
[hidden] { display: none !important; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
code, pre { font-family: var(--mono); font-size: .875em; }
.wrap { max-width: 76rem; margin: 0 auto; padding: 0 clamp(1rem, 4vw, 2.5rem); }
.skip { position: absolute; left: -100vw; padding: .5rem 1rem; background: var(--card); }
.skip:focus { left: 1rem; top: 1rem; z-index: 3; }
.quiet, .sub, .note, .label, .meaning, .basis { color: var(--soft); }
.sub { display: block; font-size: .8125rem; font-weight: 400; }
.note { margin: .25rem 0 1.25rem; max-width: 52rem; text-wrap: pretty; }
.none { padding: 1rem 0; color: var(--soft); }
.source { white-space: normal; }
.basis { font-size: .8125rem; }
.unseen { padding: 0 .2em; border-radius: 3px; background: var(--standard-bg); color: var(--standard); font-family: var(--mono); font-size: .85em; unicode-bidi: isolate; }

.masthead { background: var(--tint); border-bottom: 1px solid var(--line); border-top: .375rem solid var(--tone); padding: 2.5rem 0 2rem; }
.over { font-size: .875rem; letter-spacing: .01em; }
h1 { display: flex; align-items: center; gap: .75rem; margin: .75rem 0 .5rem; font-size: clamp(2rem, 5vw, 2.75rem); line-height: 1.1; letter-spacing: -.02em; color: var(--tone); }
.symbol { display: inline-grid; place-items: center; width: 1.5em; height: 1.5em; border-radius: 50%; background: var(--tone); color: var(--card); font-size: .6em; line-height: 1; }
.reason { font-size: 1.1875rem; max-width: 46rem; }
.broken, .badges, .meta, .ids { display: flex; flex-wrap: wrap; gap: .375rem .5rem; }
.broken { margin-top: 1rem; }
.broken a { display: block; padding: .125rem .625rem; border: 1px solid var(--tone); border-radius: 1rem; color: var(--tone); text-decoration: none; }
.broken a:hover { background: var(--card); }
.incomplete { margin-top: 1rem; padding-left: 1.25rem; list-style: disc; max-width: 46rem; }
.facts { display: flex; flex-wrap: wrap; gap: .75rem 2rem; }
.masthead .facts { margin-top: 1.75rem; }
.facts dt { font-size: .8125rem; color: var(--soft); }
.masthead .facts dt, .masthead .over { color: var(--ink); opacity: .8; }

nav { background: var(--card); border-bottom: 1px solid var(--line); }
nav ul { display: flex; flex-wrap: wrap; gap: 0 1.5rem; }
nav a { display: block; padding: .75rem 0; text-decoration: none; font-size: .9375rem; }
nav a:hover { text-decoration: underline; }
.count { color: var(--soft); font-size: .8125rem; font-variant-numeric: tabular-nums; }

section { padding-top: 3rem; }
h2 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; }
h3 { font-size: 1.0625rem; } h4 { font-size: 1.0625rem; line-height: 1.4; font-weight: 600; } h5 { font-size: .8125rem; font-weight: 600; color: var(--soft); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .625rem; padding: 1.25rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 1rem; }
.stack { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; }
.sub code, .meta code { font-size: .9375em; }
.target .url { color: var(--soft); }
.target .kept { margin-top: 1rem; } .kept strong { font-size: 1.5rem; letter-spacing: -.01em; }
.bar { display: block; width: 100%; height: .5rem; margin: .5rem 0 .75rem; border-radius: .25rem; background: var(--code); }
.bar rect { fill: var(--tone); }
.target .facts { margin-top: 1rem; padding-top: 1rem; border-top: 1px solid var(--line); }

.badge { display: inline-block; padding: .0625rem .5rem; border-radius: 1rem; background: var(--tint); color: var(--tone); font-size: .8125rem; font-weight: 600; white-space: nowrap; }
.badges a { text-decoration: none; border-radius: 1rem; } .badges a:hover .badge { text-decoration: underline; }

table { width: 100%; table-layout: fixed; border-collapse: separate; border-spacing: 0; background: var(--card); border: 1px solid var(--line); border-radius: .625rem; }
th, td { padding: .75rem 1.25rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
thead th { border-top: 0; font-size: .8125rem; font-weight: 600; color: var(--soft); }
tbody th { font-weight: 500; }
thead th:first-child { width: 42%; } .matrix thead th:first-child { width: 26%; }
.ledger tbody th, .silences tbody th { font-weight: 400; }
.ledger [class^="is-"] th { box-shadow: inset .25rem 0 0 var(--tone); }
td .badges { display: inline-flex; }
.cell-label { display: none; }
.differs .badge { margin-top: .25rem; }
.silences .sub { margin-top: .125rem; }
.silences + .card { margin-top: 1rem; }

.filter { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; align-items: end; gap: .625rem .75rem; margin-top: 3rem; padding: .875rem 0; background: var(--paper); border-bottom: 1px solid var(--line); }
.filter + section { padding-top: 1.75rem; }
.field { display: grid; gap: .125rem; } .field.search { flex: 1 1 16rem; }
.field label { font-size: .8125rem; color: var(--soft); }
input, select, button { font: inherit; font-size: .9375rem; min-height: 2.5rem; padding: .25rem .75rem; color: var(--ink); background: var(--card); border: 1px solid var(--soft); border-radius: .5rem; max-width: 100%; }
select { max-width: 14rem; } input { width: 100%; }
input::placeholder { color: var(--soft); opacity: 1; }
button { cursor: pointer; } button:hover { background: var(--code); }
output { flex-basis: 100%; font-size: .875rem; color: var(--soft); } output:empty { margin-top: -.625rem; }

summary { cursor: pointer; border-radius: 4px; }
summary h3 { display: inline; }
.group > summary { padding: .5rem 0; } .group > .stack { margin-top: .5rem; }
.group > summary .badge { font-size: .9375rem; padding: .125rem .75rem; }
.meaning { margin-left: .25rem; }
.finding { border-left: .25rem solid var(--tone); }
.finding:target { box-shadow: 0 0 0 3px var(--focus); }
.meta { gap: .25rem 1.25rem; margin-top: .5rem; font-size: .875rem; }
.meta .anchor { color: var(--soft); text-decoration: none; } .meta .anchor:hover { text-decoration: underline; }
.sides, .exchange { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: .75rem; margin-top: 1rem; }
.sides > div { padding: .625rem .875rem; border-radius: .375rem; background: var(--code); min-width: 0; }
.related { margin-top: .75rem; display: grid; gap: .5rem; } .related dt { font-size: .8125rem; font-weight: 600; color: var(--soft); } .related dd { font-size: .875rem; margin-top: .25rem; overflow-wrap: anywhere; }
.sides .got { background: var(--tint); }
.sides dt { font-size: .8125rem; font-weight: 600; color: var(--soft); } .sides .got dt { color: var(--tone); }
.sides dd { font-family: var(--mono); font-size: .875rem; max-height: 16rem; overflow: auto; }
.evidence { margin-top: 1rem; } .evidence > summary { font-size: .9375rem; font-weight: 600; } .evidence > summary .quiet { font-weight: 400; margin-left: .375rem; }
.exchange > div { min-width: 0; }
pre { margin: .25rem 0 0; padding: .75rem .875rem; max-height: 26rem; overflow: auto; white-space: pre-wrap; background: var(--code); border: 1px solid var(--line); border-radius: .375rem; direction: ltr; unicode-bidi: isolate; tab-size: 4; }
pre .name { color: var(--soft); }
.failure { margin-top: .25rem; padding: .75rem .875rem; border-radius: .375rem; background: var(--drift-bg); color: var(--drift); }
.again { margin-top: .75rem; } .again h5 { display: flex; align-items: center; justify-content: space-between; gap: 1rem; }
.copy { min-height: 1.75rem; padding: 0 .75rem; font-size: .8125rem; font-weight: 400; }
.problems { margin: .5rem 0 0 1.25rem; list-style: disc; overflow-wrap: anywhere; } .problems + .quiet { margin-top: .5rem; }
.ids { margin-top: .75rem; gap: .25rem .75rem; } .ids li { font-variant-numeric: tabular-nums; }
.questions { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: .75rem 2rem; margin-top: 1rem; }

footer { margin-top: 4rem; padding: 2.5rem 0 3rem; border-top: 1px solid var(--line); font-size: .875rem; background: var(--card); }
footer h2 { font-size: 1rem; margin-bottom: 1rem; }
.words { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: .5rem 2rem; margin-bottom: 1.5rem; }
.words div { display: grid; grid-template-columns: 8.5rem 1fr; gap: .75rem; }

@media (max-width: 44rem) {
  .filter { position: static; } .field { flex: 1 1 8rem; } select { width: 100%; max-width: 100%; }
  html { scroll-padding-top: 1rem; }
  .stacks, .stacks tbody, .stacks tr, .stacks th, .stacks td { display: block; width: auto; }
  .stacks thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .stacks th, .stacks td { padding: .25rem 1rem; border: 0; }
  .stacks tr { padding: .75rem 0; border-top: 1px solid var(--line); } .stacks tbody tr:first-child { border-top: 0; }
  .ledger [class^="is-"] { box-shadow: inset .25rem 0 0 var(--tone); } .ledger [class^="is-"] th { box-shadow: none; }
  .stacks td { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr); column-gap: .75rem; justify-items: start; }
  .cell-label { display: block; grid-row: span 3; font-size: .8125rem; color: var(--soft); padding-top: .125rem; }
  .stacks td .sub { grid-column: 2; }
  .card { padding: 1rem; } .masthead { padding: 1.75rem 0 1.5rem; } .meaning { display: block; margin: .25rem 0 0; }
}
@media print {
  :root { --paper: #ffffff; --code: #f6f6f4; }
  @page { margin: 16mm 14mm; }
  body { font-size: 10pt; -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  .filter, .skip, nav, .copy, .anchor { display: none !important; }
  .wrap { max-width: none; padding: 0; } .masthead .wrap, footer .wrap { padding: 0 6mm; } .masthead { padding: 8mm 0 6mm; }
  section { padding-top: 8mm; } h2, h3, h4, h5, summary, .note { break-after: avoid; }
  tr, .target, .sides, .again, .words div { break-inside: avoid; }
  pre, .sides dd { max-height: none; overflow: visible; }
  details[data-print]::details-content { content-visibility: visible; block-size: auto; }
  .group > summary, .evidence > summary, .card > summary { list-style: none; }
  footer { margin-top: 8mm; padding: 6mm 0; }
}
`;
