import { html, type Markup } from './markup.ts';

/**
 * Text from elsewhere, kept apart from what stands around it, so that its direction does not
 * spread.
 */
export function quoted(text: string): Markup {
  return html`<bdi>${text}</bdi>`;
}

/** Like {@link quoted}, for names and values of the machine. */
export function code(text: string): Markup {
  return html`<code><bdi>${text}</bdi></code>`;
}

/** A section with its heading. `note` tells in a sentence what is in it; it may be empty. */
export function section(id: string, title: string, note: string, content: Markup): Markup {
  return html`
<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title" tabindex="-1">${title}</h2>
${note !== '' && html`<p class="note">${note}</p>`}
${content}
</section>`;
}
