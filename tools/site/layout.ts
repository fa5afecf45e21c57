import { html, Markup } from '../../common/look/markup.ts';
import type { Page } from './page.ts';

/** Pages that belong together, with a title, in the order of the navigation. */
export type Group = { title: string; pages: readonly Page[] };

const policy = [
  "default-src 'self' file:",
  "base-uri 'none'",
  "form-action 'none'",
  "object-src 'none'",
].join('; ');

/** A page of the site around its content. */
export function toPageText(page: Page, groups: readonly Group[]): string {
  const isFirst = page.file === 'index.html';
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${isFirst ? page.title : `${page.title}: petstore-twin`}</title>
<link rel="icon" href="assets/icon.svg">
<link rel="stylesheet" href="assets/look.css">
<link rel="stylesheet" href="assets/site.css">
<script defer src="assets/site.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar-top"><div class="wrap row">
<a class="home" href="index.html">petstore-twin</a>
<form role="search" id="search" hidden><input type="search" id="words" aria-label="Search the documentation" aria-controls="found" placeholder="Search" autocomplete="off" spellcheck="false"></form>
<a class="home reference" href="api/index.html">API</a>
</div>
<div class="wrap" id="found" role="region" aria-label="Search results" aria-live="polite" hidden></div>
</header>
<div class="wrap columns">
${navigation(page, groups)}
<main id="content" tabindex="-1">
${page.body}
</main>
</div>
</body>
</html>
`.text;
}

/** Open on wide pages by the style sheet, and behind one line on narrow ones. */
function navigation(current: Page, groups: readonly Group[]): Markup {
  const item = (page: Page) =>
    html`<li><a href="${page.file}"${page === current && html` aria-current="page"`}>${page.title}</a>${page === current && page.parts.length > 1 && html`<ul class="parts">${page.parts.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>`}</li>`;
  return html`
<nav aria-label="Documentation"><details><summary>All pages</summary>
${groups.map(({ title, pages }) => html`<p class="group">${title}</p><ul>${pages.map(item)}</ul>`)}
</details></nav>`;
}
