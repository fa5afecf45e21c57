import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { html, Markup } from '../../common/look/markup.ts';

/** A heading and what stands below it, as the search finds it. */
export type Section = { id: string; title: string; page: string; text: string };

/** A file of Markdown as a page: `path` is that in the project, `file` that in the site. */
export type Page = {
  path: string;
  file: string;
  title: string;
  markdown: string;
  body: Markup;
  /** Its headings of the second level. */
  parts: { id: string; title: string }[];
  sections: Section[];
};

type Options = { sources: ReadonlySet<string>; source?: string | undefined };

/** The name of a page: `docs/limits.md` is `limits.html`, `README.md` the first page. */
function fileOf(path: string): string {
  if (path === 'README.md') return 'index.html';
  const name = path.endsWith('/README.md') ? posix.dirname(path) : posix.basename(path, '.md');
  return `${name.toLowerCase()}.html`;
}

/**
 * Makes a page of Markdown of our own, which is trusted. Links to other pages lead there, and those
 * to other files of the project to `source`, or nowhere without it.
 */
export function readPage(path: string, markdown: string, { sources, source }: Options): Page {
  const ids = new Map<string, number>();
  const page: Page = {
    ...{ path, file: fileOf(path), title: '', markdown, body: html``, parts: [], sections: [] },
  };
  const toHref = (href: string): string | undefined => {
    if (/^([a-z]+:|#)/.test(href)) return href;
    const [target = '', anchor] = href.split('#');
    const file = posix.join(posix.dirname(path), target);
    const suffix = anchor === undefined ? '' : `#${anchor}`;
    if (sources.has(file)) return fileOf(file) + suffix;
    return source === undefined ? undefined : `${source}/${file}${suffix}`;
  };
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }) {
        const title = textOf(text);
        const id = toAnchor(title, ids);
        if (depth === 1) page.title = title;
        if (depth === 2) page.parts.push({ id, title });
        page.sections.push({ id: `${page.file}#${id}`, title, page: page.title, text: '' });
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code: ({ text }) =>
        html`<div class="code"><pre tabindex="0" role="group" aria-label="Code" data-copy="the code">${new Markup(escaped(text))}</pre></div>`
          .text,
      table(token) {
        const titles = token.header.map(({ tokens }) => this.parser.parseInline(tokens));
        const hasHead = titles.some((title) => title !== '');
        const labels = hasHead
          ? titles.map((title) => `<span class="cell-label">${title}</span>`)
          : [];
        const ths = titles.map((title) => `<th scope="col" role="columnheader">${title}</th>`);
        const head = hasHead
          ? `<thead role="rowgroup"><tr role="row">${ths.join('')}</tr></thead>`
          : '';
        const toCell = ({ tokens }: Tokens.TableCell, at: number) =>
          `<td role="cell">${labels[at] ?? ''}<span>${this.parser.parseInline(tokens)}</span></td>`;
        const body = token.rows.map((row) => `<tr role="row">${row.map(toCell).join('')}</tr>`);
        const stacks = hasHead ? ' class="stacks"' : '';
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table role="table"${stacks}>${head}<tbody role="rowgroup">${body.join('\n')}</tbody></table></div>`;
      },
      html: ({ text }) => (text.trim().startsWith('<!--') ? '' : text),
      link({ href, tokens }) {
        const to = toHref(href);
        const content = this.parser.parseInline(tokens);
        return to === undefined ? content : html`<a href="${to}">${new Markup(content)}</a>`.text;
      },
      image: ({ href, text }) =>
        html`<img src="${`images/${posix.basename(href)}`}" alt="${text}" loading="lazy">`.text,
    },
    // What is below a heading is found with it.
    walkTokens(token) {
      if (token.type === 'heading') below.push('');
      else if (['code', 'paragraph', 'table', 'list'].includes(token.type))
        below[below.length - 1] += `${token.raw} `;
    },
  });
  const below: string[] = [''];
  page.body = new Markup(marked.parse(markdown, { async: false }));
  for (const [index, section] of page.sections.entries())
    section.text = textOf(below[index + 1] ?? '').slice(0, 4000);
  return page;
}

/** Markdown as plain text, for headings and the search. */
function textOf(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*|]|^[-:| ]+$/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The anchor of a heading, as GitHub makes it. */
function toAnchor(title: string, ids: Map<string, number>): string {
  const id = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
  const count = ids.get(id) ?? 0;
  ids.set(id, count + 1);
  return count === 0 ? id : `${id}-${count}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
