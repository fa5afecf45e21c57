import { logCommand, toVisible } from './visible.ts';

/** HTML that is safe to put into a page as it stands; {@link html} makes it. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Content = Markup | string | number | false | undefined | readonly Content[];

/**
 * A template of HTML. All that is put in is escaped, in a tag's attributes too, and unseen
 * characters become visible; only {@link Markup} passes as it stands. Lists are joined, `false` and
 * `undefined` leave nothing.
 */
export function html(literals: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  const places = placesOf(literals);
  let text = literals[0] ?? '';
  for (const [index, content] of contents.entries())
    text += toText(content, places[index] === true) + (literals[index + 1] ?? '');
  return new Markup(text);
}

/** Whether each content of a template is inside a tag; what is put in never opens or closes one. */
function placesOf(literals: TemplateStringsArray): boolean[] {
  let isInside = false;
  return literals.map((literal) => {
    const [opened, closed] = [literal.lastIndexOf('<'), literal.lastIndexOf('>')];
    if (opened !== closed) isInside = opened > closed;
    return isInside;
  });
}

/**
 * Text of several lines for a `pre`: line breaks and tabs stay, other unseen characters become
 * visible.
 */
export function preformatted(text: string): Markup {
  return new Markup(marked(text.replaceAll('\r\n', '\n'), '\n\t'));
}

/** Whether a text holds characters that a reader does not see, other than line breaks. */
export function hasUnseen(text: string): boolean {
  const line = text.replaceAll('\n', '');
  return toVisible(line) !== line;
}

function toText(content: Content, insideTag: boolean): string {
  if (content === false || content === undefined) return '';
  if (content instanceof Markup) return content.text;
  if (Array.isArray(content)) return content.map((one: Content) => toText(one, insideTag)).join('');
  return insideTag ? escaped(toVisible(String(content))) : marked(String(content), '');
}

function marked(text: string, kept: string): string {
  return escaped(text).replace(/[^ -~]/gu, (character) => {
    const shown = toVisible(character);
    return shown === character || kept.includes(character)
      ? character
      : `<span class="unseen">${shown}</span>`;
  });
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => entities[character] as string)
    .replace(logCommand, '#&#35;');
}
