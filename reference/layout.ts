import { number } from '../common/look/amounts.ts';
import { html, Markup } from '../common/look/markup.ts';
import { quoted } from '../common/look/parts.ts';
import { toVisible } from '../common/look/visible.ts';
import type { Operation } from '../openapi/index.ts';
import { methodBadge } from './parts.ts';
import { operationHref, type PageContent, titleOf, type View } from './site.ts';

/** From this number of operations on, a page lists those of its own group alone. */
const maxListed = 80;

/**
 * The policy of a page of a static site: load only the files beside it, from disk too. The pages of
 * a twin have headers that state more.
 */
const policy = [
  "default-src 'self' file:",
  "base-uri 'none'",
  "form-action 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** A page of the reference around its content. */
export function toPageText(view: View, { title, body, operation }: PageContent): string {
  const { site, root } = view;
  const { document, twin } = site;
  const name = `${document.title} ${document.version}`.trim();
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${!twin && html`<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">`}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${toVisible(title === '' ? name : `${title}: ${name}`)}</title>
<link rel="icon" href="${root}assets/icon.svg">
<link rel="stylesheet" href="${root}assets/look.css">
<link rel="stylesheet" href="${root}assets/reference.css">
${twin?.styles.map((path) => html`<link rel="stylesheet" href="${root}${path}">`)}
<script defer src="${root}assets/reference.js"></script>
${twin?.modules.map((path) => html`<script type="module" src="${root}${path}"></script>`)}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
${bar(view, name, body)}
<div class="wrap columns">
${navigation(view, operation)}
<main id="content" tabindex="-1">
${body}
</main>
</div>
</body>
</html>
`.text;
}

function bar({ site, root }: View, name: string, body: Markup): Markup {
  const assumed = body.text.split(' data-assumed>').length - 1;
  const toggle = html`<label class="switch"><input type="checkbox" id="highlight-assumed"> Highlight assumptions <span class="count">${number(assumed)}</span></label>`;
  return html`
<header class="bar-top"><div class="wrap row">
<a class="home" href="${root}index.html">${quoted(name)}</a>
<form role="search" id="search" data-root="${root}" hidden><input type="search" id="words" aria-label="Search operations" placeholder="Search operations" autocomplete="off" spellcheck="false"></form>
${site.hasProvenance && toggle}
</div></header>`;
}

function navigation(view: View, current: Operation | undefined): Markup {
  const { site, root } = view;
  const listsAll = site.document.operations.length <= maxListed;
  const groups = site.groups.map(({ id, title, operations }) => {
    const isListed = listsAll || (current !== undefined && operations.includes(current));
    return html`<li><a class="group" href="${root}index.html#${id}">${title === '' ? 'Operations' : quoted(title)} <span class="count">${number(operations.length)}</span></a>${isListed && html`<ul>${operations.map((one) => navigationItem(view, one, current))}</ul>`}</li>`;
  });
  const { sections, clauses, silences } = site.document;
  const parts: [title: string, href: string, isThere: boolean][] = [
    ['Overview', 'index.html', true],
    ['Sections', 'index.html#sections', sections.length > 0],
    ['Clauses', 'index.html#clauses', clauses.length > 0],
    ['Webhooks', 'index.html#webhooks', site.document.asOpenApi().webhooks !== undefined],
    ['Silences', 'silences.html', silences.length > 0],
  ];
  const links = [
    ...parts.flatMap(([title, href, isThere]) => (isThere ? [{ title, href }] : [])),
    ...(site.twin?.links ?? []),
  ];
  return html`
<nav aria-label="Reference"><ul>
${links.map(({ title, href }) => html`<li class="site"><a class="group" href="${root}${href}">${title}</a></li>`)}
${groups}
</ul></nav>`;
}

function navigationItem(view: View, operation: Operation, current: Operation | undefined): Markup {
  return html`<li><a href="${operationHref(view, operation)}"${operation === current && html` aria-current="page"`}${operation.deprecated && html` class="gone"`}>${methodBadge(operation.method)} ${quoted(titleOf(view, operation))}</a></li>`;
}
