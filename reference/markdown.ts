import { Marked, type RendererObject } from 'marked';
import { html, Markup, preformatted } from '../common/look/markup.ts';
import { toVisible } from '../common/look/visible.ts';

/** The parser takes time that grows faster than a text does, so a longer one is shown as it stands. */
const maxLength = 100_000;

/** So does a paragraph with more marks of emphasis. */
const maxMarks = 500;

/** How the headings of a text are shown; without a level they are paragraphs. */
export type MarkdownOptions = { heading?: 2 | 3 | 4 };

/**
 * Renders a Markdown description (CommonMark); empty without one. The document is untrusted: HTML
 * is shown as text, images as links, and links lead only to pages and mail addresses.
 */
export function markdown(text: unknown, { heading }: MarkdownOptions = {}): Markup | false {
  if (typeof text !== 'string' || text.trim() === '') return false;
  return html`<div class="prose">${rendered(text, heading) ?? asText(text)}</div>`;
}

/** Undefined where the parser would take too long, or cannot read it: no text may break a page. */
function rendered(text: string, heading: MarkdownOptions['heading']): Markup | undefined {
  const marksOf = (paragraph: string) => paragraph.replace(/[^*_~]/g, '').length;
  if (text.length > maxLength) return undefined;
  if (text.split(/\n\s*\n/).some((paragraph) => marksOf(paragraph) > maxMarks)) return undefined;
  const visible = text.replaceAll('\r\n', '\n').replace(/[^\n\t -~]+/g, toVisible);
  try {
    const marked = new Marked({ gfm: true, renderer: toRenderer(heading) });
    return new Markup(marked.parse(visible, { async: false }));
  } catch {
    return undefined;
  }
}

function asText(text: string): Markup {
  return html`<pre tabindex="0" role="group" aria-label="Description">${preformatted(text)}</pre>`;
}

/** Creates a renderer for parts of Markdown that a page shows differently. */
function toRenderer(level: MarkdownOptions['heading']): RendererObject {
  return {
    heading({ tokens }) {
      const content = this.parser.parseInline(tokens);
      if (level === undefined) return `<p><strong>${content}</strong></p>`;
      return `<h${level}>${content}</h${level}>`;
    },
    code({ text }) {
      return html`<pre tabindex="0" role="group" aria-label="Code">${preformatted(text)}</pre>`
        .text;
    },
    html: ({ text }) => html`${text}`.text,
    checkbox: ({ checked }) => (checked ? '[x] ' : '[ ] '),
    link({ href, tokens }) {
      return linkTo(href, new Markup(this.parser.parseInline(tokens))).text;
    },
    image: ({ href, text }) => linkTo(href, html`${text || href}`).text,
  };
}

/** Content that leads to an address of the document, where that is a page or a mail address. */
export function linkTo(href: string, content: Markup): Markup {
  const url = URL.parse(href, 'https://relative.invalid');
  const isHarmless = url !== null && ['https:', 'http:', 'mailto:'].includes(url.protocol);
  return isHarmless ? html`<a href="${href}" rel="noreferrer">${content}</a>` : content;
}
