import { html, type Markup } from '../../../common/look/markup.ts';
import { toVisible } from '../../../common/look/visible.ts';
import type { TextAnswer } from '../../answers/answer.ts';

export type PageOptions = {
  title: string;
  /** The way from the page's URL to `/`, e.g. `../`, so that a path before it does not matter. */
  root: string;
  /** Further style sheets, and modules, by their paths below `/__pages/`. */
  styles?: readonly string[];
  modules?: readonly string[];
  body: Markup;
};

/**
 * Headers that restrict pages to loading and calling the twin. Nothing inline runs, nothing of
 * another origin loads, and no page of another origin may frame them.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'Cache-Control': 'no-cache',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** A page of the twin. */
export function toPage({ title, root, styles = [], modules = [], body }: PageOptions): TextAnswer {
  const pages = `${root}__pages/`;
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${toVisible(title)}</title>
<link rel="icon" href="${pages}common/look/icon.svg">
<link rel="stylesheet" href="${pages}common/look/look.css">
${styles.map((path) => html`<link rel="stylesheet" href="${pages}${path}">`)}
${modules.map((path) => html`<script type="module" src="${pages}${path}"></script>`)}
</head>
<body>
${body}
</body>
</html>
`;
  return { status: 200, text, mediaType: 'text/html; charset=utf-8', headers: pageHeaders };
}
