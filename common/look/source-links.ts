import { html, type Markup } from './markup.ts';
import { toSourceParts } from './source-parts.ts';

/**
 * A source such as `§4.1, RFC 9110 §10.2.3`: each part leads to what it names. A section for which
 * `toHref` gives nothing, and any other part, stands as it is.
 */
export function sourceLinks(
  source: string,
  toHref: (section: string) => string | undefined,
): Markup[] {
  return toSourceParts(source).map(({ text, section, rfc }, index) => {
    const href = rfc ? rfcUrl(rfc) : section !== undefined ? toHref(section) : undefined;
    const content = html`<bdi>${text}</bdi>`;
    const link =
      href === undefined
        ? content
        : html`<a href="${href}"${rfc && html` rel="noreferrer"`}>${content}</a>`;
    return html`${index > 0 && ', '}${link}`;
  });
}

/** Returns the URL of an RFC, or of a section of it. */
export function rfcUrl({ number, section }: { number: string; section?: string }): string {
  const url = `https://www.rfc-editor.org/rfc/rfc${number}`;
  return section === undefined ? url : `${url}#section-${section}`;
}
