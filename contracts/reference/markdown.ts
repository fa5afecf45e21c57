import { lexer, type Token, type Tokens } from 'marked';
import { html, type Markup, preformatted } from '../look/markup.ts';

// The parser takes time that grows faster than a text does, so what is beyond these bounds is shown as
// it stands.
const maxLength = 200_000;
/** Characters between two headings. */
const maxPart = 10_000;
/** Marks of emphasis in a paragraph. */
const maxMarks = 500;
/** Quotes and lists in one another, of which a line begins too many; the parser calls itself for each. */
const deepNesting = /^[ \t]*(?:(?:>|(?:[-+*]|\d{1,9}[.)])[ \t])[ \t]*){20}/m;

/** How the headings of a text are shown; without a level they are paragraphs. */
export type MarkdownOptions = { heading?: 2 | 3 | 4 };

/**
 * A description of the document, which is Markdown (CommonMark), or nothing where there is none. The
 * document is not trusted: HTML in it is shown as text, images are links, and links lead to pages and
 * mail addresses alone.
 */
export function markdown(text: unknown, options: MarkdownOptions = {}): Markup | false {
  if (typeof text !== 'string' || text.trim() === '') return false;
  const content =
    text.length > maxLength ? asText(text) : partsOf(text).map((part) => rendered(part, options));
  return html`<div class="prose">${content}</div>`;
}

/** A text split before its headings, so that the parts of a long one are short. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let isCode = false;
  for (const piece of text.split(/^(?=#{1,6} )/m)) {
    // A # within a block of code begins no heading.
    if (isCode) parts.push(`${parts.pop()}${piece}`);
    else parts.push(piece);
    if ((piece.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0) % 2 === 1) isCode = !isCode;
  }
  return parts;
}

function rendered(text: string, options: MarkdownOptions): Markup {
  const isCostly =
    text.length > maxPart ||
    deepNesting.test(text) ||
    text.split(/\n\s*\n/).some((block) => block.replace(/[^*_~]/g, '').length > maxMarks);
  const tokens = isCostly ? undefined : parsed(text);
  return tokens ? html`${blocks(tokens, options)}` : asText(text);
}

/** The tokens of a text; nothing where the parser cannot read it, as no text may break a page. */
function parsed(text: string): readonly Token[] | undefined {
  try {
    return lexer(text, { gfm: true });
  } catch {
    return undefined;
  }
}

function asText(text: string): Markup {
  return html`<pre tabindex="0" role="group" aria-label="Description">${preformatted(text)}</pre>`;
}

function blocks(tokens: readonly Token[] = [], options: MarkdownOptions): Markup[] {
  return tokens.map((token) => block(token, options));
}

function block(token: Token, options: MarkdownOptions): Markup {
  switch (token.type) {
    case 'space':
    case 'def':
      return html``;
    case 'heading':
      return heading(inlines(token.tokens), options);
    case 'code':
      return html`<pre tabindex="0" role="group" aria-label="Code">${preformatted(token.text)}</pre>`;
    case 'blockquote':
      return html`<blockquote>${blocks(token.tokens, options)}</blockquote>`;
    case 'list':
      return list(token as Tokens.List, options);
    case 'table':
      return table(token as Tokens.Table);
    case 'hr':
      return html`<hr>`;
    case 'paragraph':
      return html`<p>${inlines(token.tokens)}</p>`;
    case 'html':
      return html`<p>${lines(token.text)}</p>`;
    default:
      return html`${inline(token)}`;
  }
}

function heading(content: Markup[], { heading: level }: MarkdownOptions): Markup {
  if (level === 2) return html`<h2>${content}</h2>`;
  if (level === 3) return html`<h3>${content}</h3>`;
  return level === 4 ? html`<h4>${content}</h4>` : html`<p><strong>${content}</strong></p>`;
}

function list({ ordered, start, items }: Tokens.List, options: MarkdownOptions): Markup {
  const content = items.map(({ tokens }) => html`<li>${blocks(tokens, options)}</li>`);
  return ordered
    ? html`<ol start="${Number(start) || 1}">${content}</ol>`
    : html`<ul>${content}</ul>`;
}

function table({ header, rows }: Tokens.Table): Markup {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Table"><table><thead><tr>${header.map(({ tokens }) => html`<th scope="col">${inlines(tokens)}</th>`)}</tr></thead><tbody>${rows.map((row) => html`<tr>${row.map(({ tokens }) => html`<td>${inlines(tokens)}</td>`)}</tr>`)}</tbody></table></div>`;
}

function inlines(tokens: readonly Token[] = []): Markup[] {
  return tokens.map(inline);
}

function inline(token: Token): Markup {
  switch (token.type) {
    case 'strong':
      return html`<strong>${inlines(token.tokens)}</strong>`;
    case 'em':
      return html`<em>${inlines(token.tokens)}</em>`;
    case 'del':
      return html`<del>${inlines(token.tokens)}</del>`;
    case 'codespan':
      return html`<code>${decoded(token.text)}</code>`;
    case 'br':
      return html`<br>`;
    case 'link':
      return linkTo(token.href, html`${inlines(token.tokens)}`);
    case 'image':
      return linkTo(token.href, html`${token.text || token.href}`);
    case 'text':
      return 'tokens' in token && token.tokens
        ? html`${inlines(token.tokens)}`
        : lines(decoded(token.text));
    case 'escape':
      return html`${token.text}`;
    default:
      return lines(token.raw);
  }
}

/** Content that leads to an address of the document, where that is a page or a mail address. */
export function linkTo(href: string, content: Markup): Markup {
  return isHarmless(href) ? html`<a href="${href}" rel="noreferrer">${content}</a>` : content;
}

/** Whether a link leads to a page or a mail address, as browsers read it. */
function isHarmless(href: string): boolean {
  const url = URL.parse(href, 'https://relative.invalid');
  return url !== null && ['https:', 'http:', 'mailto:'].includes(url.protocol);
}

/** A line break in a paragraph is a space. */
function lines(text: string): Markup {
  return html`${text.replace(/\s+/g, ' ')}`;
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

/** Text without the entities of HTML that descriptions hold. */
function decoded(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return entities[name] ?? whole;
      const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
    },
  );
}
